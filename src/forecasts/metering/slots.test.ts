import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { addForecastRow, FORECAST_MIGRATIONS as migrations } from '../../../test/support/forecasts/forecast-rows.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { type Database, openDatabase } from '../../platform/index.ts';
import {
  countTakenSlots,
  MAX_NETWORK_SLOTS,
  releaseNetworkSlot,
  releaseSlot,
  takeNetworkSlot,
  takeSlot,
} from './charges.ts';

forEachDatabase('an owner can take every slot, and a released one again', { migrations }, async ({ database }) => {
  const take = (owner: string, slots: number) => database.transaction((tx) => takeSlot(tx, owner, slots));
  assert.equal(await take('a', 2), true);
  assert.equal(await take('a', 2), true);
  assert.equal(await take('a', 2), false);
  assert.equal(await take('b', 1), true, 'owners do not share slots');
  assert.equal(await take('a', 1), false, 'an owner above the limit of a smaller plan gets no slot');
  await database.transaction((tx) => releaseSlot(tx, 'a'));
  assert.equal(await take('a', 2), true);
  assert.equal(await take('c', 0), false);
  assert.deepEqual(await readActive(database, 'a'), 2);
  assert.deepEqual(await readActive(database, 'c'), undefined);
});

forEachDatabase('a rollback releases a slot', { migrations }, async ({ database }) => {
  const refused = database.transaction(async (tx) => {
    await takeSlot(tx, 'a', 1);
    throw new Error('no credits');
  });
  await assert.rejects(refused, /no credits/);
  assert.equal(await readActive(database, 'a'), undefined);
});

forEachDatabase('a slot that was not taken cannot be released', { migrations }, async ({ database }) => {
  const release = () => database.transaction((tx) => releaseSlot(tx, 'a'));
  await assert.rejects(release, /a has no slot to release/);
  await database.transaction((tx) => takeSlot(tx, 'a', 1));
  await release();
  await assert.rejects(release, /a has no slot to release/);
  assert.equal(await readActive(database, 'a'), 0);
});

forEachDatabase('50 concurrent requests take four of four slots', { migrations }, async (fixture) => {
  const { database, location, cleanup } = fixture;
  const wide = database.kind === 'postgres' ? await openDatabase({ ...location, poolSize: 50 }) : database;
  cleanup(() => wide.close());
  for (const owner of ['a', 'b', 'c', 'd', 'e']) {
    const requests = Array.from({ length: 50 }, () => wide.transaction((tx) => takeSlot(tx, owner, 4)));
    const taken = await Promise.all(requests);
    assert.equal(taken.filter(Boolean).length, 4);
    assert.equal(await readActive(wide, owner), 4);
  }
});

const NETWORK = 'network:a';

forEachDatabase('guests can take every slot of their network, and a released one again', { migrations }, async (it) => {
  const { database } = it;
  const taken: string[] = [];
  for (let guest = 0; guest < MAX_NETWORK_SLOTS; guest += 1) taken.push((await takeAsGuest(database)) ?? '');
  assert.ok(taken.every(Boolean));
  assert.equal(await takeAsGuest(database), null);
  assert.ok(await takeAsGuest(database, 'network:b'), 'networks do not share slots');
  await release(database, taken[0]);
  assert.ok(await takeAsGuest(database));
  assert.equal(await countTakenSlots(database, NETWORK), MAX_NETWORK_SLOTS);
});

forEachDatabase('a forecast releases its network slot once, and only if it has one', { migrations }, async (it) => {
  const { database } = it;
  const [first] = [await takeAsGuest(database), await takeAsGuest(database)];
  await release(database, first);
  await release(database, first);
  await release(database, await addForecastRow(database, { owner: 'gst_elsewhere' }));
  assert.equal(await countTakenSlots(database, NETWORK), 1);
});

async function readActive(database: Database, owner: string): Promise<number | undefined> {
  const { rows } = await sql<{ active: number }>`SELECT active FROM admission WHERE owner = ${owner}`.execute(
    database.query(),
  );
  return rows[0]?.active;
}

let guests = 0;

/** Returns the id of a new guest's forecast; null: no slot was free. */
async function takeAsGuest(database: Database, network = NETWORK): Promise<string | null> {
  guests += 1;
  const id = await addForecastRow(database, { owner: `gst_${guests}` });
  return (await database.transaction((tx) => takeNetworkSlot(tx, network, id))) ? id : null;
}

async function release(database: Database, id: string | null | undefined): Promise<void> {
  assert.ok(id);
  await database.transaction((tx) => releaseNetworkSlot(tx, id));
}
