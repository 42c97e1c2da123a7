export { createBundledSeries } from './bundled/index.ts';
export type { EconomicProvider, EconomicRows } from './economic-provider.ts';
export { createEconomicSource } from './economic-source.ts';
export { type ObservationsContext, readObservations } from './observations.ts';
export { createSeriesIndex, indexSources } from './search/index.ts';
export { type SearchContext, searchPage } from './search-page.ts';
