import type { SceneSeries } from './adapter-scene.ts';
import type { DbnomicsDataset, DbnomicsObservation, DbnomicsPublisher, DbnomicsSeries } from './dbnomics-server.ts';

// The publishers of the scene. Each row of a series is an observation with the date that its row has.

type Row = readonly [
  period: string,
  startDay: string,
  date: string,
  value: number | 'NA' | null,
  status?: string | null,
];

interface SourceSeries extends Omit<DbnomicsSeries, 'observations'> {
  readonly rows: readonly Row[];
}

const PRICE_LABELS = {
  attributes_labels: { OBS_STATUS: 'Observation status' },
  attributes_values_labels: { OBS_STATUS: { A: 'Normal value', P: 'Provisional value', E: 'Estimated value' } },
  dimensions_codes_order: ['FREQ', 'REF_AREA', 'UNIT_MEASURE', 'ADJUSTMENT'],
  dimensions_labels: {
    ADJUSTMENT: 'Adjustment indicator',
    FREQ: 'Frequency',
    REF_AREA: 'Reference area',
    UNIT_MEASURE: 'Unit of measure',
  },
  dimensions_values_labels: {
    ADJUSTMENT: { N: 'Neither seasonally nor working day adjusted', Y: 'Seasonally adjusted' },
    FREQ: { M: 'Monthly', Q: 'Quarterly', H: 'Half-yearly', B: 'Daily - businessweek' },
    // A list, because its order matters.
    REF_AREA: [
      ['U2', 'Euro area'],
      ['FR', 'France'],
      ['DE', null],
    ],
    UNIT_MEASURE: { IX: 'Index, 2015 = 100' },
  },
};

function price(FREQ: string, REF_AREA: string): Pick<SourceSeries, 'code' | 'name' | 'dimensions'> {
  const dimensions = { FREQ, REF_AREA, UNIT_MEASURE: 'IX', ADJUSTMENT: 'N' };
  return { code: Object.values(dimensions).join('.'), name: `Prices – ${FREQ} – ${REF_AREA}`, dimensions };
}

export const MONTHLY: SourceSeries = {
  ...price('M', 'FR'),
  frequency: 'monthly',
  statusAttribute: 'OBS_STATUS',
  attributes: { UNIT_MULT: '0' },
  rows: [
    ['2023-11', '2023-11-01', '2023-11-30', 117.4, 'A'],
    ['2023-12', '2023-12-01', '2023-12-31', 117.5, 'A'],
    ['2024-01', '2024-01-01', '2024-01-31', 117.27, 'A'],
    ['2024-02', '2024-02-01', '2024-02-29', 118.39, 'A'],
    ['2024-03', '2024-03-01', '2024-03-31', 118.6, null],
    ['2024-04', '2024-04-01', '2024-04-30', 'NA', 'A'],
    ['2024-05', '2024-05-01', '2024-05-31', 119.1, ''],
    ['2024-06', '2024-06-01', '2024-06-30', 119.24, 'E'],
    ['2024-07', '2024-07-01', '2024-07-31', 119.5, 'A'],
    ['2024-11', '2024-11-01', '2024-11-30', 119.17, 'A'],
    ['2024-12', '2024-12-01', '2024-12-31', 119.4, 'PE'],
    ['2025-01', '2025-01-01', '2025-01-31', 119.2, 'P'],
    ['2025-02', '2025-02-01', '2025-02-28', 119.3, 'P'],
  ],
};

export const QUARTERLY: SourceSeries = {
  ...price('Q', 'FR'),
  frequency: 'quarterly',
  statusAttribute: 'OBS_STATUS',
  rows: [
    ['2023-Q4', '2023-10-01', '2023-12-31', 117.1, 'P'],
    ['2024-Q1', '2024-01-01', '2024-03-31', 118, 'P'],
    ['2024-Q2', '2024-04-01', '2024-06-30', null, 'P'],
    ['2024-Q3', '2024-07-01', '2024-09-30', -0.5, 'P'],
  ],
};

export const HALF_YEARLY: SourceSeries = {
  ...price('H', 'FR'),
  frequency: 'bi-annual',
  rows: [
    ['2023-S2', '2023-07-01', '2023-12-31', 117.1],
    ['2024-S1', '2024-01-01', '2024-06-30', 118],
  ],
};

export const DAILY: SourceSeries = {
  ...price('B', 'U2'),
  frequency: 'daily',
  rows: [
    ['2023-12-29', '2023-12-29', '2023-12-29', 3.1],
    ['2024-02-28', '2024-02-28', '2024-02-28', 3.2],
    ['2024-02-29', '2024-02-29', '2024-02-29', 'NA'],
    ['2024-03-01', '2024-03-01', '2024-03-01', 3.4],
    ['2024-12-31', '2024-12-31', '2024-12-31', 0],
  ],
};

/** DBnomics calls this series daily, because the distance of its first two days is not a month. */
export const MONTH_ENDS: SourceSeries = {
  ...price('M', 'U2'),
  frequency: 'daily',
  rows: [
    ['2024-01-31', '2024-01-31', '2024-01-31', 10],
    ['2024-02-29', '2024-02-29', '2024-02-29', 11],
    ['2024-03-29', '2024-03-29', '2024-03-31', 12],
  ],
};

/** The forecasts of AMECO reach into the future. */
export const YEARLY: SourceSeries = {
  code: 'DNK.1.0.0.0.ZUTN',
  name: 'Unemployment rate – Denmark',
  dimensions: { geo: 'dnk', unit: 'percentage' },
  frequency: 'annual',
  rows: [
    ['1985', '1985-01-01', '1985-12-31', 'NA'],
    ['1999', '1999-01-01', '1999-12-31', 5.2],
    ['2000', '2000-01-01', '2000-12-31', 4.3],
    ['2024', '2024-01-01', '2024-12-31', 6.2],
    ['2027', '2027-01-01', '2027-12-31', 6.1],
  ],
};

export const TWO_MONTHLY: SourceSeries = {
  code: 'two months/1',
  name: 'A series with a slash',
  dimensions: {},
  frequency: 'bi-monthly',
  rows: [
    ['2024-B1', '2024-01-01', '2024-02-29', 1],
    ['2024-B6', '2024-11-01', '2024-12-31', 2],
  ],
};

export const WEEKLY: SourceSeries = {
  code: 'W.IN',
  name: 'Claims',
  dimensions: { indicator: 'claims', place: 'IN' },
  frequency: 'weekly',
  rows: [
    ['2020-W52', '2020-12-21', '2020-12-21', 700],
    ['2020-W53', '2020-12-28', '2020-12-28', 710],
    ['2021-W01', '2021-01-04', '2021-01-04', null],
    ['2021-W02', '2021-01-11', '2021-01-11', 720],
    ['2024-W09', '2024-02-26', '2024-02-26', 730],
    ['2025-W01', '2024-12-30', '2024-12-30', 740],
  ],
};

/** DBnomics keeps days that are not Mondays. */
export const FRIDAYS: SourceSeries = {
  code: 'W.OUT',
  name: 'Fridays',
  dimensions: { indicator: 'claims', place: 'OUT' },
  frequency: 'weekly',
  rows: [
    ['2021-01-01', '2021-01-01', '2020-12-28', 1.5],
    ['2021-01-08', '2021-01-08', '2021-01-04', 1.6],
  ],
};

export const QUARTER_ENDS: SourceSeries = {
  code: 'Q.OUT',
  name: 'Ends of quarters',
  dimensions: { indicator: 'loans', place: 'OUT' },
  frequency: 'quarterly',
  rows: [
    ['1919-03-31', '1919-03-31', '1919-03-31', 1],
    ['1919-06-30', '1919-06-30', '1919-06-30', 2],
    ['1919-09-30', '1919-09-30', '1919-09-30', 3],
  ],
};

function dataset(
  code: string,
  name: string,
  series: readonly SourceSeries[],
  fields: DbnomicsDataset['fields'],
): DbnomicsDataset {
  return {
    code,
    name,
    fields,
    series: series.map(({ rows, ...rest }) => ({
      ...rest,
      observations: rows.map(([period, startDay, , ...rest]): DbnomicsObservation => [period, startDay, ...rest]),
    })),
  };
}

const PRICES = [MONTHLY, QUARTERLY, HALF_YEARLY, DAILY, MONTH_ENDS];
const INDICATORS = [WEEKLY, FRIDAYS, QUARTER_ENDS];

export const PUBLISHERS: readonly DbnomicsPublisher[] = [
  {
    code: 'AMECO',
    name: 'Annual macro-economic database of the European Commission',
    datasets: [
      {
        ...dataset('ZUTN', 'Unemployment rate, total', [YEARLY], {
          dimensions_codes_order: ['geo', 'unit'],
          dimensions_labels: { geo: 'Country', unit: 'Unit' },
          dimensions_values_labels: { geo: { dnk: 'Denmark' }, unit: { percentage: 'Percentage of labor force' } },
        }),
        description: 'The number of unemployed persons as a percentage of the labor force.',
      },
    ],
  },
  {
    code: 'ECB',
    name: 'European Central Bank',
    datasets: [
      dataset('ICP', 'Indices of consumer prices', PRICES, PRICE_LABELS),
      dataset('LOOSE', 'Series without dimensions', [TWO_MONTHLY, { ...TWO_MONTHLY, code: 'other' }], {}),
      dataset('WEO:2024-10', 'Outlook of October 2024', [], {}),
      dataset('WEO:2025-04', 'Outlook of April 2025', [YEARLY], {}),
    ],
    categoryTree: [
      {
        code: null,
        name: 'Prices',
        children: [
          { code: 'ICP', name: 'Indices of consumer prices', nb_series: 5 },
          { name: 'Empty', children: [] },
        ],
      },
      {
        name: 'All',
        children: [
          { code: 'ICP', name: 'Prices under another name' },
          { code: 'LOOSE', name: null },
          { code: 'WEO:2025-04', name: 'Outlook of April 2025' },
        ],
      },
      { code: null, name: 'Planned' },
      { code: 'WITH/SLASH', name: 'Not a part of a series id' },
    ],
  },
  // A publisher without labels of values.
  {
    code: 'STATES',
    name: 'STATES',
    datasets: [
      dataset('claims', 'Claims and loans', INDICATORS, {
        dimensions_codes_order: ['place'],
        dimensions_labels: { indicator: 'Indicator' },
      }),
    ],
  },
  { code: 'EMPTY', name: 'A publisher without data sets', datasets: [], categoryTree: null },
];

/** Returns the expected rows of a series. */
export function sceneSeries(
  seriesId: string,
  frequency: SceneSeries['frequency'],
  { rows, dimensions }: SourceSeries,
  flags?: SceneSeries['flags'],
): SceneSeries {
  const isOne = seriesId.split('/').length > 2;
  return {
    selection: { seriesId, dimensions: isOne ? {} : dimensions },
    frequency,
    rows: rows.map(([, , date, value]) => [date, typeof value === 'number' ? value : Number.NaN]),
    ...(flags !== undefined && { flags }),
  };
}
