import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { completeRun, makeFilter, type Numbers, storeNumbers } from '../../../test/support/screener/screener.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { SCREENER_FIELDS } from '../../contract/index.ts';
import { screenerMail } from './message/screener-mail.ts';
import { readContent } from './read-content.ts';
import { shareList } from './share-list.ts';

const SESSION = '2026-03-09';
/** Gmail shows 102 KB of a mail, and a link to the rest. */
const SHOWN_BYTES = 100_000;

test('a mail lists a hundred matches, shared by its filters as evenly as can be', () => {
  assert.deepEqual(shareList([]), []);
  assert.deepEqual(shareList([7]), [7]);
  assert.deepEqual(shareList([5_000]), [50]);
  assert.deepEqual(shareList([5_000, 5_000]), [50, 50]);
  assert.deepEqual(shareList([500, 3, 500]), [49, 3, 48]);
  assert.deepEqual(shareList([12, 500, 30, 1]), [12, 50, 30, 1]);
  assert.deepEqual(shareList(Array(10).fill(500)), Array(10).fill(10));
  assert.deepEqual(shareList([500, ...Array(9).fill(2)]), [50, ...Array(9).fill(2)]);
  assert.deepEqual(shareList([500, 500, 500, ...Array(7).fill(2)]), [29, 29, 28, ...Array(7).fill(2)]);
});

/** As wide as numbers of a market get, and in all fields, each of which has crossed one. */
function wideNumbers(place: number): Numbers {
  const widest = (field: string) => (field === 'volume' ? 88_888_888_888 : 88_888.888) + place;
  return {
    ...Object.fromEntries(SCREENER_FIELDS.map((field) => [field, widest(field)])),
    ...Object.fromEntries(SCREENER_FIELDS.map((field) => [`previous_${field}`, -widest(field)])),
    recent_closes: Array.from({ length: 30 }, (_, day) => 888_888.123_456 + day + place),
  };
}

const WIDE = SCREENER_FIELDS.map((field) => ({ field, op: 'crosses_above' as const, value: 1 }));
const FURTHER = SCREENER_FIELDS.slice(0, 3).map((field) => ({ field, op: 'gt' as const, value: 0 }));

forEachDatabase(
  'the widest filters that can be saved make a mail that mailboxes show to its end',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const symbols = Array.from({ length: 120 }, (_, place) => `${String(place).padStart(4, '0')}-WARRANT.A`);
    await storeNumbers(database, SESSION, Object.fromEntries(symbols.map((name, place) => [name, wideNumbers(place)])));
    const accounts = [];
    // All of them see the same symbols, or each its own; few list more of each than many do.
    for (const [filters, universes] of [
      [1, 1],
      [2, 1],
      [10, 1],
      [10, 10],
    ] as const) {
      const { id } = await makeAccount(movableIdentity(database), { password: null });
      for (let place = 0; place < filters; place++) {
        const own = symbols.filter((_, index) => index % universes === place % universes);
        const name = `${'"'.repeat(98)}${place}`;
        await makeFilter(database, id, { name, universe: own, all: [...WIDE, ...FURTHER] });
      }
      accounts.push(id);
    }
    await completeRun(database, SESSION);
    for (const accountId of accounts) {
      const content = await readContent(database, { accountId, session: SESSION });
      const listed = content.filters.reduce((sum, { matches }) => sum + matches.length, 0);
      assert.equal(listed, content.filters.length === 1 ? 50 : 100);
      assert.ok(content.filters.every(({ matches: [match] }) => Object.keys(match?.values ?? {}).length === 34));
      const { html = '' } = screenerMail({
        ...content,
        to: 'a@example.org',
        siteUrl: 'https://almanac.example',
        unsubscribe: `https://almanac.example/screener/unsubscribe?token=${'x'.repeat(100)}`,
      });
      const bytes = Buffer.byteLength(html);
      assert.ok(bytes < SHOWN_BYTES, `${content.filters.length} filters: ${bytes} bytes`);
    }
  },
);
