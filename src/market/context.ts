import { ALL_LICENSES, type Licenses } from '../access/index.ts';
import type { SnapshotContext, SnapshotExports } from '../snapshots/index.ts';
import type { MarketProvider } from './providers/provider.ts';

/** The dependencies of this room's operations. */
export interface MarketContext extends SnapshotContext {
  /** Decides under which licenses bars may be read. */
  readonly licenses: Licenses;
  /** The configured providers, the preferred one first. */
  readonly providers: readonly MarketProvider[];
  readonly exports: SnapshotExports;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<Buffer>;
}

/** The dependencies for reading bars. The other operations build on them. */
export interface BarsContext extends Pick<MarketContext, 'clock' | 'licenses' | 'providers'> {
  /** Holds the request budgets of providers. Needed only if a provider has a budget; the bundled provider has none. */
  readonly database?: MarketContext['database'];
}

/** Builds the context. If `licenses` is omitted, every license is allowed. */
export function createMarket(
  parts: Omit<MarketContext, 'licenses'> & Partial<Pick<MarketContext, 'licenses'>>,
): MarketContext {
  return { licenses: ALL_LICENSES, ...parts };
}
