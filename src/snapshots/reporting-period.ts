import type { Frequency } from '../calendar/index.ts';
import type { SeriesDescription } from '../contract/index.ts';

const REPORTING_PERIODS: Partial<Record<Frequency, SeriesDescription['reporting_period']>> = {
  '1D': 'daily',
  '1W-MON': 'week',
  '1MS': 'month',
  '1ME': 'month_end',
  '1QE': 'quarter_end',
  '1YE': 'year_end',
};

/** Returns the period that a row of a plain series reports on. */
export function reportingPeriodOf(frequency: Frequency): SeriesDescription['reporting_period'] {
  return REPORTING_PERIODS[frequency] ?? 'interval';
}
