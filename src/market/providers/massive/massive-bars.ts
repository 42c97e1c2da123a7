import { MINUTE_MS } from '../../../calendar/index.ts';
import { malformed, type ProviderClient, ProviderError } from '../../../platform/index.ts';
import type { BarPage, PageQuery, RawBar } from '../provider.ts';
import { type BarRange, barRange, barStep, formatDay, sessionDateOf } from '../stocks/bar-range.ts';
import { checkAggregates, MASSIVE, type MassiveSession, readMassiveReply, readNextCursor } from './massive-reply.ts';

/** The largest number of base aggregates, which are minutes or days, from which one page is built. */
const MAX_BASE_AGGREGATES = 50_000;

/** The position of a page: its last bar, and the cursor of an earlier page that had no bar to continue from. */
interface Position {
  readonly last: number;
  readonly cursor: string | null;
}

/** Returns one page of the bars of a symbol, the latest first. */
export async function fetchAggregates(
  session: MassiveSession,
  query: PageQuery,
  token: string | null,
  http: ProviderClient,
): Promise<BarPage> {
  const { plan } = session;
  const position = token === null ? { last: Number.POSITIVE_INFINITY, cursor: null } : parsePosition(token);
  for (;;) {
    const requested = barRange(query, plan.earliest);
    const last = Math.min(requested.last, position.last, plan.lastBar(query.frequency));
    if (last < requested.first) return emptyPage(session, query);
    const range = { first: requested.first, last };
    try {
      const page = await requestPage(session, query, range, position.cursor, http);
      checkHistory(session, query, page);
      return page;
    } catch (error) {
      if (!plan.learnFrom(error, range.first)) throw error;
    }
  }
}

function emptyPage(session: MassiveSession, query: PageQuery): BarPage {
  const page: BarPage = { bars: [], olderToken: null };
  checkHistory(session, query, page);
  return page;
}

/**
 * Throws if the request needs bars that are older than the plan's history: fewer bars than requested would look like
 * the whole answer. A request without a start gets the history of the plan.
 */
function checkHistory({ plan }: MassiveSession, { start, limit }: PageQuery, { bars, olderToken }: BarPage): void {
  if (!plan.hasShortHistory || start === undefined || start >= plan.earliest) return;
  if (olderToken === null && bars.length < limit) throw new ProviderError(MASSIVE, 'FORBIDDEN', 'older than two years');
}

async function requestPage(
  session: MassiveSession,
  query: PageQuery,
  range: BarRange,
  cursor: string | null,
  http: ProviderClient,
): Promise<BarPage> {
  const isAdjusted = query.adjustment !== 'raw';
  const url = formatUrl(session, query, range, isAdjusted, cursor);
  const accept = (value: unknown) => {
    const reply = readMassiveReply(value);
    if (reply.fields.ticker !== query.symbol) throw malformed(MASSIVE, 'bars of another symbol');
    checkAggregates(reply, isAdjusted);
    return { ...reply, cursor: readNextCursor(reply.fields) };
  };
  const reply = await http.getJson(url, { headers: session.headers, accept });
  if (reply.isDelayed) session.plan.learnDelay();
  const isDaily = query.frequency === '1D';
  const bars = reply.results.map(({ t, o, h, l, c, v }): RawBar => {
    const instant = typeof t === 'number' ? t : Number.NaN;
    return { timestamp: isDaily ? sessionDateOf(instant) : instant, open: o, high: h, low: l, close: c, volume: v };
  });
  // The last bar of a delayed reply may lack trades.
  const last = Math.min(range.last, session.plan.lastBar(query.frequency));
  const complete = last < range.last ? bars.filter(({ timestamp }) => !((timestamp as number) > last)) : bars;
  return continueBefore(complete, query, range, reply.cursor);
}

function formatUrl(
  { url }: MassiveSession,
  { symbol, frequency, limit }: PageQuery,
  { first, last }: BarRange,
  isAdjusted: boolean,
  cursor: string | null,
): string {
  const step = barStep(frequency);
  const minutes = step / MINUTE_MS;
  const isDaily = frequency === '1D';
  const bounds = isDaily
    ? `1/day/${formatDay(first)}/${formatDay(last)}`
    : `${minutes}/minute/${first}/${last + step - 1}`;
  // One bar more, because the oldest one may be cut off.
  const aggregates = isDaily || minutes === 1 ? limit : (limit + 1) * minutes;
  const parameters = new URLSearchParams({
    adjusted: String(isAdjusted),
    sort: 'desc',
    limit: String(Math.min(MAX_BASE_AGGREGATES, aggregates)),
    ...(cursor !== null && { cursor }),
  });
  return `${url}/v2/aggs/ticker/${encodeURIComponent(symbol)}/range/${bounds}?${parameters}`;
}

/**
 * Returns the page with the position of the next one. The cursor of aggregates contains only the limit and the order
 * (the position is in the path of `next_url`), so the next page is requested by its last bar. The oldest bar of a page
 * that is built from several minutes may be cut off by the limit: it is left to the next page, which has all of it.
 */
function continueBefore(
  bars: readonly RawBar[],
  { frequency }: PageQuery,
  { first, last }: BarRange,
  cursor: string | null,
): BarPage {
  if (cursor === null) return { bars, olderToken: null };
  let oldest = Number.POSITIVE_INFINITY;
  for (const { timestamp } of bars) {
    const time = timestamp as number;
    if (time >= first && time <= last && time < oldest) oldest = time;
  }
  if (oldest === Number.POSITIVE_INFINITY) return { bars, olderToken: `${last} ${cursor}` };
  const isBase = frequency === '1D' || frequency === '1min';
  if (isBase) {
    const older = oldest - barStep(frequency);
    return { bars, olderToken: older < first ? null : String(older) };
  }
  return { bars: bars.filter(({ timestamp }) => timestamp !== oldest), olderToken: String(oldest) };
}

function parsePosition(token: string): Position {
  const [last = '', ...cursor] = token.split(' ');
  return { last: Number(last), cursor: cursor.length === 0 ? null : cursor.join(' ') };
}
