import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { FORECAST_MIGRATIONS as migrations } from '../../../test/support/forecasts/forecast-rows.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { type Database, openDatabase } from '../../platform/index.ts';
import { admit, leave } from './admission.ts';

forEachDatabase('as many get in as there are slots, and one more for each that leaves', { migrations }, async (it) => {
  const { database } = it;
  const enter = (owner: string, slots: number) => database.transaction((tx) => admit(tx, owner, slots));
  assert.equal(await enter('a', 2), true);
  assert.equal(await enter('a', 2), true);
  assert.equal(await enter('a', 2), false);
  assert.equal(await enter('b', 1), true, 'owners do not share');
  assert.equal(await enter('a', 1), false, 'a smaller plan closes the door for those who are over it');
  await database.transaction((tx) => leave(tx, 'a'));
  assert.equal(await enter('a', 2), true);
  assert.equal(await enter('c', 0), false);
  assert.deepEqual(await activeOf(database, 'a'), 2);
  assert.deepEqual(await activeOf(database, 'c'), undefined);
});

forEachDatabase('a slot that is rolled back was not taken', { migrations }, async ({ database }) => {
  const refused = database.transaction(async (tx) => {
    await admit(tx, 'a', 1);
    throw new Error('no credits');
  });
  await assert.rejects(refused, /no credits/);
  assert.equal(await activeOf(database, 'a'), undefined);
});

forEachDatabase('nobody leaves who is not in', { migrations }, async ({ database }) => {
  const goAway = () => database.transaction((tx) => leave(tx, 'a'));
  await assert.rejects(goAway, /a has no slot to give back/);
  await database.transaction((tx) => admit(tx, 'a', 1));
  await goAway();
  await assert.rejects(goAway, /a has no slot to give back/);
  assert.equal(await activeOf(database, 'a'), 0);
});

forEachDatabase('of 50 at once, four get into four slots', { migrations }, async ({ database, location, cleanup }) => {
  const wide = database.kind === 'postgres' ? await openDatabase({ ...location, poolSize: 50 }) : database;
  cleanup(() => wide.close());
  for (const owner of ['a', 'b', 'c', 'd', 'e']) {
    const tries = Array.from({ length: 50 }, () => wide.transaction((tx) => admit(tx, owner, 4)));
    const admitted = await Promise.all(tries);
    assert.equal(admitted.filter(Boolean).length, 4);
    assert.equal(await activeOf(wide, owner), 4);
  }
});

async function activeOf(database: Database, owner: string): Promise<number | undefined> {
  const { rows } = await sql<{ active: number }>`SELECT active FROM admission WHERE owner = ${owner}`.execute(
    database.query(),
  );
  return rows[0]?.active;
}
