import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideOutcome } from './decide-outcome.ts';
import { observedPeriod } from './observed-period.ts';

test('an observation decides by how it compares with the threshold', () => {
  const cases = [
    ['gt', 'no', 'no', 'yes'],
    ['gte', 'no', 'yes', 'yes'],
    ['lt', 'yes', 'no', 'no'],
    ['lte', 'yes', 'yes', 'no'],
  ] as const;
  for (const [op, below, equal, above] of cases) {
    const said = [-1, 0, 1].map((value) => decideOutcome({ op, threshold: 0 }, value));
    assert.deepEqual(said, [below, equal, above], op);
  }
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => decideOutcome({ op: 'gt', threshold: 0 }, value), RangeError);
  }
});

test('the period of an instant has the timestamp of its row and ends when the calendar says', () => {
  const at = (text: string) => Date.parse(text);
  const exchange = { frequency: '1D', kind: 'exchange' } as const;
  assert.deepEqual(observedPeriod(exchange, at('2024-07-03T15:00:00Z')), {
    timestamp: at('2024-07-03T00:00:00Z'),
    until: at('2024-07-03T17:00:00Z'),
    readUntil: at('2024-07-04T00:00:00Z'),
  });
  assert.equal(observedPeriod(exchange, at('2024-07-04T15:00:00Z')), null, 'a holiday');
  const quarter = { frequency: '1QE', kind: 'plain' } as const;
  assert.deepEqual(observedPeriod(quarter, at('2024-02-10T00:00:00Z')), {
    timestamp: at('2024-03-31T00:00:00Z'),
    until: at('2024-04-01T00:00:00Z'),
    readUntil: at('2024-04-01T00:00:00Z'),
  });
  assert.equal(observedPeriod(exchange, at('1989-12-29T00:00:00Z')), null, 'before sessions are known');
});
