import { createWorldBankAdapter } from '../../../src/datasets/providers/worldbank/worldbank-adapter.ts';
import type { AdapterScene, SceneSeries } from './adapter-scene.ts';
import {
  startWorldBankServer,
  type WorldBankCountry,
  type WorldBankIndicator,
  type WorldBankRow,
} from './worldbank-server.ts';

const COUNTRIES: readonly WorldBankCountry[] = [
  { id: 'ABW', iso2Code: 'AW', name: 'Aruba' },
  { id: 'CHN', iso2Code: 'CN', name: 'China' },
  { id: 'EMU', iso2Code: 'XC', name: 'Euro area' },
  { id: 'FRA', iso2Code: 'FR', name: 'France' },
  { id: 'HIC', iso2Code: 'XD', name: 'High income' },
  { id: 'INX', iso2Code: 'XY', name: 'Not classified' },
  { id: 'LCN', iso2Code: 'ZJ', name: 'Latin America & Caribbean ' },
  { id: 'USA', iso2Code: 'US', name: 'United States' },
];

const WDI = { id: '2', value: 'World Development Indicators' };

/** Returns one row for each year, newest first. */
function yearly(first: number, values: readonly (number | null)[], flags: Readonly<Record<string, string>> = {}) {
  const rows = values.map((value, i): WorldBankRow => {
    const date = String(first + i);
    return [date, value, flags[date] ?? '', flags[date] === undefined ? '' : 'Staff estimate.'];
  });
  return rows.reverse();
}

const GDP_USA = [9062.8, 9631.2, 10251, 10581.9, null, 11456.5, 12217.2, 13039.2, 13815.6, 14474.2, 14769.9, 14478.1];
const GDP_FLAGS = { 2003: 'E', 2009: 'F' };

/** The indicators of the scene: years, quarters and months, archived ones, and codes in each form. */
export const WORLDBANK_INDICATORS: readonly WorldBankIndicator[] = [
  {
    id: 'NY.GDP.MKTP.CD',
    name: 'GDP (current US$)',
    source: WDI,
    note: "GDP at purchaser's prices is the sum of gross value added.\r\nData are in current U.S. dollars.",
    organization: 'Country official statistics;\nStaff estimates, World Bank (WB)',
    topics: ['Economy & Growth', ' Economy & Growth '],
    lastUpdated: '2024-03-28',
    rows: {
      USA: yearly(1998, GDP_USA, GDP_FLAGS),
      EMU: yearly(2019, [13417.5, 13085.2]),
      HIC: yearly(2020, [53418.9, 61020.7]),
    },
  },
  {
    id: 'SL.UEM.TOTL.ZS',
    name: 'Unemployment, total (% of total labor force) (modeled ILO estimate)',
    source: WDI,
    lastUpdated: '2024-03-28',
    rows: { FRA: yearly(2022, [7.3, 7.3]) },
  },
  {
    id: 'DP.DOD.DECD.CR.BC.CD',
    name: 'Gross PSD, Budgetary Central Gov.',
    unit: 'US$',
    source: { id: '20', value: 'Quarterly Public Sector Debt' },
    lastUpdated: '2021-02-01',
    rows: {
      FRA: [
        ['2020Q4', 2.5],
        ['2020Q3', null],
        ['2020Q2', 2.25],
        ['2020Q1', 2],
        ['2019Q4', 1.75],
      ],
    },
  },
  {
    id: 'DPANUSSPF',
    name: 'Exchange rate, new LCU per USD extended backward, period average,,',
    source: { id: '15', value: 'Global Economic Monitor' },
    rows: {
      CHN: [
        ['2024M03', 7.2],
        ['2024M02', 7.19],
        ['2024M01', 7.17],
        ['2023M12', 7.14],
        ['2023M02', 6.84],
      ],
    },
  },
  {
    id: '1.2_ACCESS.ELECTRICITY.RURAL',
    name: 'Access to electricity (% of rural population with access)',
    source: { id: '35', value: 'Sustainable Energy for All' },
    codes: 'id_only',
    refusesFootnotes: true,
    rows: { ABW: yearly(2000, [84.36, null, 86]) },
  },
  { id: 'IC.REG.DURS', name: 'Time required to start a business (days)', source: WDI },
];

const select = (seriesId: string, country: string) => ({ seriesId, dimensions: { country } });
const yearEnds = (first: number, values: readonly (number | null)[]) =>
  values.map((value, i) => [`${first + i}-12-31`, value ?? Number.NaN] as const);

const SERIES: readonly SceneSeries[] = [
  {
    selection: select('NY.GDP.MKTP.CD', 'USA'),
    frequency: '1YE',
    rows: yearEnds(1998, GDP_USA),
    flags: { '2003-12-31': 'E', '2009-12-31': 'F' },
  },
  { selection: select('NY.GDP.MKTP.CD', 'EMU'), frequency: '1YE', rows: yearEnds(2019, [13417.5, 13085.2]) },
  { selection: select('NY.GDP.MKTP.CD', 'HIC'), frequency: '1YE', rows: yearEnds(2020, [53418.9, 61020.7]) },
  {
    selection: select('DP.DOD.DECD.CR.BC.CD', 'FRA'),
    frequency: '1QE',
    rows: [
      ['2019-12-31', 1.75],
      ['2020-03-31', 2],
      ['2020-06-30', 2.25],
      ['2020-09-30', Number.NaN],
      ['2020-12-31', 2.5],
    ],
  },
  {
    selection: select('DPANUSSPF', 'CHN'),
    frequency: '1ME',
    rows: [
      ['2023-02-28', 6.84],
      ['2023-12-31', 7.14],
      ['2024-01-31', 7.17],
      ['2024-02-29', 7.19],
      ['2024-03-31', 7.2],
    ],
  },
  {
    selection: select('1.2_ACCESS.ELECTRICITY.RURAL', 'ABW'),
    frequency: '1YE',
    rows: yearEnds(2000, [84.36, null, 86]),
  },
];

/** Starts a World Bank with a few indicators. */
export async function createWorldBankScene(): Promise<AdapterScene> {
  const server = await startWorldBankServer({
    countries: COUNTRIES,
    indicators: WORLDBANK_INDICATORS,
    withoutLongCode: ['HIC'],
  });
  return {
    adapter: createWorldBankAdapter({ url: server.url, requestsPerMinute: 60 }),
    server,
    series: SERIES,
    unsupported: [],
    unknownId: 'NY.GDP.NONE',
    emptySelection: select('NY.GDP.MKTP.CD', 'INX'),
    key: null,
    listed: WORLDBANK_INDICATORS.map(({ id }) => id),
    readReply,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The shape of a reply that has the rows of `SERIES[0]`. */
interface WireRow {
  readonly indicator?: { readonly id?: unknown } | null;
  readonly countryiso3code?: unknown;
  readonly date?: unknown;
  readonly value?: unknown;
}

const QUARTER_ENDS = ['03-31', '06-30', '09-30', '12-31'];

function readReply(text: string): ReadonlyMap<string, number> | null {
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(reply) || reply.length !== 2) return null;
  const [header, list] = reply as [{ total?: unknown; pages?: unknown } | null, unknown];
  if (list === null) return new Map();
  if (!Array.isArray(list) || Number(header?.total) !== list.length || Number(header?.pages) > 1) return null;
  const found = new Map<string, number>();
  for (const row of list as (WireRow | null)[]) {
    const date = typeof row?.date === 'string' ? lastDay(row.date) : null;
    const isSeries = row?.indicator?.id === 'NY.GDP.MKTP.CD' && row.countryiso3code === 'USA';
    const value = row?.value === null ? Number.NaN : row?.value;
    if (!isSeries || date === null || found.has(date) || typeof value !== 'number') return null;
    if (Math.abs(value) === Number.POSITIVE_INFINITY) return null;
    found.set(date, value);
  }
  const notations = new Set((list as { date: string }[]).map(({ date }) => date.length));
  return notations.size > 1 ? null : found;
}

/** Returns the last day of 2020, 2020Q1 or 2020M01. */
function lastDay(date: string): string | null {
  const [, year, quarter, month] = /^(\d{4})(?:Q([1-4])|M(\d\d))?$/.exec(date) ?? [];
  if (year === undefined) return null;
  if (quarter !== undefined) return `${year}-${QUARTER_ENDS[Number(quarter) - 1]}`;
  if (month === undefined) return `${year}-12-31`;
  if (Number(month) < 1 || Number(month) > 12) return null;
  const day = new Date(`${year}-${month}-01T00:00:00Z`);
  day.setUTCMonth(Number(month), 0);
  return day.toISOString().slice(0, 10);
}
