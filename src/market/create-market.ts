import { EVERY_LICENSE, type Licenses } from '../access/index.ts';
import type { SnapshotContext, SnapshotExports } from '../snapshots/index.ts';
import type { MarketContext } from './context.ts';
import { createProviderHttp } from './providers/ask.ts';
import { takeToken } from './providers/budget.ts';
import { collectBars } from './providers/collect-bars.ts';
import { collectDays } from './providers/collect-days.ts';
import type { ProviderHttp } from './providers/http.ts';
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
    collect: (provider, query, { at, signal }) =>
      collectBars(provider, query, { http: httpTo(parts, provider, { signal }), at, signal }),
    collectDays: (provider, query, { at, signal }) =>
      collectDays(provider, query, { http: httpTo(parts, provider, { signal, patienceMs: BULK_MS }), at, signal }),
    listSymbols: (provider, signal) => provider.bulk.symbols(httpTo(parts, provider, { signal, patienceMs: BULK_MS })),
  };
}

/** Nobody waits at a screen for many symbols, and within a budget their pages take a while. */
const BULK_MS = 10 * 60_000;

function httpTo(
  { database }: MarketParts,
  { id, requestsPerMinute }: MarketProvider,
  { signal, patienceMs }: { readonly signal: AbortSignal | undefined; readonly patienceMs?: number },
): ProviderHttp {
  const budget = async (): Promise<number> =>
    requestsPerMinute === null ? 0 : takeToken(database, id, requestsPerMinute);
  const deadline = patienceMs === undefined ? undefined : Date.now() + patienceMs;
  return createProviderHttp({ provider: id, requestsPerMinute, budget, signal, deadline });
}
