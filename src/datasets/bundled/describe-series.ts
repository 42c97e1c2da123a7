import type { ReportingFrequency } from '../../calendar/index.ts';
import type { SeriesDescription } from '../../contract/index.ts';
import { sayInstalledPackage } from '../../platform/index.ts';
import type { ListedSeries, SeriesTable } from '../../snapshots/index.ts';
import type { BundledSeries, TablesByMember } from './bundled-series.ts';

/** The provider's id. */
export const BUNDLED = 'bundled';

const REPORTING_PERIODS: Record<ReportingFrequency, SeriesDescription['reporting_period']> = {
  '1D': 'daily',
  '1ME': 'month_end',
  '1QE': 'quarter_end',
  '1YE': 'year_end',
};

export async function describeSeries(series: BundledSeries): Promise<SeriesDescription> {
  const [tables, installed] = await Promise.all([series.load(), sayInstalledPackage(series.package)]);
  const table = firstOf(tables);
  return {
    provider: BUNDLED,
    title: series.title,
    frequency: series.frequency,
    time_field: 'timestamp',
    values: series.values.map(({ field, label, units }) => ({ field, label, units })),
    dimensions: dimensionsOf(series, tables),
    units: unitsOf(series),
    span: spanOf(table),
    rows: table.timestamps.length,
    reporting_period: REPORTING_PERIODS[series.frequency],
    vintage: 'revised',
    publisher: `${series.publisher}, by way of ${installed}`,
    license: { ...series.license },
    notes: series.notes,
  };
}

export async function listSeries(series: BundledSeries): Promise<ListedSeries> {
  const tables = await series.load();
  const members = series.dimension === undefined ? [] : [...tables.keys()];
  return {
    source: { type: 'economic_series', provider: BUNDLED, series_id: series.id },
    title: series.title,
    keywords: [series.id, ...series.keywords, series.publisher, ...series.values.map(({ label }) => label), ...members],
    provider: BUNDLED,
    frequency: series.frequency,
    span: spanOf(firstOf(tables)),
    units: unitsOf(series),
  };
}

function dimensionsOf(series: BundledSeries, tables: TablesByMember): SeriesDescription['dimensions'] {
  if (series.dimension === undefined) return [];
  const values = [...tables.keys()].map((member) => ({ value: member, label: member }));
  return [{ ...series.dimension, required: true, values }];
}

/** All members of a dimension have the same periods, so the first speaks for them. */
function firstOf(tables: TablesByMember): SeriesTable {
  const [table] = tables.values();
  if (table === undefined) throw new Error('A bundled series has no tables.');
  return table;
}

function spanOf({ timestamps }: SeriesTable): SeriesDescription['span'] {
  const [start, end] = [timestamps[0] ?? Number.NaN, timestamps.at(-1) ?? Number.NaN];
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
}

function unitsOf({ values }: BundledSeries): string {
  return values[0]?.units ?? '';
}
