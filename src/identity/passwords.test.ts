import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkNewPassword, hashPassword, pretendToVerify, verifyPassword } from './passwords.ts';

const PASSWORD = 'Škoda für 1 naïve café';

test('hashes to a PHC string with the production cost and a random salt', async () => {
  const [first, second] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)]);
  for (const hash of [first, second])
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.notEqual(first, second);
});

test('accepts only the right password', async () => {
  const hash = await hashPassword(PASSWORD);
  assert.equal(await verifyPassword(PASSWORD, hash), true);
  for (const wrong of ['', PASSWORD.toLowerCase(), `${PASSWORD} `, PASSWORD.slice(0, -1), hash])
    assert.equal(await verifyPassword(wrong, hash), false, wrong);
});

test('accepts the same visible password composed or decomposed', async () => {
  assert.notEqual(PASSWORD.normalize('NFC'), PASSWORD.normalize('NFD'));
  assert.equal(await verifyPassword(PASSWORD.normalize('NFD'), await hashPassword(PASSWORD.normalize('NFC'))), true);
  assert.equal(await verifyPassword(PASSWORD.normalize('NFC'), await hashPassword(PASSWORD.normalize('NFD'))), true);
});

test('verifies a hash of another program at the cost that the hash carries', async () => {
  // A test vector of the Argon2 reference implementation.
  const reference = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  assert.equal(await verifyPassword('password', reference), true);
  assert.equal(await verifyPassword('passwore', reference), false);
  assert.equal(await verifyPassword('password', reference.replace('t=2', 't=3')), false);
});

test('throws for an unreadable stored hash instead of reporting a wrong password', async () => {
  for (const broken of ['', 'password', '$2b$10$abc', '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65'])
    await assert.rejects(verifyPassword('password', broken), /is not a PHC string/);
});

test('refuses a new password that is too short, too long or cannot be stored', () => {
  for (const good of ['ten chars!', 'xy'.repeat(512), '👍👍👍👍👎']) checkNewPassword(good);
  for (const bad of ['', 'nine char', 'xy'.repeat(513), 'ten chars\u0000', 'ten chars\ud800'])
    assert.throws(() => checkNewPassword(bad), { code: 'INVALID_REQUEST', message: /^password: / }, bad);
});

test('refuses a new password of spaces or of one repeated character', () => {
  for (const bad of ['xxxxxxxxxx', '👍👍👍👍👍', 'e\u0301'.repeat(10), ' '.repeat(10), ' \t\u00a0\u3000       '])
    assert.throws(
      () => checkNewPassword(bad),
      { code: 'INVALID_REQUEST', message: /^password: must not consist/ },
      bad,
    );
});

test('does the work of a real check for an unknown account', async () => {
  await pretendToVerify('warm up'); // loads the code
  const hash = await hashPassword(PASSWORD);
  const real = await measureCpu(() => verifyPassword('wrong password', hash));
  const decoy = await measureCpu(() => pretendToVerify('wrong password'));
  assert.ok(decoy > real / 3 && decoy < real * 3, `${decoy} and ${real} µs`);
});

/** Returns the CPU time of the work, the least of a few runs. Unlike wall time, a busy machine does not extend it. */
async function measureCpu(work: () => Promise<unknown>): Promise<number> {
  const runs: number[] = [];
  for (let run = 0; run < 4; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    runs.push(user + system);
  }
  return Math.min(...runs);
}
