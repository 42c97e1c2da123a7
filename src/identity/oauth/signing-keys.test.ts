import assert from 'node:assert/strict';
import { DAY, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { openDatabase } from '../../platform/index.ts';
import { holdKeys } from './held-keys.ts';
import { readSigningKeys, removeRetiredKeys, rotateSigningKey } from './signing-keys.ts';

forEachDatabase('all who ask first get the same key', { migrations: MIGRATIONS }, async ({ database }) => {
  const identity = movableIdentity(database);
  const answers = await Promise.all(Array.from({ length: 8 }, () => readSigningKeys(identity)));
  const names = answers.map((keys) => keys.map(({ kid }) => kid).join());
  assert.equal(new Set(names).size, 1);
  assert.match(names[0] ?? '', /^[\w-]{43}$/);
  const { kty, crv, d } = answers[0]?.[0]?.private_jwk ?? {};
  assert.deepEqual([kty, crv, typeof d], ['EC', 'P-256', 'string']);
});

forEachDatabase(
  'processes that ask first at the same time get the same key, too',
  { migrations: MIGRATIONS, only: 'postgres' },
  async ({ database, location, cleanup }) => {
    const others = await Promise.all(Array.from({ length: 5 }, () => openDatabase(location)));
    for (const other of others) cleanup(() => other.close());
    const answers = await Promise.all([database, ...others].map((each) => readSigningKeys(movableIdentity(each))));
    assert.equal(new Set(answers.map((keys) => keys.map(({ kid }) => kid).join())).size, 1);
  },
);

forEachDatabase(
  'a new key signs, and the old one is kept for a day',
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
    assert.deepEqual(await names(), [kid], 'the one that signs stays, however old');
  },
);

forEachDatabase(
  'many rotations at the same time make one line of keys',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const identity = movableIdentity(database);
    const made = await Promise.all(Array.from({ length: 5 }, () => rotateSigningKey(identity)));
    const known = (await readSigningKeys(identity)).map(({ kid }) => kid);
    assert.deepEqual(known.toSorted(), made.toSorted());
  },
);

forEachDatabase(
  'a process reads the keys once, and again for one it does not know',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const identity = movableIdentity(database);
    let readings = 0;
    const counted: typeof database.query = () => {
      readings++;
      return database.query();
    };
    const counting = { ...identity, database: { ...database, query: counted } };
    const held = holdKeys(counting);
    const [first] = await held.current();
    const before = readings;
    await Promise.all(Array.from({ length: 20 }, () => held.current()));
    assert.equal(readings, before);
    const kid = await rotateSigningKey(identity);
    // Not at once: whoever makes names of keys up must not cost a statement each.
    assert.deepEqual(
      (await held.newest()).map((key) => key.kid),
      [first?.kid],
    );
    assert.equal(readings, before);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    assert.deepEqual(
      (await held.newest()).map((key) => key.kid),
      [kid, first?.kid],
    );
  },
);
