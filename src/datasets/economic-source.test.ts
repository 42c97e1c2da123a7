import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSeriesSource } from '../../test/support/snapshots/series-source-contract.ts';
import { ANONYMOUS } from '../access/index.ts';
import type { EconomicReference, SeriesDescription } from '../contract/index.ts';
import { createBundledEconomicProvider } from './bundled/bundled-provider.ts';
import type { EconomicProvider } from './economic-provider.ts';
import { createEconomicSource } from './economic-source.ts';

const clock = { now: () => new Date('2026-01-31T00:00:00Z') };
const bundled = (series_id: string, rest: Partial<EconomicReference> = {}): EconomicReference => {
  return { type: 'economic_series', provider: 'bundled', series_id, ...rest };
};

checkSeriesSource('economic series', async () => ({
  source: createEconomicSource({ providers: [createBundledEconomicProvider()], clock }),
  at: (now) => createEconomicSource({ providers: [createBundledEconomicProvider()], clock: { now: () => now } }),
  known: [
    bundled('us-cpi'),
    bundled('global-temperature-anomaly'),
    bundled('vix-2009', { value_field: 'close' }),
    bundled('shiller-sp-composite', { value_field: 'cape' }),
    bundled('mauna-loa-co2', { value_field: 'co2' }),
    bundled('daily-weather', { value_field: 'wind', dimensions: { location: 'New York' } }),
    bundled('us-unemployment-by-industry', { value_field: 'rate', dimensions: { industry: 'Self-employed' } }),
  ],
  unknown: [bundled('us-cpi-2'), bundled('US-CPI'), { ...bundled('us-cpi'), provider: 'elsewhere' }],
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
    { field: 'color', label: 'Color', required: true, values: numbered('color', 25) },
    { field: 'finish', label: 'Finish', required: false },
  ],
  units: 'm²',
  span: SPAN,
  rows: 4,
  reporting_period: 'month_end',
  vintage: 'revised',
  publisher: 'Test',
  license: { name: 'CC0', url: null },
  notes: null,
};

function numbered(word: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({ value: `${word}${index}`, label: `${word} ${index}` }));
}

/** A provider with one series of four months, the second without a value. Records the requested dimensions. */
function smallProvider(requested: unknown[] = []): EconomicProvider {
  return {
    id: 'small',
    list: async () => [],
    describe: async (id) => (id === 'shapes' ? SHAPES : null),
    read: async ({ dimensions }) => {
      requested.push(dimensions);
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
  const dimensions = { color: 'color7' };
  return { type: 'economic_series', provider: 'small', series_id: 'shapes', value_field: 'area', dimensions, ...rest };
};
const without = (field: 'value_field' | 'dimensions'): EconomicReference => {
  const { [field]: _, ...rest } = shapes();
  return rest;
};

test('reads only the chosen value, without missing rows, of completed months', async () => {
  const source = createEconomicSource({ providers: [smallProvider()], clock });
  const { table, cadence, valueField, provider } = await source.read(shapes(), {});
  const days = [...table.timestamps].map((time) => new Date(time).toISOString().slice(0, 10));
  assert.deepEqual(days, ['2025-10-31', '2025-12-31'], 'January is completed at the end of the 31st');
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

test('describes the rows with defaults, in the order of the description', async () => {
  const requested: unknown[] = [];
  const source = createEconomicSource({ providers: [smallProvider(requested)], clock });
  const { about } = await source.read(shapes({ dimensions: { finish: 'matte', color: 'color7' } }), {});
  const chosen = { color: 'color7', finish: 'matte' };
  assert.equal(JSON.stringify(requested), JSON.stringify([chosen]));
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
      publisher: 'Test',
      license: { name: 'CC0', url: null },
      vintage: 'revised',
    }),
  );
});

const REFUSED: readonly { what: string; reference: EconomicReference; message: RegExp }[] = [
  {
    what: 'no value field where there are several',
    reference: without('value_field'),
    message: /^source\.value_field: is required, because shapes has several values\. Choose one of "area", "sides"\.$/,
  },
  {
    what: 'an unknown value field',
    reference: shapes({ value_field: 'weight' }),
    message: /^source\.value_field: must be one of "area", "sides"\.$/,
  },
  {
    what: 'a missing required dimension',
    reference: without('dimensions'),
    message: /^source\.dimensions\.color: is required\. Choose one of "color0", .*"color19" and 5 more\.$/,
  },
  {
    what: 'an unknown member of a dimension',
    reference: shapes({ dimensions: { color: 'Color7' } }),
    message: /^source\.dimensions\.color: must be one of 25 values, of which the nearest are "color7"/,
  },
  {
    what: 'an unknown dimension',
    reference: shapes({ dimensions: { color: 'color7', size: 'big' } }),
    message: /^source\.dimensions\.size: is unknown; shapes has the dimensions "color", "finish"\.$/,
  },
  {
    what: 'a dimension with the name of a property that every object has',
    reference: shapes({ dimensions: { constructor: 'color7' } }),
    message: /^source\.dimensions\.constructor: is unknown/,
  },
  {
    what: 'a dimension of a series that has none',
    reference: bundled('us-cpi', { dimensions: { region: 'west' } }),
    message: /^source\.dimensions\.region: is unknown; us-cpi has no dimensions\.$/,
  },
];

for (const { what, reference, message } of REFUSED) {
  test(`refuses ${what}`, async () => {
    const source = createEconomicSource({ providers: [smallProvider(), createBundledEconomicProvider()], clock });
    await assert.rejects(source.read(reference, {}), { name: 'Fault', code: 'INVALID_REQUEST', message });
  });
}

test('names a provider or series that does not exist', async () => {
  const source = createEconomicSource({ providers: [smallProvider()], clock });
  const elsewhere = { ...shapes(), provider: 'elsewhere' };
  await assert.rejects(source.describe(elsewhere), {
    code: 'NOT_FOUND',
    message: /^source\.provider: no provider of economic series is named "elsewhere"/,
  });
  await assert.rejects(source.describe(shapes({ series_id: 'sounds' })), {
    code: 'NOT_FOUND',
    message: /^source\.series_id: the provider small has no series "sounds"/,
  });
});

test('lets an anonymous caller read', async () => {
  const source = createEconomicSource({ providers: [smallProvider()], clock });
  await assert.doesNotReject(source.authorize(ANONYMOUS, shapes()));
  assert.equal(source.authorizeFrozen, undefined, 'rows that were frozen before are public as well');
});
