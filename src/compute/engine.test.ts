import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { keepCoresBusy } from '../../test/support/compute/busy-cores.ts';
import { monthlyRequest } from '../../test/support/forecasts/forecast-request.ts';
import { SeriesError } from '../calendar/index.ts';
import {
  canonicalResult,
  createInlineRunner,
  createModels,
  ForecastError,
  forecast,
  type Progress,
} from '../engine/index.ts';
import type { CoreShare } from '../platform/index.ts';
import { type Engine, loadProphetRuntime, startEngine } from './index.ts';

let engine: Engine;
before(async () => {
  engine = await startEngine({ threads: 2 });
});
after(() => engine?.close());
const REQUEST = monthlyRequest(36, 6, { season: 10 });

test('a forecast has the same bytes in its process and without one, and reports its progress', async () => {
  const runner = createInlineRunner(createModels({ prophet: loadProphetRuntime() }));
  const expected = canonicalResult(await forecast(REQUEST, { runner }));
  const seen: Progress[] = [];
  const results = await Promise.all([
    engine.forecast(REQUEST, { onProgress: (progress) => seen.push(progress) }),
    engine.forecast(monthlyRequest(20, 3, { seed: 9 })),
    engine.forecast(REQUEST),
  ]);
  assert.equal(canonicalResult(results[0]), expected);
  assert.equal(canonicalResult(results[2]), expected);
  assert.deepEqual(
    seen.map(({ completed_models }) => completed_models),
    [0, 1, 2, 3, 4],
  );
});

test('a forecast has the same bytes while all cores are busy', async () => {
  const request = monthlyRequest(14, 2);
  const expected = canonicalResult(await engine.forecast(request));
  await using _ = await keepCoresBusy();
  const ended: number[] = [];
  const result = await engine.forecast(request, { onEndedSearches: (count) => ended.push(count) });
  assert.equal(canonicalResult(result), expected);
  assert.deepEqual(ended, []);
});

test('errors keep their class, code and field across processes', async () => {
  await assert.rejects(engine.forecast({ ...REQUEST, horizon: 0 }), (error) => {
    return error instanceof ForecastError && error.code === 'INVALID_REQUEST' && error.field === 'horizon';
  });
  const values = Array.from(REQUEST.values).with(7, Number.NaN);
  await assert.rejects(engine.forecast({ ...REQUEST, values }), (error) => {
    return error instanceof SeriesError && error.code === 'NON_FINITE' && error.index === 7;
  });
});

test('refuses values that are not numbers and requests that cannot be cloned', async () => {
  const values = Array.from(REQUEST.values, (value, i) => (i === 3 ? null : value)) as number[];
  await assert.rejects(engine.forecast({ ...REQUEST, values }), (error) => {
    return error instanceof SeriesError && error.code === 'NON_FINITE' && error.index === 3;
  });
  await assert.rejects(
    engine.forecast({ ...REQUEST, values: { length: 2e9 } as never }),
    /values may have at most 50000 rows/,
  );
  await assert.rejects(engine.forecast({ ...REQUEST, models: [(() => {}) as never] }), /could not be cloned/);
});

test('a progress listener that throws fails its own forecast only', async () => {
  const onProgress = (): never => {
    throw new Error('Not interested.');
  };
  await assert.rejects(engine.forecast(REQUEST, { onProgress }), /Not interested/);
  assert.equal((await engine.forecast(REQUEST)).predictions.length, 6);
});

test('a long constant stretch does not block prophet or other forecasts', async () => {
  const values = [...Array.from({ length: 40 }, () => 0), 3, 5, 4, 6, 5, 7, 6, 5, 7, 8];
  const timestamps = values.map((_, i) => Date.UTC(2024, 0, 1 + i));
  const request = { cadence: { frequency: '1D', kind: 'plain' }, timestamps, values, horizon: 5 } as const;
  const results = await Promise.all([engine.forecast(request), engine.forecast(request), engine.forecast(REQUEST)]);
  for (const { members } of results) assert.ok(members.every(({ status }) => status !== 'failed'));
});

test('a forecast canceled at any moment rejects with the reason, and the engine serves the next one', async () => {
  for (const delay of [0, 3, 30, 120]) {
    const controller = new AbortController();
    const running = engine.forecast(monthlyRequest(400, 30, { season: 10 }), { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('Enough.')), delay);
    await assert.rejects(running, /Enough/);
  }
  await assert.rejects(engine.forecast(REQUEST, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal((await engine.forecast(REQUEST)).predictions.length, 6);
});

test('a closed engine rejects running and new forecasts', async () => {
  let taken = 0;
  const threads: CoreShare = {
    take() {
      taken += 1;
      return {
        threads: 1,
        release: () => {
          taken -= 1;
        },
      };
    },
  };
  const short = await startEngine({ threads });
  const refused = assert.rejects(short.forecast(monthlyRequest(400, 30)), /closed/);
  assert.equal(short.isOpen(), true);
  assert.equal(taken, 1, 'a forecast takes a share of the cores');
  await short.close();
  await refused;
  assert.equal(taken, 0);
  assert.equal(short.isOpen(), false);
  await assert.rejects(short.forecast(REQUEST), /closed/);
});
