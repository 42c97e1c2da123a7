import type { Licenses } from '../access/index.ts';
import type { SnapshotContext, SnapshotExports } from '../snapshots/index.ts';
import type { BarQuery } from './bars.ts';
import type { CollectedBars } from './providers/collect-bars.ts';
import type { BulkProvider, CheckedDays } from './providers/collect-days.ts';
import type { DaysQuery, MarketProvider } from './providers/provider.ts';

/** What the operations of this folder work with. */
export interface MarketContext extends SnapshotContext {
  /** Under which bars may be read. */
  readonly licenses: Licenses;
  /** Those that are configured, the preferred one first. */
  readonly providers: readonly MarketProvider[];
  /** Reads checked bars from one of them. */
  readonly collect: (
    provider: MarketProvider,
    query: BarQuery,
    options: { readonly at: number; readonly signal: AbortSignal | undefined },
  ) => Promise<CollectedBars>;
  /** Reads checked daily bars of many symbols from one of them that offers it. */
  readonly collectDays: (
    provider: BulkProvider,
    query: DaysQuery,
    options: { readonly at: number; readonly signal: AbortSignal | undefined },
  ) => Promise<CheckedDays>;
  /** Every symbol of one of them that can tell. */
  readonly listSymbols: (provider: BulkProvider, signal: AbortSignal | undefined) => Promise<readonly string[]>;
  readonly exports: SnapshotExports;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<Buffer>;
}
