import assert from 'node:assert/strict';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { SeriesDescription } from '../../contract/index.ts';
import { outboundMigrations, ProviderError } from '../../platform/index.ts';
import { createEconomicSource } from '../economic-source.ts';
import { datasetMigrations } from '../migrations/index.ts';
import { createEconomicStore } from '../store/economic-store.ts';
import type { EconomicAdapter, RawSeries, SeriesStructure, StatedFrequency } from './provider.ts';
import { createRemoteProvider } from './remote-provider.ts';

const OPTIONS = { migrations: [outboundMigrations, datasetMigrations] };

const COUNTRIES = Array.from({ length: 1_500 }, (_, n) => ({ value: `C${n}`, label: `Country ${n}` }));
const FREQUENCIES: Readonly<Record<string, StatedFrequency>> = {
  M: { frequency: '1ME' },
  W: { frequency: '1W-MON' },
  S: { unsupported: 'half-yearly' },
};

const DETAILS = {
  title: 'Prices',
  units: '',
  multiplier: null,
  seasonalAdjustment: null,
  publisher: 'Office',
  lastUpdate: '2026-01-05T08:00:00.000Z',
  notes: 'A note.',
};
const PRICES: SeriesStructure = {
  ...DETAILS,
  dimensions: [
    { field: 'freq', label: 'Frequency', values: ['M', 'W', 'S'].map((value) => ({ value, label: value })) },
    { field: 'unit', label: 'Unit', values: [{ value: 'I15', label: 'Index, 2015=100' }] },
    { field: 'geo', label: 'Country', values: COUNTRIES },
  ],
  frequency: { dimension: 'freq', byValue: FREQUENCIES },
  unitsDimension: 'unit',
  span: null,
  firstVintage: null,
};
const RATE: SeriesStructure = {
  ...DETAILS,
  title: 'Rate',
  units: 'Percent',
  dimensions: [],
  frequency: { frequency: '1ME' },
  span: { first: Date.parse('2025-10-01'), last: Date.parse('2026-02-01') },
  firstVintage: '1999-12-31',
};

const MONTHS: RawSeries['observations'] = [
  { instant: Date.parse('2026-02-01'), value: 4 },
  { instant: Date.parse('2025-11-01'), value: 1 },
  { instant: Date.parse('2025-12-01'), value: Number.NaN },
  { instant: Date.parse('2026-01-01'), value: 3, flag: 'p' },
  { instant: Date.parse('1700-01-01'), value: 9 },
];

/** An adapter with a data set and a series with vintages. Counts the calls and records the vintages. */
function createAdapter() {
  const calls: string[] = [];
  const adapter: EconomicAdapter = {
    id: 'fred',
    name: 'FRED',
    requestsPerMinute: 600,
    license: { name: 'Terms', url: null },
    vintageTimeZone: 'America/Chicago',
    isKeyless: false,
    wellKnown: { seriesId: 'rate', dimensions: {} },
    async readStructure(seriesId) {
      calls.push(`structure ${seriesId}`);
      if (seriesId === 'down') throw new ProviderError('fred', 'TIMEOUT');
      return seriesId === 'prices' ? PRICES : seriesId === 'rate' ? RATE : null;
    },
    async readSeries({ seriesId, dimensions, vintage }) {
      calls.push(`rows ${seriesId} ${Object.values(dimensions).join('.')} ${vintage ?? 'current'}`);
      if (dimensions.geo === 'C9') return null;
      const frequency = FREQUENCIES[dimensions.freq ?? 'M'] as StatedFrequency;
      const shared = { frequency, flagLabels: { p: 'provisional' }, footnotes: ['Revised every year.'] };
      if (vintage !== undefined) return { ...shared, observations: MONTHS.slice(1, 2), details: {} };
      return { ...shared, observations: MONTHS, details: seriesId === 'prices' ? { multiplier: 1_000 } : {} };
    },
    async *readListing() {},
  };
  return { adapter, calls };
}

function openSource({ database }: Pick<TestDatabase, 'database'>, now = '2026-02-10T12:00:00Z') {
  const { adapter, calls } = createAdapter();
  const clock = { now: () => new Date(now) };
  const log = { warn: assert.fail } as never;
  const store = createEconomicStore({ database, clock, log, lastUpdateOf: async () => null });
  const provider = createRemoteProvider({ database, clock, store }, adapter);
  return { source: createEconomicSource({ providers: [provider], clock }), calls };
}

const reference = (series_id: string, rest: object = {}) => ({
  type: 'economic_series' as const,
  provider: 'fred',
  series_id,
  ...rest,
});
const prices = (dimensions: Record<string, string>) => reference('prices', { dimensions });

forEachDatabase('describes a data set without and with chosen dimensions', OPTIONS, async (fixture) => {
  const { source, calls } = openSource(fixture);
  const whole = SeriesDescription.parse(await source.describe(reference('prices')));
  assert.deepEqual([whole.frequency, whole.reporting_period, whole.span], ['varies', 'varies', null]);
  assert.deepEqual(
    whole.dimensions.map(({ field, required, values }) => [field, required, values?.length]),
    [
      ['freq', true, 3],
      ['unit', false, 1],
      ['geo', true, undefined],
    ],
  );
  assert.match(whole.notes ?? '', /^A note\.\n\nCurrent revised data is not a point-in-time vintage\.$/);
  assert.deepEqual([whole.vintages, whole.first_vintage], [false, undefined]);
  assert.deepEqual(calls, ['structure prices'], 'no rows are read before all dimensions are chosen');

  const chosen = SeriesDescription.parse(await source.describe(prices({ geo: 'C7', freq: 'M' })));
  assert.equal(chosen.title, 'Prices – Country 7');
  assert.deepEqual(
    [chosen.frequency, chosen.units, chosen.multiplier, chosen.rows, chosen.last_update],
    ['1ME', 'Thousands of Index, 2015=100', 1_000, 2, DETAILS.lastUpdate],
  );
  assert.deepEqual(chosen.span, { start: '2025-11-30T00:00:00.000Z', end: '2026-01-31T00:00:00.000Z' });
  const weeks = SeriesDescription.parse(await source.describe(prices({ geo: 'C7', freq: 'W' })));
  assert.deepEqual([weeks.frequency, weeks.reporting_period], ['1W-MON', 'week']);
  const half = SeriesDescription.parse(await source.describe(prices({ freq: 'S', geo: 'C7' })));
  assert.deepEqual([half.frequency, half.reporting_period], ['half-yearly', 'other']);
});

forEachDatabase('reads completed periods with values, and states flags and footnotes', OPTIONS, async (fixture) => {
  const { source, calls } = openSource(fixture);
  const { table, cadence, about } = await source.read(prices({ geo: 'C7', freq: 'M' }), {});
  const dates = [...table.timestamps].map((at) => new Date(at).toISOString().slice(0, 10));
  assert.deepEqual(dates, ['2025-11-30', '2026-01-31'], 'February is not over, and December has no value');
  assert.deepEqual(table.columns, { value: Float64Array.of(1, 3) });
  assert.deepEqual(cadence, { frequency: '1ME', kind: 'plain' });
  assert.deepEqual(about, {
    source: {
      type: 'economic_series',
      provider: 'fred',
      series_id: 'prices',
      value_field: 'value',
      dimensions: { freq: 'M', unit: 'I15', geo: 'C7' },
    },
    title: 'Prices – Country 7',
    units: 'Thousands of Index, 2015=100',
    frequency: '1ME',
    publisher: 'Office',
    license: { name: 'Terms', url: null },
    vintage: 'revised',
    facts: {
      last_update: DETAILS.lastUpdate,
      multiplier: 1_000,
      seasonal_adjustment: null,
      footnotes: ['Revised every year.', 'One row outside the years 1800 to 2200 is left out.'],
      flags: [{ flag: 'p', label: 'provisional', count: 1, dates: ['2026-01-31'] }],
      cut: false,
    },
  });
  const again = await source.read(prices({ geo: 'C7', freq: 'M' }), { limit: 1 });
  assert.deepEqual(again.table.columns, { value: Float64Array.of(3) });
  assert.deepEqual(calls, ['structure prices', 'rows prices M.I15.C7 current'], 'both reads need one request each');
});

forEachDatabase('names what is wrong with a choice, and the nearest of many values', OPTIONS, async (fixture) => {
  const { source } = openSource(fixture);
  const refused: readonly (readonly [Record<string, string>, string, RegExp])[] = [
    [
      { freq: 'M' },
      'INVALID_REQUEST',
      /^source\.dimensions\.geo: is required\. Choose one of "C0", .* and 1480 more\.$/,
    ],
    [{ geo: 'C7' }, 'INVALID_REQUEST', /^source\.dimensions\.freq: is required\. Choose one of "M", "W", "S"\.$/],
    [
      { freq: 'M', geo: 'Country 12' },
      'INVALID_REQUEST',
      /^source\.dimensions\.geo: must be one of 1500 values, of which the nearest are "C12", ("C\d+", ){18}"C\d+"\.$/,
    ],
    [{ freq: 'S', geo: 'C7' }, 'UNPROCESSABLE', /^source\.series_id: "prices" is half-yearly\. /],
    [{ freq: 'M', geo: 'C9' }, 'NOT_FOUND', /^source\.dimensions: the provider fred has no series of "prices" with/],
  ];
  for (const [dimensions, code, message] of refused) {
    await assert.rejects(source.read(prices(dimensions), {}), { name: 'Fault', code, message });
  }
  await assert.rejects(source.describe(prices({ freq: 'X' })), { code: 'INVALID_REQUEST' });
  await assert.rejects(source.describe(prices({ freq: 'M', geo: 'C9' })), { code: 'NOT_FOUND' });
  await assert.rejects(source.describe(reference('nothing')), { code: 'NOT_FOUND' });
  await assert.rejects(source.describe(reference('down')), {
    code: 'PROVIDER_FAILED',
    message: 'fred did not respond in time.',
  });
  await assert.rejects(source.describe({ ...reference('rate'), provider: 'ecb' }), {
    code: 'UNPROCESSABLE',
    message: /this service does not use ecb/,
  });
});

forEachDatabase('dates weeks by their Monday and leaves out the week that is not over', OPTIONS, async (fixture) => {
  const { source } = openSource(fixture, '2026-02-01T23:59:59Z');
  const { table, cadence } = await source.read(prices({ geo: 'C7', freq: 'W' }), {});
  assert.equal(cadence.frequency, '1W-MON');
  const dates = [...table.timestamps].map((at) => new Date(at).toISOString().slice(0, 10));
  assert.deepEqual(dates, ['2025-10-27', '2025-12-29'], 'the week of Sunday, 2026-02-01 ends at midnight');
});

forEachDatabase(
  'reads the rows as they stood on a date, and never current rows under an old date',
  OPTIONS,
  async (fixture) => {
    const { source, calls } = openSource(fixture, '2026-02-10T05:59:59Z');
    const description = SeriesDescription.parse(await source.describe(reference('rate')));
    assert.deepEqual([description.vintages, description.first_vintage], [true, '1999-12-31']);
    assert.deepEqual(description.span, { start: '2025-10-31T00:00:00.000Z', end: '2026-02-28T00:00:00.000Z' });

    const { table, about } = await source.read(reference('rate', { vintage: '2025-12-15' }), {});
    assert.deepEqual(table.columns, { value: Float64Array.of(1) });
    assert.equal(about.vintage, 'point_in_time');
    assert.deepEqual((about.source as { vintage?: string }).vintage, '2025-12-15');
    assert.equal((about.facts as { last_update: null }).last_update, null);
    assert.ok(calls.includes('rows rate  2025-12-15'));
    const asOf = SeriesDescription.parse(await source.describe(reference('rate', { vintage: '2025-12-15' })));
    assert.deepEqual([asOf.vintage, asOf.rows, asOf.last_update], ['point_in_time', 1, null]);
    assert.equal(asOf.notes, 'The rows as they stood on 2025-12-15.');

    const refused = [
      [
        'rate',
        '1999-12-30',
        /^source\.vintage: 1999-12-30 is before the first vintage of "rate", which is 1999-12-31\.$/,
      ],
      // It is still the ninth in Chicago.
      ['rate', '2026-02-10', /^source\.vintage: 2026-02-10 has not begun\. The latest vintage is 2026-02-09\.$/],
      ['prices', '2025-12-15', /^source\.vintage: the provider fred has no vintages of "prices"\./],
    ] as const;
    for (const [seriesId, vintage, message] of refused) {
      await assert.rejects(source.read(reference(seriesId, { vintage }), {}), { code: 'UNPROCESSABLE', message });
      await assert.rejects(source.describe(reference(seriesId, { vintage })), { code: 'UNPROCESSABLE', message });
    }
  },
);

forEachDatabase('returns the vintage that was over at an instant', OPTIONS, async (fixture) => {
  const { source } = openSource(fixture);
  const vintageAt = async (instant: string) => source.vintageAt?.(reference('rate'), Date.parse(instant));
  assert.equal(await vintageAt('2020-07-01T04:59:59Z'), '2020-06-29');
  assert.equal(await vintageAt('2020-07-01T05:00:00Z'), '2020-06-30');
  await assert.rejects(vintageAt('1999-12-31T12:00:00Z'), { code: 'UNPROCESSABLE' });
  await assert.rejects(async () => source.vintageAt?.(reference('prices'), Date.parse('2020-07-01')), {
    code: 'UNPROCESSABLE',
  });
});

forEachDatabase('reads the vintage of a date again when the date is over', OPTIONS, async (fixture) => {
  const vintage = '2026-02-09';
  const countReads = async (now: string) => {
    const { source, calls } = openSource(fixture, now);
    await source.read(reference('rate', { vintage }), {});
    return calls.filter((call) => call.startsWith('rows')).length;
  };
  assert.equal(await countReads('2026-02-10T05:00:00Z'), 1, 'it is 23:00 on the ninth in Chicago');
  assert.equal(await countReads('2026-02-10T05:30:00Z'), 0);
  assert.equal(await countReads('2026-02-10T06:00:00Z'), 1, 'the ninth is over');
  assert.equal(await countReads('2026-02-10T07:00:00Z'), 0);
});
