import { createEcbAdapter } from '../../../src/datasets/providers/ecb/ecb-adapter.ts';
import type { Selection } from '../../../src/datasets/providers/provider.ts';
import type { AdapterScene, SceneSeries } from './adapter-scene.ts';
import { ECB_FLOWS, ECB_SERIES } from './ecb-data.ts';
import { ECB_PATH, startEcbServer } from './ecb-server.ts';

const dollar = (FREQ: string, CURRENCY_DENOM = 'EUR'): Selection => ({
  seriesId: 'EXR',
  dimensions: { FREQ, CURRENCY: 'USD', CURRENCY_DENOM, EXR_TYPE: 'SP00', EXR_SUFFIX: 'A' },
});

const DAILY: SceneSeries = {
  selection: dollar('D'),
  frequency: '1D',
  rows: [
    ['2023-12-28', 1.1114],
    ['2023-12-29', 1.105],
    ['2024-01-01', Number.NaN],
    ['2024-01-02', 1.0956],
    ['2024-01-03', 1.0919],
    ['2024-01-04', 1.0953],
    ['2024-02-28', 1.0808],
    ['2024-02-29', 1.0826],
    ['2024-03-01', 1.0834],
    ['2024-03-28', 1.0811],
    ['2024-03-29', Number.NaN],
    ['2024-04-02', 1.0749],
  ],
  flags: { '2024-01-01': 'H', '2024-01-03': 'E', '2024-03-29': 'H' },
};

const SERIES: readonly SceneSeries[] = [
  DAILY,
  { ...DAILY, selection: { seriesId: 'EXR/D.USD.EUR.SP00.A', dimensions: {} } },
  {
    selection: dollar('A'),
    frequency: '1YE',
    rows: [
      ['2022-12-31', 1.05304770428016],
      ['2023-12-31', 1.0812705882353],
      ['2024-12-31', 1.08238125],
    ],
  },
  {
    selection: { seriesId: 'ICP/M.U2.N.000000.4.ANR', dimensions: {} },
    frequency: '1ME',
    rows: [
      ['2023-12-31', 2.9],
      ['2024-01-31', 2.8],
      ['2024-02-29', Number.NaN],
      ['2024-03-31', 2.4],
    ],
    flags: { '2024-02-29': 'L', '2024-03-31': 'P' },
  },
  {
    selection: { seriesId: 'MNA', dimensions: { FREQ: 'Q', ADJUSTMENT: 'Y', REF_AREA: 'U2', UNIT_MEASURE: 'EUR' } },
    frequency: '1QE',
    rows: [
      ['2023-12-31', 3654321.5],
      ['2024-03-31', 3680000],
      ['2024-06-30', 3701234],
    ],
    flags: { '2024-06-30': 'P' },
  },
  {
    selection: { seriesId: 'ILM', dimensions: { FREQ: 'W', REF_AREA: 'U2', BS_ITEM: 'A010000' } },
    frequency: '1W-MON',
    rows: [
      ['2020-12-21', 559260],
      ['2020-12-28', 536542],
      ['2021-01-04', 536542],
    ],
  },
  {
    selection: { seriesId: 'ILM/B.U2.T000000', dimensions: {} },
    frequency: '1D',
    rows: [
      ['2020-12-30', -0.5],
      ['2020-12-31', -0.01],
    ],
  },
];

/** Starts the scene of the ECB Data Portal. */
export async function createEcbScene(): Promise<AdapterScene> {
  const server = await startEcbServer({ flows: ECB_FLOWS, series: ECB_SERIES });
  return {
    adapter: createEcbAdapter({ url: `${server.url}${ECB_PATH}`, requestsPerMinute: 60 }),
    server,
    series: SERIES,
    unsupported: [
      { selection: { seriesId: 'SAFE', dimensions: { FREQ: 'H', REF_AREA: 'U2' } }, name: 'half-yearly' },
      { selection: { seriesId: 'SAFE/H.U2', dimensions: {} }, name: 'half-yearly' },
    ],
    unknownId: 'NONE',
    emptySelection: dollar('D', 'USD'),
    key: null,
    listed: ECB_FLOWS.map(({ id }) => id),
    readReply,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const EXPECTED = new Map([
  ['KEY', 'EXR.D.USD.EUR.SP00.A'],
  ['FREQ', 'D'],
  ['CURRENCY', 'USD'],
  ['CURRENCY_DENOM', 'EUR'],
  ['EXR_TYPE', 'SP00'],
  ['EXR_SUFFIX', 'A'],
]);

/** Reads the rows of a reply for the first series with a parser of its own. */
function readReply(text: string): ReadonlyMap<string, number> | null {
  const table = splitCsv(text);
  const [header, ...lines] = table ?? [];
  if (header === undefined || new Set(header).size !== header.length || lines.length === 0) return null;
  const required = [...EXPECTED.keys(), 'TIME_PERIOD', 'OBS_VALUE'];
  if (!required.every((name) => header.includes(name))) return null;
  const rows = new Map<string, number>();
  for (const line of lines) {
    const cells = new Map(header.map((name, index) => [name, line[index] ?? '']));
    const isOfSeries = [...EXPECTED].every(([name, value]) => cells.get(name) === value);
    const [date, value] = [cells.get('TIME_PERIOD') ?? '', readValue(cells.get('OBS_VALUE') ?? '')];
    const at = new Date(`${date}T00:00:00.000Z`);
    const isDate = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(date) && !Number.isNaN(at.getTime());
    if (line.length !== header.length || !isOfSeries || !isDate || rows.has(date) || value === null) return null;
    if (at.toISOString().slice(0, 10) !== date) return null;
    rows.set(date, value);
  }
  return rows;
}

function readValue(cell: string): number | null {
  if (cell === '' || cell === 'NaN') return Number.NaN;
  const isNumber = /^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$/.test(cell) && Number.isFinite(Number(cell));
  return isNumber ? Number(cell) : null;
}

/** Splits CSV into lines of cells; null if a quote is misplaced. Empty lines are left out. */
function splitCsv(text: string): string[][] | null {
  const lines: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\r|\n|$)/y;
  while (cell.lastIndex < text.length || lines.at(-1)?.length !== 0) {
    const [whole, quoted, plain = '', end] = cell.exec(text) ?? [];
    if (whole === undefined) return null;
    const line = lines.at(-1) as string[];
    if (whole !== end || line.length > 0 || end === ',') line.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    if (end === '') break;
    if (line.length > 0) lines.push([]);
  }
  return lines.filter((line) => line.length > 0);
}
