import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MINUTE_MS } from '../time-range.ts';
import { sessionHoursGrid } from './session-grids.ts';
import type { Hours } from './session-hours.ts';
import { sessionHours } from './session-hours.ts';
import { sessionsBetween } from './sessions.ts';

const at = (iso: string) => Date.parse(iso);

/** Finds the periods of one day by trying each one. */
function periodsOf(date: string, minutes: number, hours: Hours): string[] {
  const grid = sessionHoursGrid(minutes * MINUTE_MS, hours);
  const found: string[] = [];
  for (let time = at(date); time < at(date) + 36 * 60 * MINUTE_MS; time += minutes * MINUTE_MS) {
    if (grid.contains(time) && time < at(date) + 30 * 60 * MINUTE_MS)
      found.push(new Date(time).toISOString().slice(11, 16));
  }
  return found;
}

test('contains the periods that overlap the trading hours', () => {
  assert.deepEqual(periodsOf('2024-07-01', 60, 'regular'), [
    '13:00',
    '14:00',
    '15:00',
    '16:00',
    '17:00',
    '18:00',
    '19:00',
  ]);
  assert.deepEqual(periodsOf('2024-01-02', 240, 'regular'), ['12:00', '16:00', '20:00']);
  assert.deepEqual(periodsOf('2024-07-01', 240, 'regular'), ['12:00', '16:00']);
  assert.deepEqual(periodsOf('2024-01-02', 240, 'extended'), ['08:00', '12:00', '16:00', '20:00', '00:00']);
  assert.equal(periodsOf('2024-01-02', 5, 'regular').length, 78);
  assert.equal(periodsOf('2024-11-29', 5, 'regular').length, 42, 'a half day');
  assert.equal(periodsOf('2024-01-02', 1, 'extended').length, 960);
  assert.deepEqual(periodsOf('2024-01-06', 60, 'regular'), [], 'a Saturday');
});

test('does not contain timestamps inside a period or outside the hours', () => {
  const grid = sessionHoursGrid(30 * MINUTE_MS, 'regular');
  assert.equal(grid.contains(at('2024-01-02T14:30Z')), true);
  for (const time of ['2024-01-02T14:00Z', '2024-01-02T14:45Z', '2024-01-02T21:00Z', '2024-01-01T15:00Z']) {
    assert.equal(grid.contains(at(time)), false, time);
  }
});

test('counts the steps that next() takes, across half days, clock changes and holidays', () => {
  const sessions = sessionsBetween(Date.UTC(1990, 0, 3), Date.UTC(2100, 0, 1));
  fc.assert(
    fc.property(
      fc.constantFrom(5, 15, 30, 60, 240),
      fc.constantFrom<Hours>('regular', 'extended'),
      fc.nat({ max: sessions.length - 1 }),
      fc.integer({ min: 0, max: 300 }),
      (minutes, hours, index, walk) => {
        const grid = sessionHoursGrid(minutes * MINUTE_MS, hours);
        const start =
          Math.floor(sessionHours(sessions[index] ?? 0, hours).open / (minutes * MINUTE_MS)) * minutes * MINUTE_MS;
        let time = start;
        for (let step = 0; step < walk; step++) {
          const next = grid.next(time);
          assert.ok(next > time && grid.contains(next));
          time = next;
        }
        assert.equal(grid.steps(start, time), walk);
      },
    ),
    { numRuns: 200, seed: 1 },
  );
});
