import type { ChartMark } from './draw-mark.ts';
import { MAX_VALUE } from './value-axis.ts';

/** What a chart of a forecast shows. Timestamps are in milliseconds since 1970 and ascend. */
export interface ForecastChart {
  readonly title: string;
  readonly units?: string | undefined;
  /** A value of NaN is missing. */
  readonly history: { readonly timestamps: ArrayLike<number>; readonly values: ArrayLike<number> };
  readonly predictions: readonly {
    readonly timestamp: number;
    readonly quantiles: Readonly<Record<string, number>>;
  }[];
  readonly outcome: readonly OutcomePoint[];
  /** A value that is asked about. */
  readonly mark?: ChartMark | undefined;
}

export interface OutcomePoint {
  readonly timestamp: number;
  readonly actual: number;
  /** Whether the value existed when the forecast was made. */
  readonly replayed?: boolean | undefined;
}

/** One quantile of all predictions. */
export interface QuantileLine {
  readonly level: number;
  readonly values: Float64Array;
}

/** A central interval: the quantiles (1 - share) / 2 and (1 + share) / 2. */
export interface Band {
  readonly share: number;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** The rows of a chart as columns, without rows that have no place in time. */
export interface ChartData {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly steps: Float64Array;
  /** All quantiles, lowest first. */
  readonly quantiles: readonly QuantileLine[];
  /** Widest first. */
  readonly bands: readonly Band[];
  readonly median: Float64Array | null;
  /** Quantiles without a counterpart on the other side of the median. */
  readonly singles: readonly QuantileLine[];
  readonly outcome: readonly OutcomePoint[];
}

/** The last instant that a date can have. */
const MAX_TIME = 8.64e15;

/** Reads the rows of a chart. A value that is not finite is missing. */
export function readChartData(chart: ForecastChart): ChartData {
  const predictions = chart.predictions.filter(({ timestamp }) => isTime(timestamp));
  const lines = readQuantiles(predictions.map(({ quantiles }) => quantiles));
  return {
    ...readHistory(chart.history),
    steps: Float64Array.from(predictions, ({ timestamp }) => timestamp),
    quantiles: lines,
    ...pairQuantiles(lines),
    outcome: chart.outcome
      .filter(({ timestamp, actual }) => isTime(timestamp) && Number.isFinite(actual))
      .map((point) => ({ ...point, actual: readValue(point.actual) }))
      .sort((one, other) => one.timestamp - other.timestamp),
  };
}

function readHistory({ timestamps, values }: ForecastChart['history']): Pick<ChartData, 'times' | 'values'> {
  const kept = new Float64Array(timestamps.length);
  const read = new Float64Array(timestamps.length);
  let count = 0;
  for (let i = 0; i < kept.length; i++) {
    const time = timestamps[i];
    if (time === undefined || !isTime(time)) continue;
    kept[count] = time;
    read[count] = readValue(values[i]);
    count += 1;
  }
  return { times: kept.subarray(0, count), values: read.subarray(0, count) };
}

/** Returns the smallest and the largest value of several columns. Without any value, `high` is below `low`. */
export function rangeOf(columns: readonly Float64Array[]): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const column of columns) {
    for (const value of column) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return { low, high };
}

/** Returns all numbers of several lists, ascending. */
export function sortTogether(...lists: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  // Rows are usually in order, and sorting costs more than looking.
  for (let i = 1; i < all.length; i++) if ((all[i] ?? 0) < (all[i - 1] ?? 0)) return all.sort();
  return all;
}

function isTime(time: number): boolean {
  return Math.abs(time) <= MAX_TIME;
}

function readValue(value: number | undefined): number {
  if (value === undefined || !Number.isFinite(value)) return Number.NaN;
  return Math.max(-MAX_VALUE, Math.min(MAX_VALUE, value));
}

function readQuantiles(predictions: readonly Readonly<Record<string, number>>[]): QuantileLine[] {
  const keys = new Set(predictions.flatMap((quantiles) => Object.keys(quantiles)));
  return [...keys]
    .map((key) => ({ key, level: Number(key) }))
    .filter(({ level }) => level > 0 && level < 1)
    .sort((one, other) => one.level - other.level)
    .map(({ key, level }) => ({
      level,
      values: Float64Array.from(predictions, (quantiles) => readValue(quantiles[key])),
    }));
}

function pairQuantiles(lines: readonly QuantileLine[]): Pick<ChartData, 'bands' | 'median' | 'singles'> {
  // 1 - 0.9 is not exactly 0.1.
  const find = (level: number) => lines.find((line) => Math.abs(line.level - level) < 1e-9);
  const median = find(0.5);
  const bands: Band[] = [];
  const singles: QuantileLine[] = [];
  for (const line of lines) {
    if (line === median) continue;
    const other = find(1 - line.level);
    if (other === undefined) singles.push(line);
    else if (line.level < 0.5) bands.push({ share: 1 - 2 * line.level, low: line.values, high: other.values });
  }
  return { bands, median: median?.values ?? null, singles };
}
