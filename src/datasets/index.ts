export { createBundledEconomicProvider } from './bundled/bundled-provider.ts';
export { createEconomicSource, type EconomicProvider, type EconomicRows } from './economic-source.ts';
export { type ObservationsContext, readObservations } from './observations.ts';
export { createSeriesSearch, readSearchPage, type SearchContext } from './search/search-series.ts';
export { createSeriesIndex } from './search/series-index.ts';
