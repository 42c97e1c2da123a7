import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ForecastError } from '../../engine/index.ts';
import type { Log } from '../../platform/index.ts';
import { failureOf, logFailure } from './failure-of.ts';
import type { TakenForecast } from './take-forecast.ts';

const FORECAST = { id: 'ef_1' } as TakenForecast;

function logged(error: unknown): unknown[] {
  const lines: unknown[] = [];
  const write = (level: string) => (fields: object, text: string) => lines.push([level, fields, text]);
  const log = { info: write('info'), warn: write('warn') } as unknown as Log;
  const failure = failureOf(error);
  assert.ok(failure !== null);
  logFailure(log, FORECAST, failure, error);
  return lines;
}

test('what a caller is not told of a checkpoint is in the log', () => {
  const cause = '/data/checkpoints/x/config.json cannot be read';
  const error = new ForecastError('CHECKPOINT_UNAVAILABLE', 'The checkpoint x cannot be used.', null, { cause });
  const message = 'The checkpoint x cannot be used.';
  assert.deepEqual(failureOf(error), { code: 'CHECKPOINT_UNAVAILABLE', message, retryable: false });
  assert.deepEqual(logged(error), [
    ['warn', { forecast: 'ef_1', code: 'CHECKPOINT_UNAVAILABLE', detail: cause }, 'forecast failed'],
  ]);
});

test('other failures are nothing to warn of, and what is no failure may be tried again', () => {
  const [line] = logged(new ForecastError('ALL_MODELS_FAILED', 'None.')) as [string][];
  assert.equal(line?.[0], 'info');
  assert.equal(failureOf(new Error('a fault')), null);
});
