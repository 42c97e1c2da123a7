import type { FeedCandle } from './dukascopy-server.ts';

// A second decoder of Dukascopy's files, written independently to be compared with the adapter's: whole columns instead
// of rows, and prices from their decimal digits.

export interface FeedFileBounds {
  readonly start: number;
  readonly end: number;
  /** The milliseconds of one candle. */
  readonly shift: number;
  /** Whether the file is the current one, which may have candles after its end: they are those of the next file. */
  readonly isCurrent: boolean;
}

const COLUMNS = ['times', 'opens', 'highs', 'lows', 'closes', 'volumes'] as const;
const BASES = ['open', 'high', 'low', 'close'] as const;

/** Returns the candles of a file, except those of closed hours; null if the text is not a file of these bounds. */
export function decodeFeedFile(bytes: Uint8Array, bounds: FeedFileBounds): FeedCandle[] | null {
  const reply = parse(bytes);
  const decimals = [...Array(11).keys()].find((power) => reply?.multiplier === Number(`1e-${power}`));
  if (reply?.timestamp !== bounds.start || reply.shift !== bounds.shift || decimals === undefined) return null;
  if ('code' in reply && reply.code !== 'EUR-USD') return null;
  const columns = COLUMNS.map((name) => reply[name]);
  if (!columns.every(Array.isArray)) return null;
  const [times, ...others] = columns as [number[], ...number[][]];
  const [opens, highs, lows, closes, volumes] = others as [number[], number[], number[], number[], number[]];
  if (others.some(({ length }) => length !== times.length)) return null;
  if (![times, opens, highs, lows, closes].flat().every(Number.isSafeInteger)) return null;
  if (!volumes.every(Number.isFinite)) return null;
  const bases = BASES.map((name) => reply[name]);
  if (!bases.every((base) => Number.isFinite(base) || (base === null && times.length === 0))) return null;
  if (times.some((steps, place) => steps < Math.min(place, 1))) return null;

  const instants = sums(times, 0).map((steps) => bounds.start + steps * bounds.shift);
  const inside = instants.filter((instant) => instant < bounds.end).length;
  if (inside < instants.length && !bounds.isCurrent) return null;
  const units = [opens, highs, lows, closes].map((column, field) =>
    sums(column, Math.round(Number(bases[field]) * 10 ** decimals)).slice(0, inside),
  );
  if (!units.flat().every(Number.isSafeInteger)) return null;
  const candles = instants.slice(0, inside).map((timestamp, row): FeedCandle => {
    const prices = units.map((column) => Number(`${column[row]}e-${decimals}`));
    const [open, high, low, close] = prices as [number, number, number, number];
    return { timestamp, open, high, low, close, volume: volumes[row] as number };
  });
  return candles.filter(
    ({ open, high, low, close, volume }) => volume !== 0 || new Set([open, high, low, close]).size > 1,
  );
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return null;
  }
}

function sums(values: readonly number[], first: number): number[] {
  let sum = first;
  return values.map((value) => {
    sum += value;
    return sum;
  });
}
