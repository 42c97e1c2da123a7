import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Hours } from './session-hours.ts';
import { sessionHours } from './session-hours.ts';
import { sessionHoursGrid } from './session-hours-grid.ts';
import { sessionsBetween } from './sessions.ts';

const MINUTE = 60_000;
const at = (iso: string) => Date.parse(iso);

/** The periods of one day, found by trying every one of them. */
function periodsOf(date: string, minutes: number, hours: Hours): string[] {
  const grid = sessionHoursGrid(minutes * MINUTE, hours);
  const found: string[] = [];
  for (let time = at(date); time < at(date) + 36 * 60 * MINUTE; time += minutes * MINUTE) {
    if (grid.contains(time) && time < at(date) + 30 * 60 * MINUTE)
      found.push(new Date(time).toISOString().slice(11, 16));
  }
  return found;
}

test('the periods are those that overlap the hours', () => {
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

test('timestamps inside a period, or outside the hours, are not on the grid', () => {
  const grid = sessionHoursGrid(30 * MINUTE, 'regular');
  assert.equal(grid.contains(at('2024-01-02T14:30Z')), true);
  for (const time of ['2024-01-02T14:00Z', '2024-01-02T14:45Z', '2024-01-02T21:00Z', '2024-01-01T15:00Z']) {
    assert.equal(grid.contains(at(time)), false, time);
  }
});

test('steps are counted as by walking, over half days, clock changes and holidays', () => {
  const sessions = sessionsBetween(Date.UTC(1990, 0, 3), Date.UTC(2100, 0, 1));
  fc.assert(
    fc.property(
      fc.constantFrom(5, 15, 30, 60, 240),
      fc.constantFrom<Hours>('regular', 'extended'),
      fc.nat({ max: sessions.length - 1 }),
      fc.integer({ min: 0, max: 300 }),
      (minutes, hours, index, walk) => {
        const grid = sessionHoursGrid(minutes * MINUTE, hours);
        const start =
          Math.floor(sessionHours(sessions[index] ?? 0, hours).open / (minutes * MINUTE)) * minutes * MINUTE;
        let time = start;
        for (let step = 0; step < walk; step++) {
          const next = grid.next(time);
          assert.ok(next > time && grid.contains(next));
          time = next;
        }
        assert.equal(grid.steps(start, time), walk);
      },
    ),
    { numRuns: 200 },
  );
});
