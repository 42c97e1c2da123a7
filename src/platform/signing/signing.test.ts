import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { signingKeysOf } from '../../../test/support/platform/fixed-keys.ts';
import type { Database } from '../database/index.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { signingMigrations } from './migrations/index.ts';
import { rotateSigningKey } from './rotate-signing-key.ts';
import {
  createSigningKeysReader,
  listSigningKeys,
  readSigningKeys,
  removeOldSigningKeys,
  SIGNING_KEYS_FRESH_MS,
} from './signing-key.ts';
import type { SigningKeyName } from './signing-key-names.ts';

const KEY = signingKeysOf(Buffer.alloc(32, 1));

test('opens a cursor only with its own key and settings', () => {
  const cursor = sealCursor(KEY, 'settings', { offset: 20 });
  assert.deepEqual(openCursor(KEY, 'settings', cursor), { offset: 20 });
  assert.match(cursor, /^[\w-]+\.[\w-]+$/);
  assert.equal(openCursor(KEY, 'other settings', cursor), null);
  assert.equal(openCursor(signingKeysOf(Buffer.alloc(32, 2)), 'settings', cursor), null);
  const [payload, signature] = cursor.split('.');
  const forged = Buffer.from('{"offset":0}').toString('base64url');
  for (const bad of [
    '',
    '.',
    'x',
    payload,
    `.${signature}`,
    `${forged}.${signature}`,
    `${cursor}.`,
    `${cursor}x`,
    `${cursor}=`,
    `${cursor} `,
  ]) {
    assert.equal(openCursor(KEY, 'settings', bad ?? ''), null, bad);
  }
});

test('does not open a cursor when text moves between settings and position', () => {
  const [payload = '', signature] = sealCursor(KEY, 'a', { offset: 1 }).split('.');
  assert.equal(openCursor(KEY, `a${payload.slice(0, 1)}`, `${payload.slice(1)}.${signature}`), null);
});

const OPTIONS = { migrations: [signingMigrations] };

/** Lets time pass for the keys of a name. */
async function moveBack(database: Database, name: SigningKeyName, interval: string): Promise<void> {
  for (const [table, column] of [
    ['signing_key', 'signs_at'],
    ['previous_signing_key', 'signs_at'],
    ['previous_signing_key', 'accepted_until'],
  ] as const) {
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${sql.ref(column)} - ${interval}::interval
      WHERE name = ${name}`.execute(database.query());
  }
}

const rotate = (database: Database, name: SigningKeyName, isWithdrawn = false) =>
  database.transaction((tx) => rotateSigningKey(tx, name, { isWithdrawn }));

const numbersOf = (keys: readonly { readonly number: number }[]) => keys.map(({ number }) => number);

forEachDatabase('creates a signing key once', OPTIONS, async ({ database }) => {
  const all = await Promise.all(Array.from({ length: 10 }, () => readSigningKeys(database, 'cursors')));
  assert.equal(new Set(all.map(({ signing }) => signing.secret.toString('hex'))).size, 1);
  assert.equal(all[0]?.signing.secret.length, 32);
  const { signing } = await readSigningKeys(database, 'webhooks');
  assert.notDeepEqual(signing.secret, all[0]?.signing.secret);
});

forEachDatabase('every process accepts a new key before any signs with it', OPTIONS, async ({ database }) => {
  const old = await readSigningKeys(database, 'cursors');
  const cursor = sealCursor(old, 'list', { offset: 1 });
  await rotate(database, 'cursors');
  const during = await readSigningKeys(database, 'cursors');
  assert.deepEqual([during.signing.number, numbersOf(during.accepted)], [1, [2, 1]]);

  await moveBack(database, 'cursors', '31 seconds');
  const after = await readSigningKeys(database, 'cursors');
  assert.deepEqual([after.signing.number, numbersOf(after.accepted)], [2, [2, 1]]);
  const newer = sealCursor(after, 'list', { offset: 2 });
  assert.deepEqual(
    openCursor(during, 'list', newer),
    { offset: 2 },
    'a process that read the keys just after the rotation',
  );
  assert.deepEqual(openCursor(after, 'list', cursor), { offset: 1 }, 'a cursor that was open during the rotation');
});

forEachDatabase('the earlier key is refused when its time is over, and then removed', OPTIONS, async ({ database }) => {
  const cursor = sealCursor(await readSigningKeys(database, 'cursors'), 'list', { offset: 1 });
  await rotate(database, 'cursors');
  await moveBack(database, 'cursors', '24 hours');
  await removeOldSigningKeys(database);
  assert.ok(openCursor(await readSigningKeys(database, 'cursors'), 'list', cursor), 'accepted for a day');
  await moveBack(database, 'cursors', '31 seconds');
  assert.equal(openCursor(await readSigningKeys(database, 'cursors'), 'list', cursor), null);
  await removeOldSigningKeys(database);
  const { rows } = await sql`SELECT FROM previous_signing_key`.execute(database.query());
  assert.equal(rows.length, 0);
});

forEachDatabase('a withdrawal refuses every earlier key at once', OPTIONS, async ({ database }) => {
  const cursor = sealCursor(await readSigningKeys(database, 'cursors'), 'list', { offset: 1 });
  const other = await readSigningKeys(database, 'oauth-cookies');
  await rotate(database, 'cursors');
  const { previousUntil } = await rotate(database, 'cursors', true);
  const keys = await readSigningKeys(database, 'cursors');
  assert.deepEqual([previousUntil, keys.signing.number, numbersOf(keys.accepted)], [null, 3, [3]]);
  assert.equal(openCursor(keys, 'list', cursor), null);
  assert.deepEqual(await readSigningKeys(database, 'oauth-cookies'), other, 'other names keep their keys');
});

forEachDatabase('rotations at the same time run one after the other', OPTIONS, async ({ database }) => {
  const cursor = sealCursor(await readSigningKeys(database, 'cursors'), 'list', { offset: 1 });
  const results = await Promise.all(Array.from({ length: 4 }, () => rotate(database, 'cursors')));
  assert.deepEqual(numbersOf(results).toSorted(), [2, 3, 4, 5]);
  const keys = await readSigningKeys(database, 'cursors');
  assert.deepEqual([keys.signing.number, numbersOf(keys.accepted)], [1, [5, 4, 3, 2, 1]]);
  assert.ok(openCursor(keys, 'list', cursor));
});

forEachDatabase('a process reads its keys again without a restart', OPTIONS, async ({ database }) => {
  let now = 0;
  const read = createSigningKeysReader(database, 'cursors', () => now);
  const first = await read();
  assert.equal(await read(), first, 'no statement for each request');
  await rotate(database, 'cursors', true);
  now += SIGNING_KEYS_FRESH_MS - 1;
  assert.equal(await read(), first);
  now += 1;
  assert.equal((await read()).signing.number, 2);
});

forEachDatabase('lists keys without their secrets', OPTIONS, async ({ database }) => {
  await readSigningKeys(database, 'cursors');
  await rotate(database, 'webhooks');
  const [cursors, webhooks] = await listSigningKeys(database);
  assert.deepEqual({ ...cursors, createdAt: null }, { name: 'cursors', createdAt: null, signsAt: null, earlier: [] });
  assert.ok(cursors?.createdAt instanceof Date && webhooks?.signsAt instanceof Date);
  assert.deepEqual(webhooks.earlier, [{ number: 1, acceptedUntil: null }]);
});
