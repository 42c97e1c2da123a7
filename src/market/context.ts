import type { Licenses } from '../access/index.ts';
import type { SnapshotContext, SnapshotExports } from '../snapshots/index.ts';
import type { BarQuery } from './bars.ts';
import type { CollectedBars } from './providers/collect-bars.ts';
import type { MarketProvider } from './providers/provider.ts';

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
  readonly exports: SnapshotExports;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<Buffer>;
}
