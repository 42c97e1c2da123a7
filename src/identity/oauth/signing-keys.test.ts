import assert from 'node:assert/strict';
import { DAY, movableIdentity, SECOND } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { openDatabase } from '../../platform/index.ts';
import { cacheSigningKeys, readSigningKeys, removeRetiredKeys, rotateSigningKey } from './signing-keys.ts';

forEachDatabase('creates one key for concurrent first reads', { migrations: MIGRATIONS }, async ({ database }) => {
  const identity = movableIdentity(database);
  const answers = await Promise.all(Array.from({ length: 8 }, () => readSigningKeys(identity)));
  const names = answers.map((keys) => keys.map(({ kid }) => kid).join());
  assert.equal(new Set(names).size, 1);
  assert.match(names[0] ?? '', /^[\w-]{43}$/);
  const { kty, crv, d } = answers[0]?.[0]?.private_jwk ?? {};
  assert.deepEqual([kty, crv, typeof d], ['EC', 'P-256', 'string']);
});

forEachDatabase(
  'creates one key for concurrent first reads of several processes',
  { migrations: MIGRATIONS, only: 'postgres' },
  async ({ database, location, cleanup }) => {
    const others = await Promise.all(Array.from({ length: 5 }, () => openDatabase(location)));
    for (const other of others) cleanup(() => other.close());
    const answers = await Promise.all([database, ...others].map((each) => readSigningKeys(movableIdentity(each))));
    assert.equal(new Set(answers.map((keys) => keys.map(({ kid }) => kid).join())).size, 1);
  },
);

forEachDatabase(
  'signs with a new key and keeps the old one for a day',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const identity = movableIdentity(database);
    const [first] = await readSigningKeys(identity);
    const kid = await rotateSigningKey(identity);
    const names = async () => (await readSigningKeys(identity)).map((key) => key.kid);
    assert.deepEqual(await names(), [kid, first?.kid]);
    identity.clock.advance(DAY - 1_000);
    await removeRetiredKeys(database, identity.clock);
    assert.deepEqual(await names(), [kid, first?.kid]);
    identity.clock.advance(2_000);
    await removeRetiredKeys(database, identity.clock);
    assert.deepEqual(await names(), [kid]);
    identity.clock.advance(100 * DAY);
    await removeRetiredKeys(database, identity.clock);
    assert.deepEqual(await names(), [kid], 'the signing key stays, however old');
  },
);

forEachDatabase(
  'concurrent rotations number their keys without gaps',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const identity = movableIdentity(database);
    const rotated = await Promise.all(Array.from({ length: 5 }, () => rotateSigningKey(identity)));
    const known = (await readSigningKeys(identity)).map(({ kid }) => kid);
    assert.deepEqual(known.toSorted(), rotated.toSorted());
  },
);

forEachDatabase(
  'reads the keys once, and again for an unknown key',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const identity = movableIdentity(database);
    let reads = 0;
    const counted: typeof database.query = () => {
      reads++;
      return database.query();
    };
    const countingIdentity = { ...identity, database: { ...database, query: counted } };
    const cache = cacheSigningKeys(countingIdentity);
    const [first] = await cache.current();
    const before = reads;
    await Promise.all(Array.from({ length: 20 }, () => cache.current()));
    assert.equal(reads, before);
    const kid = await rotateSigningKey(identity);
    // Not immediately: invented key ids must not cost a statement each.
    assert.deepEqual(
      (await cache.newest()).map((key) => key.kid),
      [first?.kid],
    );
    assert.equal(reads, before);
    identity.clock.advance(SECOND);
    assert.deepEqual(
      (await cache.newest()).map((key) => key.kid),
      [kid, first?.kid],
    );
  },
);
