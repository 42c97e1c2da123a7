import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { signingMigrations } from './migrations/index.ts';
import { readSigningKey } from './signing-key.ts';

const KEY = Buffer.alloc(32, 1);

test('opens a cursor only with its own key and settings', () => {
  const cursor = sealCursor(KEY, 'settings', { offset: 20 });
  assert.deepEqual(openCursor(KEY, 'settings', cursor), { offset: 20 });
  assert.match(cursor, /^[\w-]+\.[\w-]+$/);
  assert.equal(openCursor(KEY, 'other settings', cursor), null);
  assert.equal(openCursor(Buffer.alloc(32, 2), 'settings', cursor), null);
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

forEachDatabase('creates a signing key once', { migrations: [signingMigrations] }, async ({ database }) => {
  const keys = await Promise.all(Array.from({ length: 10 }, () => readSigningKey(database, 'cursors')));
  assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 1);
  assert.equal(keys[0]?.length, 32);
  assert.notDeepEqual(await readSigningKey(database, 'others'), keys[0]);
});
