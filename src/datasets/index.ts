export { createBundledSeries } from './bundled/create-bundled-series.ts';
export type { EconomicProvider, EconomicRows } from './economic-provider.ts';
export { createEconomicSource } from './economic-source.ts';
export { type ObservationsContext, readObservations } from './observations.ts';
export { indexSources } from './search/index-sources.ts';
export { createSeriesIndex } from './search/series-index.ts';
export { type SearchContext, searchPage } from './search-page.ts';
