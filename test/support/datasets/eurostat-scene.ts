import { createEurostatAdapter } from '../../../src/datasets/providers/eurostat/eurostat-adapter.ts';
import type { AdapterScene, SceneSeries } from './adapter-scene.ts';
import { type EurostatDataSet, startEurostatServer } from './eurostat-server.ts';

const GEO = { id: 'geo', label: 'Geopolitical entity (reporting)', values: { FR: 'France', DE: 'Germany' } };
const freq = (values: Readonly<Record<string, string>>) => ({ id: 'freq', label: 'Time frequency', values });
const unit = (values: Readonly<Record<string, string>>) => ({ id: 'unit', label: 'Unit of measure', values });

/** Months over two ends of a year and a leap day, with a missing value and a flag. */
const HICP: EurostatDataSet = {
  code: 'prc_hicp_midx',
  title: 'HICP - monthly data (index)',
  dimensions: [
    freq({ M: 'Monthly' }),
    unit({ I15: 'Index, 2015=100', I05: 'Index, 2005=100' }),
    { id: 'coicop', label: 'Classification of consumption', values: { CP00: 'All-items HICP', CP01: 'Food' } },
    GEO,
  ],
  periods: [
    ...['2023-11', '2023-12', '2024-01', '2024-02', '2024-03', '2024-04', '2024-05', '2024-06', '2024-07', '2024-08'],
    ...['2024-09', '2024-10', '2024-11', '2024-12'],
  ],
  cells: {
    'M.I15.CP00.FR': {
      '2023-11': 119.33,
      '2023-12': 119.45,
      '2024-01': 119.2,
      '2024-02': 120.25,
      '2024-03': 120.51,
      '2024-05': 121.2,
      '2024-06': 121.4,
      '2024-07': 121.63,
      '2024-08': 122.29,
      '2024-09': 120.8,
      '2024-10': 121.09,
      '2024-11': 120.97,
      '2024-12': 121.18,
    },
    'M.I05.CP01.DE': { '2024-01': 131.1 },
  },
  flags: { 'M.I15.CP00.FR': { '2024-11': 'p', '2024-12': 'e' } },
  updated: '2025-01-17T11:00:00+0100',
  folders: [
    ['Economy and finance', 'Prices'],
    ['Euro indicators', 'Harmonised indices'],
  ],
};

/** Quarters and years in one data set: each frequency has its own periods. */
const GDP: EurostatDataSet = {
  code: 'nama_10_gdp',
  title: 'Gross domestic product (GDP) and main components',
  dimensions: [
    freq({ A: 'Annual', Q: 'Quarterly' }),
    unit({ CP_MEUR: 'Current prices, million euro' }),
    { id: 'na_item', label: 'National accounts indicator', values: { B1GQ: 'Gross domestic product' } },
    GEO,
  ],
  periods: ['2022', '2022-Q4', '2023', '2023-Q1', '2023-Q2', '2023-Q3', '2023-Q4', '2024', '2024-Q1'],
  cells: {
    'A.CP_MEUR.B1GQ.FR': { 2022: 2_653_997, 2023: 2_826_542, 2024: 2_920_000.5 },
    'Q.CP_MEUR.B1GQ.FR': { '2022-Q4': 683_000, '2023-Q2': 703_010, '2023-Q3': 0, '2023-Q4': -5.5, '2024-Q1': 719_000 },
  },
};

/** Weeks of a year with 53 of them, and one whose number is not known. */
const DEATHS: EurostatDataSet = {
  code: 'demo_r_mwk_ts',
  title: 'Deaths by week and sex',
  dimensions: [freq({ W: 'Weekly' }), { id: 'sex', label: 'Sex', values: { T: 'Total' } }, unit({ NR: 'Number' }), GEO],
  periods: ['2019-W52', '2020-W01', '2020-W52', '2020-W53', '2020-W99', '2021-W01'],
  cells: { 'W.T.NR.FR': { '2019-W52': 12_500, '2020-W01': 12_900, '2020-W53': 13_100, '2021-W01': 13_400 } },
};

/** Days around a leap day and an end of a year, and half-years. */
const RATES: EurostatDataSet = {
  code: 'irt_st_d',
  title: 'Money market interest rates',
  dimensions: [freq({ D: 'Daily', S: 'Half-yearly, semesterly' }), GEO],
  periods: ['2023-12-29', '2023-12-31', '2024-01-02', '2024-02-28', '2024-02-29', '2024-03-01', '2024-S1', '2024-S2'],
  cells: {
    'D.FR': { '2023-12-29': 3.9, '2023-12-31': 3.88, '2024-01-02': 3.9, '2024-02-29': 3.91, '2024-03-01': 3.91 },
    'S.FR': { '2024-S1': 3.8, '2024-S2': 3.5 },
  },
  type: 'table',
};

const HICP_ROWS: SceneSeries['rows'] = [
  ['2023-11-30', 119.33],
  ['2023-12-31', 119.45],
  ['2024-01-31', 119.2],
  ['2024-02-29', 120.25],
  ['2024-03-31', 120.51],
  ['2024-04-30', Number.NaN],
  ['2024-05-31', 121.2],
  ['2024-06-30', 121.4],
  ['2024-07-31', 121.63],
  ['2024-08-31', 122.29],
  ['2024-09-30', 120.8],
  ['2024-10-31', 121.09],
  ['2024-11-30', 120.97],
  ['2024-12-31', 121.18],
];

const SERIES: readonly SceneSeries[] = [
  {
    selection: { seriesId: HICP.code, dimensions: { freq: 'M', unit: 'I15', coicop: 'CP00', geo: 'FR' } },
    frequency: '1ME',
    rows: HICP_ROWS,
    flags: { '2024-11-30': 'p', '2024-12-31': 'e' },
  },
  {
    selection: { seriesId: `${GDP.code}/A.CP_MEUR.B1GQ.FR`, dimensions: {} },
    frequency: '1YE',
    rows: [
      ['2022-12-31', 2_653_997],
      ['2023-12-31', 2_826_542],
      ['2024-12-31', 2_920_000.5],
    ],
  },
  {
    selection: { seriesId: GDP.code, dimensions: { freq: 'Q', unit: 'CP_MEUR', na_item: 'B1GQ', geo: 'FR' } },
    frequency: '1QE',
    rows: [
      ['2022-12-31', 683_000],
      ['2023-03-31', Number.NaN],
      ['2023-06-30', 703_010],
      ['2023-09-30', 0],
      ['2023-12-31', -5.5],
      ['2024-03-31', 719_000],
    ],
  },
  {
    selection: { seriesId: DEATHS.code, dimensions: { freq: 'W', sex: 'T', unit: 'NR', geo: 'FR' } },
    frequency: '1W-MON',
    rows: [
      ['2019-12-23', 12_500],
      ['2019-12-30', 12_900],
      ['2020-12-21', Number.NaN],
      ['2020-12-28', 13_100],
      ['2021-01-04', 13_400],
    ],
  },
  {
    selection: { seriesId: RATES.code, dimensions: { freq: 'D', geo: 'FR' } },
    frequency: '1D',
    rows: [
      ['2023-12-29', 3.9],
      ['2023-12-31', 3.88],
      ['2024-01-02', 3.9],
      ['2024-02-28', Number.NaN],
      ['2024-02-29', 3.91],
      ['2024-03-01', 3.91],
    ],
  },
];

/** Starts the scene of Eurostat. */
export async function createEurostatScene(): Promise<AdapterScene> {
  const dataSets = [HICP, GDP, DEATHS, RATES];
  const server = await startEurostatServer({ dataSets });
  return {
    adapter: createEurostatAdapter({ url: server.url, requestsPerMinute: 60 }),
    server,
    series: SERIES,
    unsupported: [
      { selection: { seriesId: RATES.code, dimensions: { freq: 'S', geo: 'FR' } }, name: 'half-yearly' },
      { selection: { seriesId: `${RATES.code}/S.FR`, dimensions: {} }, name: 'half-yearly' },
    ],
    unknownId: 'prc_hicp_none',
    emptySelection: { seriesId: HICP.code, dimensions: { freq: 'M', unit: 'I15', coicop: 'CP01', geo: 'DE' } },
    key: null,
    listed: dataSets.map(({ code }) => code),
    readReply,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const MONTH = /^(\d{4})(?:-M?|M)(0[1-9]|1[0-2])$/;
const OTHER_PERIOD = /^\d{4}(-A1|-?[SH][12]|-?Q[1-4]|-?B[1-6]|-?W\d\d|-\d\d-\d\d)?$/;

/** Reads the months of a reply, which must be a cube with the four chosen values and one cell for each month. */
function readReply(text: string): ReadonlyMap<string, number> | null {
  try {
    const { class: kind, label, id, size, dimension, value, status = {}, extension } = JSON.parse(text);
    const chosen = Object.entries(SERIES[0]?.selection.dimensions ?? {});
    const isChosen = chosen.every(([field, code]) => {
      const at = id.indexOf(field);
      return at !== -1 && size[at] === 1 && isDeepEqual(dimension[field].category.index, { [code]: 0 });
    });
    const isOther = extension?.id !== undefined && extension.id !== HICP.code.toUpperCase();
    const months: [string, unknown][] = Object.entries(dimension.time.category.index);
    const positions = months.map(([, position]) => position);
    const isWhole = new Set(positions).size === months.length && positions.every((at) => isWithin(at, months.length));
    const isCube =
      kind === 'dataset' && typeof label === 'string' && label.trim() !== '' && id.length === 5 && size.length === 5;
    if (!isCube || !isChosen || isOther || !isWhole || size[id.indexOf('time')] !== months.length) return null;
    if (![value, status].every((cells) => isCells(cells, months.length))) return null;
    if (Object.values(status).some((flag) => typeof flag !== 'string' || flag.length > 16)) return null;
    const keys = [...Object.keys(value), ...Object.keys(status)];
    if (keys.some((key) => String(Number(key)) !== key || !isWithin(Number(key), months.length))) return null;
    const rows = new Map<string, number>();
    for (const [month, position] of months) {
      const cell = value[position as number] ?? null;
      if (cell !== null && cell !== ':' && !Number.isFinite(cell)) return null;
      const hasCell = cell !== null || Object.hasOwn(status, String(position));
      // A data set with several frequencies lists the periods of all of them.
      if (!hasCell && OTHER_PERIOD.test(month)) continue;
      const [, year, part] = MONTH.exec(month) ?? [];
      if (year === undefined) return null;
      if (Number(year) < 1800 || Number(year) > 2200) continue;
      const end = new Date(Date.UTC(Number(year), Number(part), 0)).toISOString().slice(0, 10);
      if (rows.has(end)) return null;
      rows.set(end, typeof cell === 'number' ? cell : Number.NaN);
    }
    // A series without values and flags does not exist.
    const exists = [...rows.values()].some((one) => !Number.isNaN(one)) || Object.keys(status).length > 0;
    return exists ? rows : null;
  } catch {
    return null;
  }
}

function isWithin(position: unknown, count: number): boolean {
  return Number.isInteger(position) && (position as number) >= 0 && (position as number) < count;
}

function isCells(cells: unknown, count: number): boolean {
  return Array.isArray(cells) ? cells.length === count : typeof cells === 'object' && cells !== null;
}

function isDeepEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
