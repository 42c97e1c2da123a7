import { sessionHours, sessionsBetween } from '../../../src/calendar/index.ts';
import type { BarQuery } from '../../../src/market/bars.ts';

// A second parser of the loopback provider's replies, written independently to be compared with the first.

/** Timestamp, open, high, low, close, volume. */
export type ValidRow = readonly number[];

type Row = Record<string, unknown>;

const SESSIONS = new Set(sessionsBetween(Date.UTC(1990, 0, 1), Date.UTC(2199, 11, 31)));

function read(reply: Uint8Array | undefined): { bars: Row[] } | null {
  try {
    const page = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(reply));
    const { bars, next_page_token: token } = page;
    const isList =
      Array.isArray(bars) && bars.every((row) => Object.prototype.toString.call(row) === '[object Object]');
    return isList && (token === null || (typeof token === 'string' && token.length > 0)) ? { bars } : null;
  } catch {
    return null;
  }
}

/** Returns whether a reply follows the protocol. */
export function isPage(reply: Uint8Array | undefined): boolean {
  return read(reply) !== null;
}

/** Returns the valid daily rows of some replies, oldest first. */
export function validRows(replies: readonly Uint8Array[], query: BarQuery, now: number): ValidRow[] {
  const rows = replies.flatMap((reply) => read(reply)?.bars ?? []);
  const good = rows.map(numbersOf).filter((row): row is ValidRow => row !== null && isValid(row, query, now));
  const byTime = Map.groupBy(good, ([timestamp]) => timestamp);
  return [...byTime.values()]
    .filter((same) => new Set(same.map((row) => row.join())).size === 1)
    .map((same) => same[0] as ValidRow)
    .sort((a, b) => Number(a[0]) - Number(b[0]));
}

function numbersOf({ t, o, h, l, c, v }: Row): ValidRow | null {
  const parts = typeof t === 'string' ? /^(\d{4})-(\d\d)-(\d\d)T00:00:00Z$/.exec(t) : null;
  if (parts === null) return null;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  if (year < 1800 || year > 2199 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const values = [o, h, l, c, v];
  return values.every((value) => Number.isFinite(value)) ? [date.getTime(), ...(values as number[])] : null;
}

function isValid(row: ValidRow, { start = -Infinity, end }: BarQuery, now: number): boolean {
  const [timestamp, open, high, low, close, volume] = row as [number, number, number, number, number, number];
  const isWeekday = ![0, 6].includes(new Date(timestamp).getUTCDay());
  const isKnown = timestamp >= Date.UTC(1990, 0, 1);
  const isDay = isKnown ? SESSIONS.has(timestamp) : isWeekday;
  return (
    isDay &&
    timestamp >= start &&
    timestamp < end &&
    (!isKnown || sessionHours(timestamp).close <= now) &&
    [open, high, low, close].every((price) => price > 0) &&
    low <= high &&
    [open, close].every((price) => price - high <= high * 1e-9 && low - price <= low * 1e-9) &&
    volume >= 0
  );
}
