import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../calendar/index.ts';
import type { SeriesDescription } from '../contract/index.ts';
import { collectFacts } from './row-facts.ts';

const DESCRIPTION = {
  last_update: '2024-03-28T12:00:00.000Z',
  multiplier: 1_000,
  seasonal_adjustment: 'Seasonally adjusted',
};
const description = DESCRIPTION as unknown as SeriesDescription;
const rows = (count: number) => Array.from({ length: count }, (_, row) => ({ row, timestamp: row * DAY_MS }));
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test('groups the flags of the rows by flag, with the newest date first', () => {
  const flags = ['p', undefined, 'e', 'p', 'x'];
  const statement = {
    description: {},
    flags,
    flagLabels: { p: 'provisional', e: 'estimated' },
    footnotes: ['A note.'],
  };
  assert.deepEqual(collectFacts(description, statement, rows(4)), {
    ...DESCRIPTION,
    footnotes: ['A note.'],
    flags: [
      { flag: 'e', label: 'estimated', count: 1, dates: ['1970-01-03'] },
      { flag: 'p', label: 'provisional', count: 2, dates: ['1970-01-04', '1970-01-01'] },
    ],
    cut: false,
  });
});

test('has at most 4 KiB and leaves out the oldest dates and the last footnotes', () => {
  const flags = Array.from({ length: 5_000 }, (_, row) => (row % 3 === 0 ? 'p' : 'é'.repeat(40)));
  const footnotes = Array.from({ length: 50 }, (_, note) => `${note} ${'ü'.repeat(100)}`);
  const facts = collectFacts(description, { description: {}, flags, flagLabels: {}, footnotes }, rows(5_000));
  assert.ok(bytes(facts) <= 4_096 && bytes(facts) > 3_900, `${bytes(facts)} bytes`);
  assert.equal(facts.cut, true);
  assert.ok(facts.footnotes.length > 3 && facts.footnotes.length < 50);
  const dates = facts.flags.flatMap((flag) => flag.dates);
  const newest = new Date(4_999 * DAY_MS).toISOString().slice(0, 10);
  assert.ok(dates.includes(newest) && !dates.includes('1970-01-01'));
  assert.deepEqual(
    facts.flags.map(({ count }) => count),
    [1_667, 3_333],
  );
});

test('stays within 4 KiB with the longest flags and labels', () => {
  const flags = Array.from({ length: 100 }, (_, row) => `${row}${'\u0001'.repeat(300)}`);
  const flagLabels = Object.fromEntries(flags.map((flag) => [flag, '\u0001'.repeat(500)]));
  const facts = collectFacts(description, { description: {}, flags, flagLabels, footnotes: [] }, rows(100));
  assert.ok(bytes(facts) <= 4_096, `${bytes(facts)} bytes`);
});

test('takes only labels of its own', () => {
  const facts = collectFacts(
    description,
    { description: {}, flags: ['constructor'], flagLabels: {}, footnotes: [] },
    rows(1),
  );
  assert.equal(facts.flags[0]?.label, null);
});
