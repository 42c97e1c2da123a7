import { DAY_MS, newYorkDate } from '../../../calendar/index.ts';
import type { Adjustment } from '../../../contract/index.ts';
import type { ProviderClient } from '../../../platform/index.ts';
import type { RawBar } from '../provider.ts';
import { formatDay } from '../stocks/bar-range.ts';
import { canonicalStockSymbol } from '../stocks/stock-symbols.ts';
import { checkAggregates, type MassiveSession, readMassiveReply } from './massive-reply.ts';

/** Returns the daily bar of every stock on a date; none on a date without a session. */
export async function fetchDate(
  session: MassiveSession,
  date: number,
  adjustment: Adjustment,
  http: ProviderClient,
): Promise<ReadonlyMap<string, RawBar>> {
  const isAdjusted = adjustment !== 'raw';
  const url = `${session.url}/v2/aggs/grouped/locale/us/market/stocks/${formatDay(date)}?adjusted=${isAdjusted}`;
  const accept = (value: unknown) => {
    const reply = readMassiveReply(value);
    checkAggregates(reply, isAdjusted);
    return readBars(reply.results, date);
  };
  try {
    return await http.getJson(url, { headers: session.headers, accept });
  } catch (error) {
    session.plan.learnFrom(error, date);
    throw error;
  }
}

function readBars(results: readonly Readonly<Record<string, unknown>>[], date: number): ReadonlyMap<string, RawBar> {
  const bars = new Map<string, RawBar>();
  const repeated = new Set<string>();
  for (const { T: symbol, t, o, h, l, c, v } of results) {
    // Massive writes preferred shares and warrants with lower-case letters; they are not listed.
    if (typeof symbol !== 'string' || canonicalStockSymbol(symbol) !== symbol || !isWithin(t, date)) continue;
    if (bars.has(symbol)) repeated.add(symbol);
    bars.set(symbol, { timestamp: date, open: o, high: h, low: l, close: c, volume: v });
  }
  // None of two bars of one stock can be preferred.
  for (const symbol of repeated) bars.delete(symbol);
  return bars;
}

/** Returns whether an instant is on a date in New York. The bars of a date have the instant of its close. */
function isWithin(instant: unknown, date: number): boolean {
  if (typeof instant !== 'number' || Math.abs(instant - date) > 2 * DAY_MS) return false;
  return newYorkDate(instant) === date;
}
