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
export function validRows(replies: readonly Uint8Array[], query: BarQuery, now: number): readonly ValidRow[] {
  return judge(
    replies.flatMap((reply) => read(reply)?.bars ?? []),
    query,
    now,
  ).kept;
}

/** Returns whether a reply has at least three invalid rows that are more than a tenth of those in the period. */
export function isMostlyInvalid(reply: Uint8Array | undefined, query: BarQuery, now: number): boolean {
  const rows = read(reply)?.bars ?? [];
  const { invalid, outside } = judge(rows, query, now);
  return exceedsShare(invalid, rows.length - outside);
}

export const exceedsShare = (invalid: number, rows: number): boolean => invalid > 2 && 10 * invalid > rows;

function judge(rows: readonly Row[], query: BarQuery, now: number) {
  const numbers = rows.map(numbersOf).filter((row) => row !== null);
  const onDays = numbers.filter(([timestamp]) => isDay(Number(timestamp)));
  const { start = -Infinity, end } = query;
  const inside = onDays.filter(([timestamp]) => Number(timestamp) >= start && Number(timestamp) < end);
  const plausible = inside.filter(isPlausible);
  const completed = plausible.filter(([timestamp]) => isClosed(Number(timestamp), now));
  const groups = [...Map.groupBy(completed, ([timestamp]) => timestamp).values()];
  const agreeing = groups.filter((same) => new Set(same.map((row) => row.join())).size === 1);
  const distinct = agreeing.map((same) => same[0] as ValidRow).sort((a, b) => Number(a[0]) - Number(b[0]));
  const kept = withoutPeaks(distinct, ([, , high, low]) => ({ high: Number(high), low: Number(low) }));
  const contradictory = completed.length - agreeing.flat().length;
  const unreadable = rows.length - numbers.length;
  const implausible = inside.length - plausible.length;
  return {
    kept,
    invalid: unreadable + implausible + contradictory + distinct.length - kept.length,
    outside: onDays.length - inside.length,
  };
}

/** Removes each inner row that is a hundred times above the rows next to it or a hundredth of them, repeatedly. */
export function withoutPeaks<T>(rows: readonly T[], of: (row: T) => { high: number; low: number }): readonly T[] {
  const rest = rows.filter((row, place) => {
    const [left, right] = [rows[place - 1], rows[place + 1]];
    if (left === undefined || right === undefined) return true;
    const { high } = of(row);
    const [highest, lowest] = [Math.max(of(left).high, of(right).high), Math.min(of(left).low, of(right).low)];
    return high <= highest * 100 && high * 100 >= lowest;
  });
  return rest.length === rows.length ? rows : withoutPeaks(rest, of);
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

const FIRST_KNOWN = Date.UTC(1990, 0, 1);

function isDay(timestamp: number): boolean {
  return timestamp >= FIRST_KNOWN ? SESSIONS.has(timestamp) : ![0, 6].includes(new Date(timestamp).getUTCDay());
}

function isClosed(timestamp: number, now: number): boolean {
  return timestamp < FIRST_KNOWN || sessionHours(timestamp).close <= now;
}

function isPlausible(row: ValidRow): boolean {
  const [open, high, low, close, volume] = row.slice(1) as [number, number, number, number, number];
  return (
    [open, high, low, close].every((price) => price > 0) &&
    low <= high &&
    high <= 1e12 &&
    [open, close].every((price) => price - high <= high * 1e-9 && low - price <= low * 1e-9) &&
    volume >= 0 &&
    volume <= 1e15
  );
}
