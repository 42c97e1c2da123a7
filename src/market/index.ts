export { BAR_HEADINGS, type BarTable } from './bars.ts';
export { DAYS_QUEUE, type FillOutcome, fillDays, startDaysFills } from './bulk/fill-days.ts';
export type { FillContext } from './bulk/fill-run.ts';
export { type FillState, readFillProgress } from './bulk/read-fill-progress.ts';
export { checkProvider, type ProviderCheck } from './check-provider.ts';
export { createMarket, type MarketContext } from './context.ts';
export { createDirectory, type Directory } from './directory/directory.ts';
export { createListedInstruments, type ListedInstruments } from './directory/listed-instruments.ts';
export {
  LISTINGS_QUEUE,
  type ListingsContext,
  refreshDueListings,
  startListingRefreshes,
} from './directory/refresh-due.ts';
export {
  type KnownProvider,
  type ProviderView,
  type ReportContext,
  reportProviders,
} from './list-providers.ts';
export { listAllSymbols } from './list-symbols.ts';
export { createMarketSource } from './market-source.ts';
export { marketMigrations } from './migrations/index.ts';
export { createAlpacaProvider } from './providers/alpaca/alpaca-provider.ts';
export { createBundledProvider } from './providers/bundled/bundled-provider.ts';
export { createDukascopyProvider } from './providers/dukascopy/dukascopy-provider.ts';
export { BUNDLED_PAIRS } from './providers/dukascopy/instruments.ts';
export { createMassiveProvider } from './providers/massive/massive-provider.ts';
export type {
  BarPage,
  BulkDays,
  DaysBySymbols,
  DaysPage,
  DaysQuery,
  ListedInstrument,
  MarketProvider,
  RawBar,
} from './providers/provider.ts';
export { readDays } from './read-days.ts';
export { readStockHistory, type StockHistory } from './stock-history.ts';
export { removeLeastUsed } from './store/store-size.ts';
export type { DaysRequest, SymbolDays } from './symbol-days.ts';
export { createSymbolListing, type SymbolListing } from './symbol-listing.ts';
