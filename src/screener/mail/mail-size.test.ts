import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { completeRun, insertMetrics, type MetricsInput, makeFilter } from '../../../test/support/screener/filters.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { SCREENER_FIELDS } from '../../contract/index.ts';
import { renderScreenerMail } from './message/screener-mail.ts';
import { divideListedMatches, readContent } from './read-content.ts';

const SESSION = '2026-03-09';
/** Gmail cuts off an email after 102 KB. */
const MAX_BYTES = 100_000;

test('divides a hundred listed matches evenly among the filters of an email', () => {
  assert.deepEqual(divideListedMatches([]), []);
  assert.deepEqual(divideListedMatches([7]), [7]);
  assert.deepEqual(divideListedMatches([5_000]), [50]);
  assert.deepEqual(divideListedMatches([5_000, 5_000]), [50, 50]);
  assert.deepEqual(divideListedMatches([500, 3, 500]), [49, 3, 48]);
  assert.deepEqual(divideListedMatches([12, 500, 30, 1]), [12, 50, 30, 1]);
  assert.deepEqual(divideListedMatches(Array(10).fill(500)), Array(10).fill(10));
  assert.deepEqual(divideListedMatches([500, ...Array(9).fill(2)]), [50, ...Array(9).fill(2)]);
  assert.deepEqual(divideListedMatches([500, 500, 500, ...Array(7).fill(2)]), [29, 29, 28, ...Array(7).fill(2)]);
});

/** Makes the widest realistic numbers, in all fields, each of which crosses one. */
function makeWideMetrics(index: number): MetricsInput {
  const widest = (field: string) => (field === 'volume' ? 88_888_888_888 : 88_888.888) + index;
  return {
    ...Object.fromEntries(SCREENER_FIELDS.map((field) => [field, widest(field)])),
    ...Object.fromEntries(SCREENER_FIELDS.map((field) => [`previous_${field}`, -widest(field)])),
    recent_closes: Array.from({ length: 30 }, (_, day) => 888_888.123_456 + day + index),
  };
}

const CROSSINGS = SCREENER_FIELDS.map((field) => ({ field, op: 'crosses_above' as const, value: 1 }));
const COMPARISONS = SCREENER_FIELDS.slice(0, 3).map((field) => ({ field, op: 'gt' as const, value: 0 }));

forEachDatabase(
  'keeps the email of the widest possible filters below the size that email programs cut off',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const symbols = Array.from({ length: 120 }, (_, index) => `${String(index).padStart(4, '0')}-WARRANT.A`);
    await insertMetrics(
      database,
      SESSION,
      Object.fromEntries(symbols.map((name, index) => [name, makeWideMetrics(index)])),
    );
    const accounts = [];
    // Filters share their symbols or have their own. An email with few filters lists more matches of each.
    for (const [filters, universes] of [
      [1, 1],
      [2, 1],
      [10, 1],
      [10, 10],
    ] as const) {
      const { id } = await makeAccount(movableIdentity(database), { password: null });
      for (let filter = 0; filter < filters; filter++) {
        const own = symbols.filter((_, index) => index % universes === filter % universes);
        const name = `${'"'.repeat(98)}${filter}`;
        await makeFilter(database, id, { name, universe: own, all: [...CROSSINGS, ...COMPARISONS] });
      }
      accounts.push(id);
    }
    await completeRun(database, SESSION);
    for (const accountId of accounts) {
      const content = await readContent(database, { accountId, session: SESSION });
      const listed = content.filters.reduce((sum, { matches }) => sum + matches.length, 0);
      assert.equal(listed, content.filters.length === 1 ? 50 : 100);
      assert.ok(content.filters.every(({ matches: [match] }) => Object.keys(match?.values ?? {}).length === 34));
      const { html = '' } = renderScreenerMail({
        ...content,
        to: 'a@example.org',
        siteUrl: 'https://almanac.example',
        unsubscribe: `https://almanac.example/screener/unsubscribe?token=${'x'.repeat(100)}`,
      });
      const bytes = Buffer.byteLength(html);
      assert.ok(bytes < MAX_BYTES, `${content.filters.length} filters: ${bytes} bytes`);
    }
  },
);
