import type { Operations, Output } from '../../../../contract/index.ts';
import { formatCount, formatInteger, formatRatio, formatShare } from '../../format.ts';
import { compareLoss } from './describe-forecast.ts';

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

/** Returns the figures of a record as sentences. */
export function describeFigures({ forecasts, rows, relative_wql, compared, coverage }: Figures): string {
  const over = `Over ${formatCount(forecasts, 'forecast')} and ${formatCount(rows, 'row')}`;
  const others = compared === forecasts ? '' : ` (${formatInteger(compared)} of the forecasts can be compared)`;
  const loss =
    relative_wql === null
      ? `${over}, no loss can be compared with the seasonal naive forecast.`
      : `${over}, the loss was ${formatRatio(relative_wql)} of that of the seasonal naive forecast${others}: ${compareLoss(relative_wql)}.`;
  const interval = chooseInterval(coverage);
  if (interval === null) return loss;
  return `${loss} The ${formatShare(interval.nominal)} interval held ${formatShare(interval.share, 0)} of the rows [${formatRange(interval)}].`;
}

/** Says whether an interval kept its promise, as far as the number of rows can tell. */
export function judgeInterval({ nominal, low, high }: Interval): {
  readonly verdict: string;
  readonly isKept: boolean;
} {
  if (nominal < low) return { verdict: 'too wide: it held more than it promises', isKept: false };
  if (nominal > high) return { verdict: 'too narrow: it held less than it promises', isKept: false };
  return { verdict: 'as promised, within the uncertainty', isKept: true };
}

/** Sums up the calibration of all intervals in a sentence. */
export function describeIntervals(coverage: readonly Interval[]): string {
  const counted = coverage.filter(({ rows }) => rows > 0);
  const kept = counted.filter((interval) => judgeInterval(interval).isKept).length;
  if (counted.length === 1) {
    const [only] = counted as [Interval];
    return `The ${formatShare(only.nominal)} interval was ${judgeInterval(only).verdict}.`;
  }
  return `${kept === counted.length ? 'All' : formatInteger(kept)} of ${counted.length} intervals held as often as they promise, within the uncertainty of ${formatCount(Math.max(...counted.map(({ rows }) => rows)), 'row')}.`;
}
