import { type ProviderClient, ProviderError } from '../../platform/index.ts';
import type { BarTable } from '../bars.ts';
import { checkBars } from '../check-bars.ts';
import type { BulkProvider, DaysPage, DaysQuery, RawBar } from './provider.ts';

/** The valid bars by symbol, oldest first. A symbol without valid bars is absent. */
export type CheckedDays = ReadonlyMap<string, BarTable>;

interface CollectDaysOptions {
  readonly http: ProviderClient;
  /** The current time in milliseconds. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

/** More than a query of a thousand symbols over two years needs, even with only a hundred bars per page. */
const MAX_PAGES = 10_000;

/**
 * Reads every page of a query, and checks the rows of each symbol like any other bars. Throws a `ProviderError` if the
 * provider fails.
 */
export async function collectDays(
  provider: BulkProvider,
  query: DaysQuery,
  { http, at, signal }: CollectDaysOptions,
): Promise<CheckedDays> {
  const rows = new Map<string, RawBar[]>(query.symbols.map((symbol) => [symbol, []]));
  const tokens = new Set<string>();
  for (let token: string | null = null; ; ) {
    signal?.throwIfAborted();
    const page: DaysPage = await provider.bulk.fetchDays(query, token, http);
    for (const [symbol, bars] of page.bars) {
      const known = rows.get(symbol);
      // If the reply has a symbol that was not requested, it may also assign bars to the wrong symbols.
      if (known === undefined) throw new ProviderError(provider.id, 'MALFORMED', 'a symbol that was not requested');
      for (const bar of bars) known.push(bar);
    }
    if (page.nextToken === null) break;
    if (tokens.has(page.nextToken) || tokens.size >= MAX_PAGES) throw new ProviderError(provider.id, 'PAGE_LOOP');
    tokens.add(page.nextToken);
    token = page.nextToken;
  }
  return checkDays(rows, query, at, provider);
}

function checkDays(
  rows: ReadonlyMap<string, readonly RawBar[]>,
  { start, end }: DaysQuery,
  at: number,
  provider: BulkProvider,
): CheckedDays {
  const checked = new Map<string, BarTable>();
  for (const [symbol, raw] of rows) {
    const query = { frequency: '1D', session: 'regular', start, end, limit: raw.length } as const;
    const { bars } = checkBars(raw, query, at, provider.kindOf(symbol));
    if (bars.timestamps.length > 0) checked.set(symbol, bars);
  }
  return checked;
}
