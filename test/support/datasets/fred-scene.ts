import { EARLIEST_INSTANT, LATEST_INSTANT } from '../../../src/calendar/index.ts';
import { createFredAdapter } from '../../../src/datasets/providers/fred/fred-adapter.ts';
import type { EconomicFrequency } from '../../../src/datasets/providers/provider.ts';
import type { AdapterScene, SceneSeries } from './adapter-scene.ts';
import { type FredSeries, startFredServer } from './fred-server.ts';

const KEY = '0f7e4dc0a1b2c3d4e5f60718293a4b5c';
/** Wednesday, 2025-02-12, 12:00 in Chicago. All numbers of the scene are published by then. */
const NOW = Date.UTC(2025, 1, 12, 18);
const PUBLISHED = '2025-02-05';

/** A series of the server: for each observation FRED's date, the value, and the date of the expected row. */
interface Known extends Omit<FredSeries, 'revisions'> {
  readonly offered: EconomicFrequency;
  readonly values: readonly (readonly [date: string, value: number, row: string])[];
}

const MISSING = Number.NaN;

const KNOWN: readonly Known[] = [
  {
    id: 'UNRATE',
    title: 'Unemployment Rate',
    frequency: 'M',
    seasonalAdjustment: 'Seasonally Adjusted',
    popularity: 95,
    offered: '1ME',
    values: [
      ['2023-11-01', 3.7, '2023-11-30'],
      ['2023-12-01', 3.8, '2023-12-31'],
      ['2024-01-01', 3.7, '2024-01-31'],
      ['2024-02-01', 3.9, '2024-02-29'],
      ['2024-03-01', MISSING, '2024-03-31'],
      ['2024-04-01', 3.9, '2024-04-30'],
      ['2024-05-01', -4, '2024-05-31'],
      ['2024-06-01', 0, '2024-06-30'],
      ['2024-07-01', 4.2, '2024-07-31'],
      ['2024-08-01', 4.21, '2024-08-31'],
      ['2024-09-01', 4.1, '2024-09-30'],
      ['2024-10-01', 4.15, '2024-10-31'],
      ['2024-11-01', 4.2, '2024-11-30'],
      ['2024-12-01', 4.1, '2024-12-31'],
    ],
  },
  {
    id: 'GDP',
    title: 'Gross Domestic Product',
    frequency: 'Q',
    units: 'Billions of Dollars',
    seasonalAdjustment: 'Seasonally Adjusted Annual Rate',
    popularity: 93,
    offered: '1QE',
    values: [
      ['2023-10-01', 27_956.998, '2023-12-31'],
      ['2024-01-01', 28_269.174, '2024-03-31'],
      ['2024-04-01', 28_652.337, '2024-06-30'],
      ['2024-07-01', 29_016.714, '2024-09-30'],
      ['2024-10-01', 29_374.914, '2024-12-31'],
    ],
  },
  {
    id: 'DGS10',
    title: 'Market Yield on U.S. Treasury Securities at 10-Year Constant Maturity',
    frequency: 'D',
    popularity: 97,
    offered: '1D',
    values: [
      ['2023-12-29', 3.88, '2023-12-29'],
      ['2024-01-01', MISSING, '2024-01-01'],
      ['2024-01-02', 3.95, '2024-01-02'],
      ['2024-02-28', 4.27, '2024-02-28'],
      ['2024-02-29', 4.25, '2024-02-29'],
      ['2024-03-01', 4.19, '2024-03-01'],
    ],
  },
  {
    id: 'ICSA',
    title: 'Initial Claims',
    frequency: 'W',
    units: 'Number',
    popularity: 80,
    offered: '1W-MON',
    // Weeks end on a Saturday; that of 2021-01-02 is week 53 of 2020.
    values: [
      ['2020-12-26', 782_000, '2020-12-21'],
      ['2021-01-02', 781_000, '2020-12-28'],
      ['2021-01-09', 904_000, '2021-01-04'],
      ['2024-03-02', 217_000, '2024-02-26'],
    ],
  },
  {
    id: 'GNPCA',
    title: 'Real Gross National Product',
    frequency: 'A',
    units: 'Billions of Chained 2017 Dollars',
    popularity: 40,
    offered: '1YE',
    values: [
      ['1929-01-01', 1_202.659, '1929-12-31'],
      ['2000-01-01', 14_142.5, '2000-12-31'],
      ['2023-01-01', 22_843.1, '2023-12-31'],
    ],
  },
];

const UNSUPPORTED = [
  { id: 'TWOWEEKS', frequency: 'BW', name: 'two-weekly' },
  { id: 'HALFYEARS', frequency: 'SA', name: 'half-yearly' },
  { id: 'FIVEYEARS', frequency: '5Y', name: 'five-yearly' },
] as const;

/** Starts a server with a few series of FRED and creates the adapter for it. */
export async function createFredScene(): Promise<AdapterScene> {
  const offered = KNOWN.map(({ offered: _, values, ...series }) => ({
    ...series,
    revisions: values.map(([date, value]) => ({
      date,
      value: Number.isNaN(value) ? null : value,
      published: PUBLISHED,
    })),
  }));
  const others = UNSUPPORTED.map(({ id, frequency }) => ({
    id,
    title: `Series ${id}`,
    frequency,
    revisions: [{ date: '2024-01-01', value: 1, published: PUBLISHED }],
  }));
  const server = await startFredServer({ key: KEY, series: [...offered, ...others], clock: () => NOW });
  return {
    adapter: createFredAdapter({ key: KEY, url: server.url, requestsPerMinute: 120 }),
    server,
    series: KNOWN.map(
      ({ id, offered: frequency, values }): SceneSeries => ({
        selection: { seriesId: id, dimensions: {} },
        frequency,
        rows: values.map(([, value, row]) => [row, value]),
      }),
    ),
    unsupported: UNSUPPORTED.map(({ id, name }) => ({ selection: { seriesId: id, dimensions: {} }, name })),
    unknownId: 'NOSUCHSERIES',
    emptySelection: null,
    key: KEY,
    listed: KNOWN.map(({ id }) => id),
    readReply,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Reads the observations of the monthly series. */
function readReply(text: string): ReadonlyMap<string, number> | null {
  let reply: Readonly<Record<string, unknown>> | null;
  try {
    reply = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof reply !== 'object' || reply === null || !Array.isArray(reply.observations)) return null;
  const { observations } = reply;
  if (reply.units !== 'lin' || reply.offset !== 0 || reply.count !== observations.length) return null;
  const { limit } = reply;
  if (!Number.isInteger(limit) || Number(limit) > 100_000 || Number(limit) < Math.max(observations.length, 1))
    return null;
  const rows = new Map<string, number>();
  let previous = '';
  for (const { date, value } of observations.map((row: unknown) => Object(row))) {
    if (typeof date !== 'string' || typeof value !== 'string' || !isDate(date) || date <= previous) return null;
    previous = date;
    const [year, month] = date.split('-').map(Number) as [number, number];
    const end = new Date(0);
    end.setUTCFullYear(year, month, 0);
    const row = end.toISOString().slice(0, 10);
    const isNumber = /^-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$/.test(value) && Math.abs(Number(value)) < Infinity;
    if (rows.has(row) || (!isNumber && value !== '.')) return null;
    if (Date.parse(date) < EARLIEST_INSTANT || Date.parse(date) > LATEST_INSTANT) continue;
    rows.set(row, value === '.' ? MISSING : Number(value));
  }
  return rows;
}

/** Returns whether a text is a date that exists, such as 2024-02-29. */
function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const instant = Date.parse(text);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}
