import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkNewPassword, hashPassword, pretendToVerify, verifyPassword } from './passwords.ts';

const PASSWORD = 'Škoda für 1 naïve café';

test('a hash is in PHC form with its cost and a salt of its own, and says nothing of the password', async () => {
  const [first, second] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)]);
  for (const hash of [first, second])
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.notEqual(first, second);
});

test('only the right password is accepted', async () => {
  const hash = await hashPassword(PASSWORD);
  assert.equal(await verifyPassword(PASSWORD, hash), true);
  for (const wrong of ['', PASSWORD.toLowerCase(), `${PASSWORD} `, PASSWORD.slice(0, -1), hash])
    assert.equal(await verifyPassword(wrong, hash), false, wrong);
});

test('the same visible password is accepted composed or decomposed', async () => {
  assert.notEqual(PASSWORD.normalize('NFC'), PASSWORD.normalize('NFD'));
  assert.equal(await verifyPassword(PASSWORD.normalize('NFD'), await hashPassword(PASSWORD.normalize('NFC'))), true);
  assert.equal(await verifyPassword(PASSWORD.normalize('NFC'), await hashPassword(PASSWORD.normalize('NFD'))), true);
});

test('a hash of another cost or program is verified at the cost that it names', async () => {
  // A test vector of the Argon2 reference implementation.
  const reference = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  assert.equal(await verifyPassword('password', reference), true);
  assert.equal(await verifyPassword('passwore', reference), false);
  assert.equal(await verifyPassword('password', reference.replace('t=2', 't=3')), false);
});

test('a stored hash that cannot be read is a fault of ours, not a wrong password', async () => {
  for (const broken of ['', 'password', '$2b$10$abc', '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65'])
    await assert.rejects(verifyPassword('password', broken), /not in the expected form/);
});

test('a new password must be long enough, not endless, and text that can be typed again', () => {
  for (const good of ['ten chars!', 'xy'.repeat(512), '👍👍👍👍👎']) checkNewPassword(good);
  for (const bad of ['', 'nine char', 'xy'.repeat(513), 'ten chars\u0000', 'ten chars\ud800'])
    assert.throws(() => checkNewPassword(bad), { code: 'INVALID_REQUEST', message: /^password: / }, bad);
});

test('a new password is more than blanks or one character again and again', () => {
  for (const bad of ['xxxxxxxxxx', '👍👍👍👍👍', 'e\u0301'.repeat(10), ' '.repeat(10), ' \t\u00a0\u3000       '])
    assert.throws(() => checkNewPassword(bad), { code: 'INVALID_REQUEST', message: /^password: must be more/ }, bad);
});

test('pretending to verify takes the work of a real check', async () => {
  await pretendToVerify('warm up'); // the first one makes the decoy
  const hash = await hashPassword(PASSWORD);
  const real = await cpuOf(() => verifyPassword('wrong password', hash));
  const pretended = await cpuOf(() => pretendToVerify('wrong password'));
  assert.ok(pretended > real / 3 && pretended < real * 3, `${pretended} and ${real} µs`);
});

/** Processor time, which a busy machine does not stretch as it does the clock. The least of a few runs. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const runs: number[] = [];
  for (let run = 0; run < 4; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    runs.push(user + system);
  }
  return Math.min(...runs);
}
