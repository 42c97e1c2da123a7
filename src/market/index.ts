export type { MarketContext } from './context.ts';
export { createMarket } from './create-market.ts';
export { BAR_HEADS } from './history/bar-heads.ts';
export { readStockHistory, type StockHistory } from './history/stock-history.ts';
export { createMarketSource } from './market-source.ts';
export { marketMigrations } from './migrations/index.ts';
export { createBundledProvider } from './providers/bundled/index.ts';
export type { BarPage, MarketProvider, RawBar } from './providers/provider.ts';
export { ProviderError } from './providers/provider-error.ts';
