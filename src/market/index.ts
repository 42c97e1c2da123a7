export { BAR_HEADINGS, type BarTable } from './bars.ts';
export { createMarket, type MarketContext } from './context.ts';
export { listAllSymbols } from './list-symbols.ts';
export { createMarketSource } from './market-source.ts';
export { marketMigrations } from './migrations/index.ts';
export { createBundledProvider } from './providers/bundled/bundled-provider.ts';
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
export { type DaysRequest, readDays, type SymbolDays } from './read-days.ts';
export { readStockHistory, type StockHistory } from './stock-history.ts';
export { createSymbolListing, type SymbolListing } from './symbol-listing.ts';
