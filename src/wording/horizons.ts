import { type Frequency, isFrequency } from '../calendar/index.ts';
import { formatInteger } from './format.ts';

/** The period of each frequency in words, and horizons that people ask for, the usual one first. */
const HORIZONS: Readonly<Record<Frequency, readonly [period: string, ...suggested: number[]]>> = {
  '1min': ['minute', 30, 60, 90],
  '5min': ['5 minutes', 12, 24, 78],
  '15min': ['15 minutes', 16, 26, 52],
  '30min': ['30 minutes', 13, 26, 48],
  '1h': ['hour', 24, 48, 72],
  '4h': ['4 hours', 12, 30, 42],
  '1D': ['day', 30, 7, 90],
  '1W-MON': ['week', 13, 4, 26],
  '1MS': ['month', 12, 6, 24],
  '1ME': ['month', 12, 6, 24],
  '1QE': ['quarter', 8, 4, 12],
  '1YE': ['year', 5, 3, 10],
};

const TRADING_DAYS = ['trading day', 20, 5, 60] as const;

/** How a form speaks about the horizon of a series. */
export interface HorizonWords {
  /** @example 20 → 20 trading days */
  readonly format: (count: number) => string;
  /** The period in the plural: trading days, months. */
  readonly periods: string;
  /** Horizons to choose from, ascending. */
  readonly suggested: readonly number[];
  readonly usual: number;
}

/**
 * Returns the words for the horizon of a series.
 *
 * @param frequency a frequency that is not known, such as that of a table, has periods
 * @param reportingPeriod of the description; the days of an exchange are its sessions
 * @param max the largest horizon that the plan allows
 */
export function wordHorizon(frequency: string, reportingPeriod: string | null, max: number): HorizonWords {
  const known = isFrequency(frequency);
  const [period, usual, ...others] =
    known && frequency === '1D' && reportingPeriod === 'session'
      ? TRADING_DAYS
      : known
        ? HORIZONS[frequency]
        : (['period', 12, 6, 24] as const);
  const suggested = [usual as number, ...others].filter((count) => count <= max).sort((one, other) => one - other);
  const isMultiple = /^\d/.test(period);
  const periods = isMultiple ? `periods of ${period}` : `${period}s`;
  const format = (count: number): string =>
    isMultiple ? `${formatInteger(count)} × ${period}` : `${formatInteger(count)} ${period}${count === 1 ? '' : 's'}`;
  return { format, periods, suggested, usual: Math.min(usual as number, max) };
}
