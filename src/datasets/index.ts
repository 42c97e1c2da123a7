export { createBundledEconomicProvider } from './bundled/bundled-provider.ts';
export { checkEconomicProvider, type EconomicCheck } from './check-economic-provider.ts';
export type { EconomicProvider, EconomicRows } from './economic-provider.ts';
export { createEconomicSource } from './economic-source.ts';
export { UnusableReply } from './faults.ts';
export {
  createEconomicListing,
  type EconomicListing,
} from './listing/economic-listing.ts';
export { ECONOMIC_LISTINGS_QUEUE, startEconomicListings } from './listing/refresh-due.ts';
export { datasetMigrations } from './migrations/index.ts';
export { type Observations, type ObservationsContext, readObservations } from './observations.ts';
export { createSeriesPreviews, type PreviewSeries } from './preview-series.ts';
export { createDbnomicsAdapter } from './providers/dbnomics/dbnomics-adapter.ts';
export { createEcbAdapter } from './providers/ecb/ecb-adapter.ts';
export { createEurostatAdapter } from './providers/eurostat/eurostat-adapter.ts';
export { createFredAdapter } from './providers/fred/fred-adapter.ts';
export type { EconomicAdapter } from './providers/provider.ts';
export { createRemoteProvider } from './providers/remote-provider.ts';
export { createWorldBankAdapter } from './providers/worldbank/worldbank-adapter.ts';
export { type EconomicProviderView, type KnownAdapter, reportEconomicProviders } from './report-providers.ts';
export type { FoundSeries } from './search/found-series.ts';
export { readSearchPage, type SearchContext } from './search/search-page.ts';
export { createSeriesSearch } from './search/search-series.ts';
export { createSeriesIndex } from './search/series-index.ts';
export { createEconomicStore, type EconomicStore, removeOldReplies, withoutFetches } from './store/economic-store.ts';
export { createBigqueryEngine } from './warehouse/bigquery/bigquery-engine.ts';
export {
  createDescribedTables,
  type DescribedTables,
  removeLeastDescribed,
} from './warehouse/bigquery/described-tables.ts';
export { forgetReader, removeOldReads } from './warehouse/bigquery/limit-reads.ts';
export { createLimitedEngine, type LimitedEngineContext } from './warehouse/bigquery/limited-engine.ts';
export { removeOldRows } from './warehouse/bigquery/reuse-reads.ts';
export { readServiceAccount } from './warehouse/bigquery/service-account.ts';
export { createQueryRunner } from './warehouse/duckdb/query-runner.ts';
export { removeOldTempFolders } from './warehouse/duckdb/temp-folders.ts';
export { createLocalEngine } from './warehouse/local/local-engine.ts';
export { createWarehouseSource, type LocalTables, type PublicTables } from './warehouse/warehouse-source.ts';
