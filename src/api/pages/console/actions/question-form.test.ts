import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSteps } from './question-form.ts';

test('a period is offered until its end has passed, whether its timestamp is its first or its last day', () => {
  const open = (frequency: string, days: readonly string[], now: string) =>
    openSteps(
      {
        settings: { frequency, series_kind: 'plain', hours: null },
        predictions: days.map((day) => ({ timestamp: `${day}T00:00:00.000Z` })),
      } as unknown as Parameters<typeof openSteps>[0],
      new Date(now),
    );
  const ends = ['2026-01-31', '2026-02-28'];
  assert.deepEqual(open('1ME', ends, '2026-01-31T12:00:00Z'), [1, 2]);
  assert.deepEqual(open('1ME', ends, '2026-02-10T00:00:00Z'), [2]);
  assert.deepEqual(open('1ME', ends, '2026-03-01T00:00:00Z'), []);
  assert.deepEqual(open('1MS', ['2026-01-01', '2026-02-01'], '2026-01-31T12:00:00Z'), [1, 2]);
  assert.deepEqual(open('1MS', ['2026-01-01', '2026-02-01'], '2026-02-10T00:00:00Z'), [2]);
});
