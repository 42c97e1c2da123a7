import { type BarFrequency, periodStart } from '../../calendar/index.ts';
import { BAR_COLUMNS, type BarColumn, type BarTable } from '../bars.ts';

/** The calendar period of one chunk: a year of days, a month of longer bars within a day, a day of minutes. */
const PERIOD_OF = { '1D': '1YE', '1min': '1D' } as const;

/** Returns the start of the chunk that holds a bar. */
export function chunkStart(frequency: BarFrequency, timestamp: number): number {
  return periodStart(frequency === '1D' || frequency === '1min' ? PERIOD_OF[frequency] : '1MS', timestamp);
}

export const NO_BARS: BarTable = tableOf(() => new Float64Array(0));

function tableOf(column: (name: BarColumn | 'timestamps') => Float64Array): BarTable {
  const columns = Object.fromEntries(BAR_COLUMNS.map((name) => [name, column(name)])) as unknown as BarTable['columns'];
  return { timestamps: column('timestamps'), columns };
}

function columnOf(bars: BarTable, name: BarColumn | 'timestamps'): Float64Array {
  return name === 'timestamps' ? bars.timestamps : bars.columns[name];
}

/** Returns the rows `from` to `to` (exclusive) as views. */
export function sliceRows(bars: BarTable, from: number, to: number): BarTable {
  if (from === 0 && to === bars.timestamps.length) return bars;
  return tableOf((name) => columnOf(bars, name).subarray(from, to));
}

/** Returns the number of the first row at or after an instant. */
export function rowAt({ timestamps }: BarTable, instant: number): number {
  let [low, high] = [0, timestamps.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timestamps[middle] as number) < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the rows from one instant to another (exclusive) as views. */
export function rowsBetween(bars: BarTable, from: number, to: number): BarTable {
  const first = rowAt(bars, from);
  return sliceRows(bars, first, Math.max(first, rowAt(bars, to)));
}

/** Returns the rows that have one of the timestamps. */
export function rowsAt(bars: BarTable, timestamps: Float64Array): BarTable {
  const wanted = new Set(timestamps);
  const isWanted = Array.from(bars.timestamps, (time) => wanted.has(time));
  return tableOf((name) => columnOf(bars, name).filter((_, i) => isWanted[i]));
}

/** Joins tables, each of which ends before the next begins. */
export function joinTables(tables: readonly BarTable[]): BarTable {
  const [only] = tables;
  if (tables.length === 1 && only !== undefined) return only;
  const rows = tables.reduce((sum, { timestamps }) => sum + timestamps.length, 0);
  return tableOf((name) => {
    const joined = new Float64Array(rows);
    let at = 0;
    for (const table of tables) {
      joined.set(columnOf(table, name), at);
      at += table.timestamps.length;
    }
    return joined;
  });
}

/** Returns the bars by the start of their chunk, oldest first. */
export function splitByChunk(bars: BarTable, frequency: BarFrequency): Map<number, BarTable> {
  const chunks = new Map<number, BarTable>();
  const { timestamps } = bars;
  for (let from = 0; from < timestamps.length; ) {
    const start = chunkStart(frequency, timestamps[from] as number);
    let to = from + 1;
    while (to < timestamps.length && chunkStart(frequency, timestamps[to] as number) === start) to++;
    chunks.set(start, sliceRows(bars, from, to));
    from = to;
  }
  return chunks;
}

/** Returns whether two tables have the same rows. */
export function isSameTable(one: BarTable, other: BarTable): boolean {
  const isSame = (name: BarColumn | 'timestamps') => {
    const [a, b] = [columnOf(one, name), columnOf(other, name)];
    return a.length === b.length && a.every((value, i) => value === b[i]);
  };
  return isSame('timestamps') && BAR_COLUMNS.every(isSame);
}

/** The relative difference from which two prices contradict each other. */
const TOLERANCE = 1e-6;
const PRICES = ['open', 'high', 'low', 'close'] as const;

/** Returns whether two tables have the same timestamps and, within the tolerance, the same prices. */
export function haveSamePrices(one: BarTable, other: BarTable): boolean {
  const rows = one.timestamps.length;
  if (rows !== other.timestamps.length) return false;
  for (let i = 0; i < rows; i++) if (one.timestamps[i] !== other.timestamps[i]) return false;
  return PRICES.every((name) => {
    const [a, b] = [one.columns[name], other.columns[name]];
    return a.every((price, i) => Math.abs(price - (b[i] as number)) <= TOLERANCE * price);
  });
}
