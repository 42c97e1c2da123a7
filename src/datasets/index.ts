export { createBundledEconomicProvider } from './bundled/bundled-provider.ts';
export type { EconomicProvider, EconomicRows } from './economic-provider.ts';
export { createEconomicSource } from './economic-source.ts';
export { type ObservationsContext, readObservations } from './observations.ts';
export { createSeriesSearch, readSearchPage, type SearchContext } from './search/search-series.ts';
export { createSeriesIndex } from './search/series-index.ts';
