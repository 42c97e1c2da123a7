import {
  type Cadence,
  EARLIEST_INSTANT,
  type Grid,
  gridOf,
  isCompleted,
  isTradingDay,
  LATEST_INSTANT,
  periodStart,
  type SeriesKind,
} from '../calendar/index.ts';
import {
  BAR_COLUMNS,
  type BarColumn,
  type BarQuery,
  type BarTable,
  type DroppedRows,
  type DropReason,
} from './bars.ts';
import type { RawBar } from './providers/provider.ts';

/** The rows to keep: the latest `limit` of the period and the hours. */
export type RowsToKeep = Pick<BarQuery, 'frequency' | 'session' | 'start' | 'end' | 'limit'>;

type Bar = Readonly<Record<BarColumn | 'timestamp', number>>;

export interface CheckedBars {
  readonly bars: BarTable;
  readonly dropped: DroppedRows;
}

/** Rows that were dropped for one reason. */
export interface Drop {
  readonly timestamp: unknown;
  readonly reason: DropReason;
  readonly rows: number;
  /**
   * Whether a correct reply has no such rows. Rows of other periods, of closed days and hours, of bars that may still
   * change, and rows that are repeated are normal.
   */
  readonly isInvalid: boolean;
}

/**
 * The relative tolerance of comparisons: prices in single precision, or computed from adjusted prices, differ slightly.
 */
const TOLERANCE = 1e-9;

/** No real price or volume is as large, and the sums and products of smaller ones stay finite. */
const MAX_PRICE = 1e12;
const MAX_VOLUME = 1e15;

/** A single bar that differs from both of its neighbors by this factor is an error of the provider. */
const SPIKE_FACTOR = 100;

/**
 * Returns the latest `query.limit` valid rows of a provider, oldest first. A row is kept unchanged or dropped, but not
 * repaired. Every dropped row is counted once.
 *
 * @param at the current time in milliseconds; bars that may still change are dropped
 * @param kind 'exchange' for stocks, 'currency' for pairs and metals, 'plain' for instruments that trade at all times
 * @param onDrop called for the dropped rows
 */
export function checkBars(
  raw: readonly RawBar[],
  query: RowsToKeep,
  at: number,
  kind: SeriesKind = 'exchange',
  onDrop: (drop: Drop) => void = () => {},
): CheckedBars {
  const cadence: Cadence = { frequency: query.frequency, kind, hours: query.session };
  const hours = sessionGrid(cadence);
  const dropped: Partial<Record<DropReason, number>> = {};
  const drop = (timestamp: unknown, reason: DropReason, isInvalid: boolean, rows = 1) => {
    dropped[reason] = (dropped[reason] ?? 0) + rows;
    onDrop({ timestamp, reason, rows, isInvalid });
  };
  /** The bar of each timestamp; null if its rows contradict each other, because none of them can be preferred. */
  const found = new Map<number, Bar | null>();
  /** The number of further rows with the same timestamp. */
  const repeated = new Map<number, number>();
  for (const row of raw) {
    const bar = checkBar(row, query, cadence, hours, at);
    if (typeof bar === 'string') {
      drop(row.timestamp, bar, isInvalid(row, bar, cadence));
      continue;
    }
    const other = found.get(bar.timestamp);
    if (other === undefined) {
      found.set(bar.timestamp, bar);
      continue;
    }
    repeated.set(bar.timestamp, (repeated.get(bar.timestamp) ?? 0) + 1);
    if (other !== null && !isSame(bar, other)) found.set(bar.timestamp, null);
  }
  for (const [timestamp, rows] of repeated) {
    const isContradictory = found.get(timestamp) === null;
    drop(timestamp, 'duplicate', isContradictory, isContradictory ? rows + 1 : rows);
  }
  const sorted = [...found.values()].filter((bar) => bar !== null).sort((a, b) => a.timestamp - b.timestamp);
  const bars = withoutSpikes(sorted, ({ timestamp }) => drop(timestamp, 'absurd', true));
  return { bars: tableOf(bars.slice(Math.max(0, bars.length - query.limit))), dropped };
}

function checkBar(row: RawBar, query: RowsToKeep, cadence: Cadence, hours: Grid | null, at: number): Bar | DropReason {
  const { timestamp, open, high, low, close, volume } = row;
  // If a protocol sends numbers as strings, its adapter must parse them.
  if (!isNumber(open) || !isNumber(high) || !isNumber(low) || !isNumber(close) || !isNumber(volume)) {
    return 'not_a_number';
  }
  if (!isNumber(timestamp) || !isOnGrid(timestamp, cadence)) return 'bad_timestamp';
  if (timestamp >= query.end || (query.start !== undefined && timestamp < query.start)) return 'outside_the_request';
  if (hours !== null && isOutside(hours, timestamp)) return 'outside_the_session';
  if (!(open > 0 && high > 0 && low > 0 && close > 0)) return 'not_positive';
  if (high < low) return 'high_below_low';
  const [lowest, highest] = [low * (1 - TOLERANCE), high * (1 + TOLERANCE)];
  if (open < lowest || open > highest || close < lowest || close > highest) return 'outside_high_and_low';
  if (volume < 0) return 'negative_volume';
  if (high > MAX_PRICE || volume > MAX_VOLUME) return 'absurd';
  if (!isCompleted(cadence, timestamp, at)) return 'not_completed';
  return { timestamp, open, high, low, close, volume };
}

function isInvalid({ timestamp }: RawBar, reason: DropReason, { frequency }: Cadence): boolean {
  if (reason === 'outside_the_request' || reason === 'outside_the_session' || reason === 'not_completed') return false;
  // Some providers send a bar of a closed day.
  return reason !== 'bad_timestamp' || !isPeriodStart(timestamp, frequency);
}

/**
 * Drops single bars far above or far below both neighbors, until there are none. A split changes the level of raw
 * prices for good, so that its bars agree with one neighbor. The first and the last bar are not judged.
 */
function withoutSpikes(bars: readonly Bar[], onSpike: (bar: Bar) => void): readonly Bar[] {
  const spikes = new Set(bars.filter((bar, i) => isSpike(bar, bars[i - 1], bars[i + 1])));
  if (spikes.size === 0) return bars;
  for (const bar of spikes) onSpike(bar);
  const kept = bars.filter((bar) => !spikes.has(bar));
  return withoutSpikes(kept, onSpike);
}

function isSpike({ high }: Bar, before: Bar | undefined, after: Bar | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const isAbove = high > SPIKE_FACTOR * before.high && high > SPIKE_FACTOR * after.high;
  return isAbove || (high * SPIKE_FACTOR < before.low && high * SPIKE_FACTOR < after.low);
}

/**
 * Returns the grid of intraday bars within the requested hours; null for daily and longer bars, which have no hours,
 * and for instruments that trade at all times.
 */
function sessionGrid(cadence: Cadence): Grid | null {
  const { frequency, kind } = cadence;
  const isIntraday = frequency !== '1D' && frequency !== '1W-MON' && frequency !== '1MS';
  return kind !== 'plain' && isIntraday ? gridOf(cadence) : null;
}

/** Returns whether a bar is outside the hours. A bar before the first known session or after the last one is not. */
function isOutside(hours: Grid, timestamp: number): boolean {
  return timestamp >= hours.earliest && timestamp <= hours.latest && !hours.contains(timestamp);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isOnGrid(timestamp: number, { frequency, kind }: Cadence): boolean {
  if (!isPeriodStart(timestamp, frequency)) return false;
  return frequency !== '1D' || isTradingDay(timestamp, kind);
}

function isPeriodStart(timestamp: unknown, frequency: Cadence['frequency']): timestamp is number {
  if (typeof timestamp !== 'number' || !Number.isInteger(timestamp)) return false;
  if (timestamp < EARLIEST_INSTANT || timestamp > LATEST_INSTANT) return false;
  return periodStart(frequency, timestamp) === timestamp;
}

function isSame(one: Bar, other: Bar): boolean {
  return BAR_COLUMNS.every((column) => one[column] === other[column]);
}

function tableOf(bars: readonly Bar[]): BarTable {
  // A loop, because Float64Array.from with an iterator and a function takes six times as long.
  const column = (name: keyof Bar) => {
    const numbers = new Float64Array(bars.length);
    for (let i = 0; i < bars.length; i++) numbers[i] = (bars[i] as Bar)[name];
    return numbers;
  };
  return {
    timestamps: column('timestamp'),
    columns: {
      open: column('open'),
      high: column('high'),
      low: column('low'),
      close: column('close'),
      volume: column('volume'),
    },
  };
}
