import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChoices } from './page-choices.ts';
import type { SeriesRows } from './read-rows.ts';
import { renderNotes } from './render-notes.ts';
import type { SeriesView } from './series-view.ts';

const ROWS = {
  timestamps: [Date.UTC(2024, 0, 2)],
  columns: { close: [1] },
  provider: 'massive',
  truncated: false,
  fallbackUsed: false,
  dropped: {},
} as unknown as SeriesRows;

function notes(rows: Partial<SeriesRows>, query: Record<string, string> = {}): string {
  const source = { type: 'market', symbol: 'AAPL', timeframe: '1D' };
  const view = { source, choices: readChoices(query, true) } as unknown as SeriesView;
  return renderNotes(view, { ...ROWS, ...rows }).text.trim();
}

test('there is no note about rows that are complete and of the preferred provider', () => {
  assert.equal(notes({}), '');
});

test('names the provider that took over, the rows that were left out, and why', () => {
  assert.match(notes({ fallbackUsed: true }), /The preferred provider failed\. These rows are from Massive\./);
  assert.match(
    notes({ dropped: { duplicate: 2, not_a_number: 1, absurd: 0 } }),
    /not valid were left out: 2 given twice, 1 not a number\./,
  );
});

test('leads to older rows and, from a snapshot, to the current ones', () => {
  assert.match(notes({ truncated: true }), /rows before Jan 2, 2024\. <a class="tap" href="[^"]*limit=50000">/);
  const frozen = notes({ truncated: true }, { snapshot: 'snap_1' });
  assert.match(frozen, /rows of one snapshot/);
  assert.doesNotMatch(frozen, /rows before/);
});
