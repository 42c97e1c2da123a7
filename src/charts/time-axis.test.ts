import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateWidth } from './text.ts';
import { hasTimesOfDay, timeTicks } from './time-axis.ts';
import { createTimeScale } from './time-scale.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const ticksOf = (first: number, distance: number, count: number, width = 600) =>
  timeTicks(
    createTimeScale(
      Float64Array.from({ length: count }, (_, i) => first + i * distance),
      40,
      40 + width,
    ),
  );
const labelsOf = (...rows: Parameters<typeof ticksOf>): string[] =>
  ticksOf(...rows).map(({ label, context }) => (context === '' ? label : `${label} | ${context}`));

test('labels are round times, from minutes to centuries', () => {
  const start = Date.UTC(2026, 11, 31, 22);
  assert.deepEqual(labelsOf(start, MINUTE, 240), [
    '22:00 | Dec 31, 2026 UTC',
    '22:30',
    '23:00',
    '23:30',
    '00:00 | Jan 1',
    '00:30',
    '01:00',
    '01:30',
  ]);
  assert.deepEqual(labelsOf(start, DAY / 24, 24 * 14), [
    'Jan 2 | 2027',
    'Jan 4',
    'Jan 6',
    'Jan 8',
    'Jan 10',
    'Jan 12',
    'Jan 14',
  ]);
  assert.deepEqual(labelsOf(Date.UTC(2025, 10, 3), DAY, 60), [
    'Nov 3 | 2025',
    'Nov 10',
    'Nov 17',
    'Nov 24',
    'Dec 1',
    'Dec 8',
    'Dec 15',
    'Dec 22',
    'Dec 29',
  ]);
  assert.deepEqual(
    labelsOf(Date.UTC(2024, 10, 1), DAY, 240),
    ['Nov', 'Dec', 'Jan | 2025', 'Feb', 'Mar', 'Apr', 'May', 'Jun'].with(0, 'Nov | 2024'),
  );
  assert.deepEqual(labelsOf(Date.UTC(1950, 0, 1), 30.4 * DAY, 900), [
    '1950',
    '1960',
    '1970',
    '1980',
    '1990',
    '2000',
    '2010',
    '2020',
  ]);
  assert.deepEqual(labelsOf(Date.UTC(1200, 0, 1), 3652.5 * DAY, 80).at(-1), '1900');
  assert.deepEqual(labelsOf(start, 1_000, 20), ['22:00 | Dec 31, 2026 UTC']);
});

test('months, quarters and years are labeled at their last day, where their rows are', () => {
  const rowsOf = (months: number, count: number) =>
    Array.from({ length: count }, (_, i) => Date.UTC(2020, (i + 1) * months, 0));
  const readAt = (times: number[], width: number) => {
    const scale = createTimeScale(times, 0, width);
    const rows = new Map(times.map((time) => [scale.x(time), new Date(time).toISOString().slice(0, 7)]));
    return timeTicks(scale).map(({ x, label, context }) => `${rows.get(x)}: ${label} ${context}`.trim());
  };
  assert.deepEqual(readAt(rowsOf(1, 6), 400), [
    '2020-01: Jan 2020',
    '2020-02: Feb',
    '2020-03: Mar',
    '2020-04: Apr',
    '2020-05: May',
    '2020-06: Jun',
  ]);
  assert.deepEqual(readAt(rowsOf(1, 24), 400).slice(0, 3), ['2020-01: Jan 2020', '2020-04: Apr', '2020-07: Jul']);
  assert.deepEqual(readAt(rowsOf(1, 40), 200), ['2020-01: 2020', '2021-01: 2021', '2022-01: 2022', '2023-01: 2023']);
  assert.deepEqual(readAt(rowsOf(3, 5), 400), [
    '2020-03: Q1 2020',
    '2020-06: Q2',
    '2020-09: Q3',
    '2020-12: Q4',
    '2021-03: Q1 2021',
  ]);
  assert.deepEqual(
    readAt(rowsOf(12, 11), 400),
    ['2020', '2022', '2024', '2026', '2028', '2030'].map((year) => `${year}-12: ${year}`),
  );
});

test('bars that come in sessions are labeled by their first rows', () => {
  const times = Array.from({ length: 390 }, (_, i) => Date.UTC(2026, 2, 2 + Math.floor(i / 78), 14, 30 + 5 * (i % 78)));
  const labels = timeTicks(createTimeScale(times, 0, 400)).map(({ label, context }) => `${label} ${context}`.trim());
  assert.deepEqual(labels, ['Mar 3 2026', 'Mar 4', 'Mar 5', 'Mar 6']);
  const wide = timeTicks(createTimeScale(times, 0, 1_100)).map(({ label, context }) => `${label} ${context}`.trim());
  assert.ok(wide.includes('14:30 Mar 4') && wide.length >= 8, wide.join(', '));
});

test('labels never touch each other', () => {
  const start = Date.UTC(2025, 11, 30, 21, 17);
  for (const distance of [MINUTE, 7 * MINUTE, DAY / 24, DAY / 3, DAY, 7 * DAY, 30 * DAY, 365 * DAY]) {
    for (const count of [2, 3, 30, 113, 400]) {
      for (const width of [150, 280, 620, 1_100]) {
        const ticks = ticksOf(start, distance, count, width);
        assert.ok(
          ticks.length <= width / 40 + 2 && ticks.length >= 1,
          `${distance} ${count} ${width}: ${ticks.length}`,
        );
        for (const line of ['label', 'context'] as const) {
          const shown = ticks.filter((tick) => tick[line] !== '');
          for (const [i, tick] of shown.entries()) {
            const before = shown[i - 1];
            if (before === undefined) continue;
            const room = tick.x - before.x - (estimateWidth(tick[line], 12) + estimateWidth(before[line], 12)) / 2;
            assert.ok(room > 2, `${before[line]} and ${tick[line]} at a width of ${width}`);
          }
        }
      }
    }
  }
});

test('times of the day matter for rows that are closer than a day', () => {
  assert.equal(hasTimesOfDay([0, DAY, 3 * DAY]), false);
  assert.equal(hasTimesOfDay([0, DAY, DAY + 3_600_000]), true);
  assert.equal(hasTimesOfDay([3_600_000]), true);
});
