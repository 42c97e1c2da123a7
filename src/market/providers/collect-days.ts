import type { BarTable } from '../bars.ts';
import { checkBars } from '../check-bars.ts';
import type { ProviderHttp } from './http.ts';
import type { BulkDays, DaysQuery, MarketProvider, RawBar } from './provider.ts';
import { ProviderError } from './provider-error.ts';

/** One that can be asked for many symbols at once. */
export type BulkProvider = MarketProvider & { readonly bulk: BulkDays };

/** The believable bars by symbol, oldest first. A symbol that has none is not there. */
export type CheckedDays = ReadonlyMap<string, BarTable>;

export interface CollectDaysDeps {
  readonly http: ProviderHttp;
  /** Now, in milliseconds. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

/** More than a query of a thousand symbols over two years needs in pages of a hundred bars. */
const MAX_PAGES = 10_000;

/** Reads every page of a query, and checks the rows of each symbol as those of any bars. Throws `ProviderError`. */
export async function collectDays(
  provider: BulkProvider,
  query: DaysQuery,
  { http, at, signal }: CollectDaysDeps,
): Promise<CheckedDays> {
  const rows = new Map<string, RawBar[]>(query.symbols.map((symbol) => [symbol, []]));
  const tokens = new Set<string>();
  for (let token: string | null = null; ; ) {
    signal?.throwIfAborted();
    const page = await provider.bulk.fetchDays(query, token, http);
    for (const [symbol, bars] of page.bars) {
      const known = rows.get(symbol);
      // Whose bars these are nobody knows, so they may be anybody's.
      if (known === undefined) throw new ProviderError(provider.id, 'MALFORMED', 'a symbol that was not asked for');
      for (const bar of bars) known.push(bar);
    }
    if (page.next === null) break;
    if (tokens.has(page.next) || tokens.size >= MAX_PAGES) throw new ProviderError(provider.id, 'PAGE_LOOP');
    tokens.add(page.next);
    token = page.next;
  }
  return checkedDays(rows, query, at, provider);
}

function checkedDays(
  rows: ReadonlyMap<string, readonly RawBar[]>,
  { adjustment, session, start, end }: DaysQuery,
  at: number,
  { kind }: BulkProvider,
): CheckedDays {
  const checked = new Map<string, BarTable>();
  for (const [symbol, raw] of rows) {
    const query = {
      symbol,
      frequency: '1D',
      adjustment,
      session,
      priceSide: 'bid',
      start,
      end,
      limit: raw.length,
    } as const;
    const { bars } = checkBars(raw, query, at, kind);
    if (bars.timestamps.length > 0) checked.set(symbol, bars);
  }
  return checked;
}
