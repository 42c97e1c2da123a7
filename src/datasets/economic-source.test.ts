import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSeriesSource } from '../../test/support/snapshots/series-source-contract.ts';
import { ANONYMOUS } from '../access/index.ts';
import type { EconomicReference, SeriesDescription } from '../contract/index.ts';
import { createBundledSeries } from './bundled/create-bundled-series.ts';
import type { EconomicProvider } from './economic-provider.ts';
import { createEconomicSource } from './economic-source.ts';

const clock = { now: () => new Date('2026-01-31T00:00:00Z') };
const bundled = (series_id: string, rest: Partial<EconomicReference> = {}): EconomicReference => {
  return { type: 'economic_series', provider: 'bundled', series_id, ...rest };
};

checkSeriesSource('economic series', async () => ({
  source: createEconomicSource([createBundledSeries()], clock),
  at: (now) => createEconomicSource([createBundledSeries()], { now: () => now }),
  known: [
    bundled('us-cpi'),
    bundled('global-temperature-anomaly'),
    bundled('vix-2009', { value_field: 'close' }),
    bundled('shiller-sp-composite', { value_field: 'cape' }),
    bundled('mauna-loa-co2', { value_field: 'co2' }),
    bundled('daily-weather', { value_field: 'wind', dimensions: { location: 'New York' } }),
    bundled('us-unemployment-by-industry', { value_field: 'rate', dimensions: { industry: 'Self-employed' } }),
  ],
  unknown: [bundled('us-cpi-2'), bundled('US-CPI'), { ...bundled('us-cpi'), provider: 'nobody' }],
}));

const SPAN = { start: '2025-10-31T00:00:00.000Z', end: '2026-01-31T00:00:00.000Z' };
const SHAPES: SeriesDescription = {
  provider: 'small',
  title: 'Shapes',
  frequency: '1ME',
  time_field: 'timestamp',
  values: [
    { field: 'area', label: 'Area', units: 'm²' },
    { field: 'sides', label: 'Sides', units: 'sides' },
  ],
  dimensions: [
    { field: 'colour', label: 'Colour', required: true, values: numbered('colour', 25) },
    { field: 'finish', label: 'Finish', required: false },
  ],
  units: 'm²',
  span: SPAN,
  rows: 4,
  reporting_period: 'month_end',
  vintage: 'revised',
  publisher: 'Nobody',
  license: { name: 'CC0', url: null },
  notes: null,
};

function numbered(word: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({ value: `${word}${index}`, label: `${word} ${index}` }));
}

/** One series of four months, the second without a value; remembers which dimensions it was asked for. */
function smallProvider(asked: unknown[] = []): EconomicProvider {
  return {
    id: 'small',
    list: async () => [],
    describe: async (id) => (id === 'shapes' ? SHAPES : null),
    read: async (_, dimensions) => {
      asked.push(dimensions);
      const months = ['2025-10-31', '2025-11-30', '2025-12-31', '2026-01-31'];
      const [area, sides] = [Float64Array.of(1, Number.NaN, 3, 4), Float64Array.of(3, 4, 5, 6)];
      return {
        table: { timestamps: Float64Array.from(months, Date.parse), columns: { area, sides } },
        frequency: '1ME',
      };
    },
  };
}

const shapes = (rest: Partial<EconomicReference> = {}): EconomicReference => {
  const dimensions = { colour: 'colour7' };
  return { type: 'economic_series', provider: 'small', series_id: 'shapes', value_field: 'area', dimensions, ...rest };
};
const without = (field: 'value_field' | 'dimensions'): EconomicReference => {
  const { [field]: _, ...rest } = shapes();
  return rest;
};

test('only the chosen value, without the rows that miss it, of months that are over', async () => {
  const source = createEconomicSource([smallProvider()], clock);
  const { table, cadence, valueField, provider } = await source.read(shapes(), {});
  const days = [...table.timestamps].map((time) => new Date(time).toISOString().slice(0, 10));
  assert.deepEqual(days, ['2025-10-31', '2025-12-31'], 'January ends with the 31st, not before it');
  assert.deepEqual(table.columns, { area: Float64Array.of(1, 3) });
  assert.deepEqual(
    { cadence, valueField, provider },
    {
      cadence: { frequency: '1ME', kind: 'plain' },
      valueField: 'area',
      provider: 'small',
    },
  );
  const whole = await source.read(shapes(), { cutoff: Date.parse('2026-02-01') });
  assert.deepEqual(whole.table.columns, { area: Float64Array.of(1, 3, 4) });
  assert.deepEqual((await source.read(shapes(), { limit: 0 })).table.columns, { area: new Float64Array() });
});

test('what was read is said with defaults, in the order of the description', async () => {
  const asked: unknown[] = [];
  const source = createEconomicSource([smallProvider(asked)], clock);
  const { about } = await source.read(shapes({ dimensions: { finish: 'matt', colour: 'colour7' } }), {});
  const chosen = { colour: 'colour7', finish: 'matt' };
  assert.equal(JSON.stringify(asked), JSON.stringify([chosen]));
  assert.equal(
    JSON.stringify(about),
    JSON.stringify({
      source: {
        type: 'economic_series',
        provider: 'small',
        series_id: 'shapes',
        value_field: 'area',
        dimensions: chosen,
      },
      title: 'Shapes',
      units: 'm²',
      frequency: '1ME',
      publisher: 'Nobody',
      license: { name: 'CC0', url: null },
      vintage: 'revised',
    }),
  );
});

const REFUSED: readonly { what: string; reference: EconomicReference; says: RegExp }[] = [
  {
    what: 'no value among several',
    reference: without('value_field'),
    says: /^source\.value_field: is required: shapes has several values, "area", "sides"\.$/,
  },
  {
    what: 'a value that is not there',
    reference: shapes({ value_field: 'weight' }),
    says: /^source\.value_field: must be one of "area", "sides"\.$/,
  },
  {
    what: 'a required dimension left out',
    reference: without('dimensions'),
    says: /^source\.dimensions\.colour: is required: one of "colour0", .*"colour19" and 5 more\.$/,
  },
  {
    what: 'a member that is not there',
    reference: shapes({ dimensions: { colour: 'Colour7' } }),
    says: /^source\.dimensions\.colour: must be one of "colour0"/,
  },
  {
    what: 'a dimension that is not there',
    reference: shapes({ dimensions: { colour: 'colour7', size: 'big' } }),
    says: /^source\.dimensions\.size: is unknown: shapes has the dimensions "colour", "finish"\.$/,
  },
  {
    what: 'a name that every object has',
    reference: shapes({ dimensions: { constructor: 'colour7' } }),
    says: /^source\.dimensions\.constructor: is unknown/,
  },
  {
    what: 'a dimension of a series without any',
    reference: bundled('us-cpi', { dimensions: { region: 'west' } }),
    says: /^source\.dimensions\.region: is unknown: us-cpi has no dimensions\.$/,
  },
];

for (const { what, reference, says } of REFUSED) {
  test(`refused: ${what}`, async () => {
    const source = createEconomicSource([smallProvider(), createBundledSeries()], clock);
    await assert.rejects(source.read(reference, {}), { name: 'Fault', code: 'INVALID_REQUEST', message: says });
  });
}

test('what is not there is named', async () => {
  const source = createEconomicSource([smallProvider()], clock);
  const nobody = { ...shapes(), provider: 'nobody' };
  await assert.rejects(source.describe(nobody), /There is no provider of economic series called "nobody"/);
  await assert.rejects(source.describe(shapes({ series_id: 'sounds' })), /The provider small has no series "sounds"/);
});

test('anybody may read', async () => {
  await createEconomicSource([smallProvider()], clock).authorize(ANONYMOUS, shapes());
});
