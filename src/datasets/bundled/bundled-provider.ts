import type { SeriesDescription, SeriesSpan } from '../../contract/index.ts';
import { readPackageLabel } from '../../platform/index.ts';
import type { ListedSeries, SeriesTable } from '../../snapshots/index.ts';
import { type EconomicProvider, REPORTING_PERIODS } from '../economic-provider.ts';
import { type BundledSeries, NO_DIMENSION, type TablesByMember } from './bundled-series.ts';
import { globalTemperature, maunaLoaCo2 } from './series/climate.ts';
import { dailyWeather } from './series/daily-weather.ts';
import { iowaElectricity } from './series/iowa-electricity.ts';
import { monthlyCloses } from './series/monthly-closes.ts';
import { shiller } from './series/shiller.ts';
import { usCpi } from './series/us-cpi.ts';
import { usEmployment } from './series/us-employment.ts';
import { usUnemployment } from './series/us-unemployment.ts';
import { vix } from './series/vix.ts';

const PROVIDER_ID = 'bundled';

/** Every series that is installed with the service. */
export const BUNDLED_SERIES: readonly BundledSeries[] = [
  shiller,
  usCpi,
  ...usEmployment,
  usUnemployment,
  ...monthlyCloses,
  vix,
  maunaLoaCo2,
  globalTemperature,
  dailyWeather,
  iowaElectricity,
];

/**
 * Creates the provider of the series that are installed with the service. They are real history, available without a
 * network.
 */
export function createBundledEconomicProvider(): EconomicProvider & Required<Pick<EconomicProvider, 'list'>> {
  const byId = new Map(BUNDLED_SERIES.map((series) => [series.id, series]));
  return {
    id: PROVIDER_ID,

    list: () => Promise.all(BUNDLED_SERIES.map(listBundledSeries)),

    async describe(seriesId, _chosen, signal) {
      signal?.throwIfAborted();
      const series = byId.get(seriesId);
      return series === undefined ? null : describeBundledSeries(series);
    },

    async read({ seriesId, dimensions }, signal) {
      signal?.throwIfAborted();
      const series = byId.get(seriesId);
      if (series === undefined) return null;
      const { dimension, frequency } = series;
      const member = dimension === undefined ? NO_DIMENSION : dimensions[dimension.field];
      const table = member === undefined ? undefined : (await series.load()).get(member);
      if (table === undefined) throw new Error(`${seriesId} has no ${dimension?.field} ${JSON.stringify(member)}.`);
      return { table, frequency };
    },
  };
}

async function describeBundledSeries(series: BundledSeries): Promise<SeriesDescription> {
  const [tables, installed] = await Promise.all([series.load(), readPackageLabel(series.package)]);
  const table = firstTable(tables);
  return {
    provider: PROVIDER_ID,
    title: series.title,
    frequency: series.frequency,
    time_field: 'timestamp',
    values: series.values.map(({ field, label, units }) => ({ field, label, units })),
    dimensions: describeDimensions(series, tables),
    units: unitsOf(series),
    span: formatSpan(table),
    rows: table.timestamps.length,
    reporting_period: REPORTING_PERIODS[series.frequency],
    vintage: 'revised',
    publisher: `${series.publisher}, by way of ${installed}`,
    license: { ...series.license },
    notes: series.notes,
  };
}

async function listBundledSeries(series: BundledSeries): Promise<ListedSeries> {
  const tables = await series.load();
  const members = series.dimension === undefined ? [] : [...tables.keys()];
  return {
    source: { type: 'economic_series', provider: PROVIDER_ID, series_id: series.id },
    title: series.title,
    keywords: [series.id, ...series.keywords, series.publisher, ...series.values.map(({ label }) => label), ...members],
    provider: PROVIDER_ID,
    frequency: series.frequency,
    span: formatSpan(firstTable(tables)),
    units: unitsOf(series),
  };
}

function describeDimensions(series: BundledSeries, tables: TablesByMember): SeriesDescription['dimensions'] {
  if (series.dimension === undefined) return [];
  const values = [...tables.keys()].map((member) => ({ value: member, label: member }));
  return [{ ...series.dimension, required: true, values }];
}

/** Returns the table of the first member. All members of a dimension have the same periods. */
function firstTable(tables: TablesByMember): SeriesTable {
  const [table] = tables.values();
  if (table === undefined) throw new Error('A bundled series has no tables.');
  return table;
}

function formatSpan({ timestamps }: SeriesTable): SeriesSpan {
  const [start, end] = [timestamps[0] ?? Number.NaN, timestamps.at(-1) ?? Number.NaN];
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
}

function unitsOf({ values }: BundledSeries): string {
  return values[0]?.units ?? '';
}
