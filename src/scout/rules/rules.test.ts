import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findObservedPeriod } from '../../calendar/index.ts';
import { canShowSource } from '../events/event-audience.ts';
import { decideOutcome } from './decide-outcome.ts';

test('decides an outcome by comparing the observation with the threshold', () => {
  const cases = [
    ['gt', 'no', 'no', 'yes'],
    ['gte', 'no', 'yes', 'yes'],
    ['lt', 'yes', 'no', 'no'],
    ['lte', 'yes', 'yes', 'no'],
  ] as const;
  for (const [op, below, equal, above] of cases) {
    const outcomes = [-1, 0, 1].map((value) => decideOutcome({ op, threshold: 0 }, value));
    assert.deepEqual(outcomes, [below, equal, above], op);
  }
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => decideOutcome({ op: 'gt', threshold: 0 }, value), RangeError);
  }
});

test('finds the period of an instant, the timestamp of its row and its end on the calendar', () => {
  const at = (text: string) => Date.parse(text);
  const exchange = { frequency: '1D', kind: 'exchange' } as const;
  assert.deepEqual(findObservedPeriod(exchange, at('2024-07-03T15:00:00Z')), {
    timestamp: at('2024-07-03T00:00:00Z'),
    until: at('2024-07-03T17:00:00Z'),
    knownFrom: at('2024-07-03T17:00:00Z'),
    readUntil: at('2024-07-04T00:00:00Z'),
  });
  assert.equal(findObservedPeriod(exchange, at('2024-07-04T15:00:00Z')), null, 'a holiday');
  const quarter = { frequency: '1QE', kind: 'plain' } as const;
  assert.deepEqual(findObservedPeriod(quarter, at('2024-02-10T00:00:00Z')), {
    timestamp: at('2024-03-31T00:00:00Z'),
    until: at('2024-04-01T00:00:00Z'),
    knownFrom: at('2024-04-01T00:00:00Z'),
    readUntil: at('2024-04-01T00:00:00Z'),
  });
  assert.equal(
    findObservedPeriod(exchange, at('1989-12-29T00:00:00Z')),
    null,
    'before the first session of the calendar',
  );
});

test('closes a week or month of an exchange with its last session', () => {
  const at = (text: string) => Date.parse(text);
  const cases = [
    ['1W-MON', '2026-03-04T00:00:00Z', '2026-03-06T21:00:00Z', '2026-03-09T00:00:00Z'],
    // Good Friday: the last session is on Thursday.
    ['1W-MON', '2026-04-01T00:00:00Z', '2026-04-02T20:00:00Z', '2026-04-06T00:00:00Z'],
    ['1MS', '2026-05-10T00:00:00Z', '2026-05-29T20:00:00Z', '2026-06-01T00:00:00Z'],
  ] as const;
  for (const [frequency, instant, knownFrom, until] of cases) {
    const period = findObservedPeriod({ frequency, kind: 'exchange' }, at(instant));
    assert.deepEqual([period?.knownFrom, period?.until], [at(knownFrom), at(until)], instant);
    const plain = findObservedPeriod({ frequency, kind: 'plain' }, at(instant));
    assert.deepEqual([plain?.knownFrom, plain?.until], [at(until), at(until)]);
  }
  const late = findObservedPeriod(
    { frequency: '1W-MON', kind: 'exchange', hours: 'extended' },
    at('2026-03-04T00:00:00Z'),
  );
  assert.equal(late?.knownFrom, at('2026-03-07T01:00:00Z'), 'extended hours end later');
});

test('knows a period of a currency when trading stops', () => {
  const at = (text: string) => Date.parse(text);
  const cases = [
    ['1D', '2026-03-05T12:00Z', '2026-03-06T00:00Z', '2026-03-06T00:00Z'],
    // The last Friday before clocks go forward, and the first one after it.
    ['1D', '2026-03-06T12:00Z', '2026-03-06T22:00Z', '2026-03-07T00:00Z'],
    ['1D', '2026-03-13T12:00Z', '2026-03-13T21:00Z', '2026-03-14T00:00Z'],
    ['4h', '2026-03-13T20:30Z', '2026-03-13T21:00Z', '2026-03-14T00:00Z'],
    // A week ends with the first hours of Sunday's trading.
    ['1W-MON', '2026-03-04T00:00Z', '2026-03-09T00:00Z', '2026-03-09T00:00Z'],
    // January ends on a Saturday.
    ['1MS', '2026-01-10T00:00Z', '2026-01-30T22:00Z', '2026-02-01T00:00Z'],
  ] as const;
  for (const [frequency, instant, knownFrom, until] of cases) {
    const period = findObservedPeriod({ frequency, kind: 'currency' }, at(instant));
    assert.deepEqual([period?.knownFrom, period?.until], [at(knownFrom), at(until)], instant);
  }
  assert.equal(findObservedPeriod({ frequency: '1D', kind: 'currency' }, at('2026-03-07T12:00Z')), null, 'a Saturday');
  assert.equal(findObservedPeriod({ frequency: '1h', kind: 'currency' }, at('2026-03-08T20:30Z')), null, 'closed');
});

test('shows a row of a workspace file to the author alone or within that workspace', () => {
  const file = { type: 'workspace_csv', workspace_id: 'ws_a', csv_id: 'c', time_field: 't', value_field: 'v' } as const;
  const market = { type: 'market', symbol: 'A', timeframe: '1D' } as const;
  const cases = [
    ['private', null, true],
    ['private', 'ws_b', true],
    ['workspace', 'ws_a', true],
    ['workspace', 'ws_b', false],
    ['public', null, false],
    ['public', 'ws_a', false],
  ] as const;
  for (const [visibility, workspaceId, allowed] of cases) {
    assert.equal(canShowSource(file, { visibility, workspaceId }), allowed, `${visibility} ${workspaceId}`);
    assert.equal(canShowSource(market, { visibility, workspaceId }), true);
  }
});
