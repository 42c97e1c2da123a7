import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ForecastError } from '../../engine/index.ts';
import type { Log } from '../../platform/index.ts';
import type { ForecastAttempt } from '../forecast-state.ts';
import { logFailure, toFailure } from './attempt-failure.ts';

const FORECAST = { id: 'ef_1' } as ForecastAttempt;

function logged(error: unknown): unknown[] {
  const lines: unknown[] = [];
  const write = (level: string) => (fields: object, text: string) => lines.push([level, fields, text]);
  const log = { info: write('info'), warn: write('warn') } as unknown as Log;
  const failure = toFailure(error);
  assert.ok(failure !== null);
  logFailure(log, FORECAST, failure, error);
  return lines;
}

test('logs the details of an unavailable checkpoint, which the caller does not get', () => {
  const cause = '/data/checkpoints/x/config.json cannot be read';
  const error = new ForecastError('CHECKPOINT_UNAVAILABLE', 'The checkpoint x cannot be used.', null, { cause });
  const message = 'The checkpoint x cannot be used.';
  assert.deepEqual(toFailure(error), { code: 'CHECKPOINT_UNAVAILABLE', message, retryable: false });
  assert.deepEqual(logged(error), [
    ['warn', { forecast: 'ef_1', code: 'CHECKPOINT_UNAVAILABLE', detail: cause }, 'forecast failed'],
  ]);
});

test('logs other failures as info, and leaves unexpected errors to another attempt', () => {
  const [line] = logged(new ForecastError('ALL_MODELS_FAILED', 'None.')) as [string][];
  assert.equal(line?.[0], 'info');
  assert.equal(toFailure(new Error('a fault')), null);
});
