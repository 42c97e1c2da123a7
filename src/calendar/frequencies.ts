/**
 * The nine bar frequencies, shortest first. Their names are pandas offset aliases, which also state where a period
 * starts.
 */
export const BAR_FREQUENCIES = ['1min', '5min', '15min', '30min', '1h', '4h', '1D', '1W-MON', '1MS'] as const;
export type BarFrequency = (typeof BAR_FREQUENCIES)[number];

/** The reporting periods of economic data: daily, month-end, quarter-end, year-end. */
export const REPORTING_FREQUENCIES = ['1D', '1ME', '1QE', '1YE'] as const;
export type ReportingFrequency = (typeof REPORTING_FREQUENCIES)[number];

/** Every frequency, shortest first. */
export const FREQUENCIES = [...BAR_FREQUENCIES, '1ME', '1QE', '1YE'] as const;
export type Frequency = BarFrequency | ReportingFrequency;

/**
 * Returns whether a string is the exact name of a frequency. `parseTimeframe` also accepts other spellings of the bar
 * frequencies.
 *
 * @example isFrequency('1QE') // true
 */
export function isFrequency(text: string): text is Frequency {
  return (FREQUENCIES as readonly string[]).includes(text);
}

/** The description of a frequency in the response that lists the models. */
export interface FrequencyDescriptor {
  readonly frequency: BarFrequency;
  readonly timeframe: string;
  readonly bucket_timezone: 'UTC';
  readonly calendar_period: null | 'week' | 'month';
  /** Present only for the weekly frequency. */
  readonly week_start?: 'Monday';
  readonly completed_bars_only: true;
  readonly missing_intervals: 'not_filled';
}

const TIMEFRAME_OF: Record<BarFrequency, string> = {
  '1min': '1Min',
  '5min': '5Min',
  '15min': '15Min',
  '30min': '30Min',
  '1h': '1Hour',
  '4h': '4Hour',
  '1D': '1Day',
  '1W-MON': '1Week',
  '1MS': '1Month',
};

/** The descriptors of the nine bar frequencies, in the order of `BAR_FREQUENCIES`. */
export const FREQUENCY_DESCRIPTORS: readonly FrequencyDescriptor[] = BAR_FREQUENCIES.map((frequency) =>
  Object.freeze({
    frequency,
    timeframe: TIMEFRAME_OF[frequency],
    bucket_timezone: 'UTC',
    calendar_period: frequency === '1W-MON' ? 'week' : frequency === '1MS' ? 'month' : null,
    ...(frequency === '1W-MON' ? { week_start: 'Monday' as const } : {}),
    completed_bars_only: true,
    missing_intervals: 'not_filled',
  }),
);
