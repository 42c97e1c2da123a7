import type { Frequency } from '../../../calendar/index.ts';
import type { SeriesDescription, WorkspaceCsvReference } from '../../../contract/index.ts';
import type { CsvFileRow } from '../tables.ts';
import type { CollectedRows } from './ordered-rows.ts';

export const PROVIDER = 'workspace';

const REPORTING_PERIODS: Partial<Record<Frequency, SeriesDescription['reporting_period']>> = {
  '1W-MON': 'week',
  '1MS': 'month',
  '1ME': 'month_end',
  '1QE': 'quarter_end',
  '1YE': 'year_end',
};

/** What a series of a file is, in the words of those that search finds. */
export function describeSeries(
  { value_field }: WorkspaceCsvReference,
  file: CsvFileRow,
  { times }: CollectedRows,
  frequency: Frequency,
): SeriesDescription {
  const instant = (time: number | undefined) => new Date(time ?? Number.NaN).toISOString();
  return {
    provider: PROVIDER,
    title: file.name,
    frequency,
    time_field: 'timestamp',
    values: [{ field: value_field, label: value_field, units: '' }],
    dimensions: [],
    units: '',
    span: { start: instant(times[0]), end: instant(times.at(-1)) },
    rows: times.length,
    reporting_period: REPORTING_PERIODS[frequency] ?? 'daily',
    vintage: 'revised',
    publisher: PROVIDER,
    license: { name: 'of the workspace', url: null },
    notes: null,
  };
}
