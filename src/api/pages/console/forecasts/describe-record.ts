import type { Operations, Output } from '../../../../contract/index.ts';
import { formatCount, formatInteger, formatRatio, formatShare } from '../../format.ts';

export type Record = Output<Operations['readTrackRecord']>;
export type Figures = Omit<Record['ensemble'], 'deciles' | 'bands'>;
export type Interval = Figures['coverage'][number];

/** The interval that sentences name if the forecasts have it. Otherwise they name the widest one. */
const USUAL = 0.8;

/** Chooses the interval that sentences and short tables name; null if there is none. */
export function chooseInterval(coverage: readonly Interval[]): Interval | null {
  const counted = coverage.filter(({ rows }) => rows > 0);
  const usual = counted.find(({ nominal }) => Math.abs(nominal - USUAL) < 1e-9);
  return usual ?? counted.toSorted((one, other) => other.nominal - one.nominal)[0] ?? null;
}

/** @example formatRange({ low: 0.74, high: 0.83 }) // 74–83% */
export function formatRange({ low, high }: Pick<Interval, 'low' | 'high'>): string {
  return `${formatShare(low, 0).slice(0, -1)}–${formatShare(high, 0)}`;
}

/** Returns the figures of a record as a sentence. */
export function describeFigures({ forecasts, rows, relative_wql, compared, coverage }: Figures): string {
  const over = `Over ${formatCount(forecasts, 'forecast')} and ${formatCount(rows, 'row')}`;
  const others = compared === forecasts ? '' : ` (${formatInteger(compared)} of the forecasts can be compared)`;
  const loss =
    relative_wql === null
      ? `${over}, no loss can be compared with the seasonal naive forecast`
      : `${over}, the loss was ${formatRatio(relative_wql)} of that of the seasonal naive forecast, ${rateLoss(relative_wql)}${others}`;
  const interval = chooseInterval(coverage);
  if (interval === null) return `${loss}.`;
  return `${loss}; the ${formatShare(interval.nominal)} interval held ${formatShare(interval.share, 0)} of the rows [${formatRange(interval)}].`;
}

function rateLoss(relative: number): string {
  const percent = formatShare(Math.abs(1 - relative), 0);
  if (percent === '0%') return 'which is about equal';
  return `which is ${percent} ${relative < 1 ? 'better' : 'worse'}`;
}

/** Returns whether an interval kept its promise, as far as the number of rows can tell. */
export function judgeInterval({ nominal, low, high }: Interval): 'too wide' | 'too narrow' | 'as promised' {
  if (nominal < low) return 'too wide';
  return nominal > high ? 'too narrow' : 'as promised';
}

/** Sums up the calibration of all intervals in a sentence. */
export function describeIntervals(coverage: readonly Interval[]): string {
  const counted = coverage.filter(({ rows }) => rows > 0);
  const [first] = counted;
  if (first === undefined) return 'No forecast states an interval.';
  if (counted.length === 1) return `The ${formatShare(first.nominal)} interval was ${judgeInterval(first)}.`;
  const kept = counted.filter((interval) => judgeInterval(interval) === 'as promised').length;
  const many = kept === counted.length ? `All ${kept}` : `${kept === 0 ? 'None' : kept} of ${counted.length}`;
  const rows = formatCount(Math.max(...counted.map((interval) => interval.rows)), 'row');
  return `${many} intervals held as often as they promise, within the uncertainty of ${rows}.`;
}
