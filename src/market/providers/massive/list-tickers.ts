import { malformed, type ProviderClient, ProviderError } from '../../../platform/index.ts';
import type { ListedInstrument } from '../provider.ts';
import { canonicalStockSymbol, exchangeName, ListedOnce, otherSpellings } from '../stocks/stock-symbols.ts';
import { MASSIVE, type MassiveSession, readMassiveReply, readNextCursor } from './massive-reply.ts';

const PAGE_SIZE = 1_000;
/** Several times the number of tickers that ever existed. */
const MAX_PAGES = 500;

/** Common stocks, depositary receipts and funds. Not warrants, rights, units, preferred shares and notes. */
const STOCK_TYPES: ReadonlySet<unknown> = new Set([
  'CS',
  'OS',
  'ADRC',
  'GDR',
  'NYRS',
  'ETF',
  'ETS',
  'ETV',
  'ETN',
  'FUND',
]);

/** Yields the stocks and ETFs of Massive, first the active ones. */
export async function* readTickers(
  session: MassiveSession,
  http: ProviderClient,
): AsyncGenerator<readonly ListedInstrument[]> {
  const once = new ListedOnce();
  for (const isActive of [true, false]) {
    const cursors = new Set<string>();
    for (let cursor: string | null = null; ; ) {
      const page: TickerPage = await http.getJson(formatUrl(session, isActive, cursor), {
        headers: session.headers,
        accept: (value) => readPage(value, isActive),
      });
      const instruments = once.select(page.tickers);
      if (instruments.length > 0) yield instruments;
      cursor = page.cursor;
      if (cursor === null) break;
      if (cursors.has(cursor) || cursors.size >= MAX_PAGES) throw new ProviderError(MASSIVE, 'PAGE_LOOP');
      cursors.add(cursor);
    }
  }
}

function formatUrl({ url }: MassiveSession, isActive: boolean, cursor: string | null): string {
  const parameters = new URLSearchParams({
    market: 'stocks',
    active: String(isActive),
    limit: String(PAGE_SIZE),
    sort: 'ticker',
    ...(cursor !== null && { cursor }),
  });
  return `${url}/v3/reference/tickers?${parameters}`;
}

interface TickerPage {
  readonly tickers: ListedInstrument[];
  /** The cursor of the next page; null if there is none. */
  readonly cursor: string | null;
}

function readPage(value: unknown, isActive: boolean): TickerPage {
  const { results, fields } = readMassiveReply(value);
  return { tickers: results.flatMap((ticker) => readTicker(ticker, isActive)), cursor: readNextCursor(fields) };
}

/** Returns the ticker, or nothing if it is not a stock or a fund. */
function readTicker(ticker: Readonly<Record<string, unknown>>, isActive: boolean): ListedInstrument[] {
  const { ticker: symbol, name, type, currency_name: currency } = ticker;
  if (typeof symbol !== 'string' || ticker.market !== 'stocks' || ticker.active !== isActive) {
    throw malformed(MASSIVE, 'not a requested ticker');
  }
  // Massive states no type of many delisted tickers.
  const isStock = STOCK_TYPES.has(type) || (type === undefined && !isActive);
  if (!isStock || canonicalStockSymbol(symbol) !== symbol) return [];
  return [
    {
      symbol,
      name: typeof name === 'string' && name.trim() !== '' ? name.trim() : symbol,
      aliases: otherSpellings(symbol),
      exchange: exchangeName(ticker.primary_exchange),
      class: 'stock',
      units: typeof currency === 'string' && /^[a-z]{3}$/i.test(currency) ? currency.toUpperCase() : 'USD',
      status: isActive ? 'active' : 'delisted',
    },
  ];
}
