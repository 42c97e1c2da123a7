import { EVERY_LICENSE, type Licenses } from '../access/index.ts';
import type { SnapshotContext, SnapshotExports } from '../snapshots/index.ts';
import type { MarketContext } from './context.ts';
import { createProviderHttp } from './providers/ask.ts';
import { takeToken } from './providers/budget.ts';
import { collectBars } from './providers/collect-bars.ts';
import type { MarketProvider } from './providers/provider.ts';

export interface MarketParts extends SnapshotContext {
  /** Left out: every one. */
  readonly licenses?: Licenses;
  /** Those that are configured, the preferred one first. */
  readonly providers: readonly MarketProvider[];
  readonly exports: SnapshotExports;
  readonly cursorKey: () => Promise<Buffer>;
}

/** The market over some providers, each asked within its budget. */
export function createMarket(parts: MarketParts): MarketContext {
  return {
    licenses: EVERY_LICENSE,
    ...parts,
    collect: (provider, query, { at, signal }) => {
      const { id, requestsPerMinute } = provider;
      const budget = async (): Promise<number> =>
        requestsPerMinute === null ? 0 : takeToken(parts.database, id, requestsPerMinute);
      const http = createProviderHttp({ provider: id, requestsPerMinute, budget, signal });
      return collectBars(provider, query, { http, at, signal });
    },
  };
}
