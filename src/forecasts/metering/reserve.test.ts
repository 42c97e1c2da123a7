import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { FORECAST_MIGRATIONS as migrations } from '../../../test/support/forecasts/forecast-rows.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { type Database, isUniqueViolation, openDatabase } from '../../platform/index.ts';
import { admit } from './admission.ts';
import { type Reservation, reserve } from './reserve.ts';
import { usageOf } from './usage.ts';

const NOVEMBER = new Date('2026-11-30T23:59:59.999Z');
const DECEMBER = new Date('2026-12-01T00:00:00.000Z');

forEachDatabase('reservations go up to the limit and not over it', { migrations }, async ({ database }) => {
  const ask = asker(database);
  await enter(database, 'a');
  assert.equal(await ask({ credits: 60 }), true);
  assert.equal(await ask({ credits: 41 }), false);
  assert.equal(await ask({ credits: 40 }), true);
  assert.equal(await ask({ credits: 1 }), false);
  assert.deepEqual(await usageOf(database, 'a', '2026-11'), { reserved: 100, spent: 0 });
});

forEachDatabase('a month and an owner count for themselves', { migrations }, async ({ database }) => {
  const ask = asker(database);
  await enter(database, 'a');
  await enter(database, 'b');
  assert.equal(await ask({ credits: 100 }), true);
  assert.equal(await ask({ credits: 100, now: DECEMBER }), true);
  assert.equal(await ask({ credits: 100, owner: 'b' }), true);
  assert.equal(await ask({ credits: 1 }), false);
  assert.deepEqual(await usageOf(database, 'a', '2026-12'), { reserved: 100, spent: 0 });
  assert.deepEqual(await usageOf(database, 'a', '2027-01'), { reserved: 0, spent: 0 });
});

forEachDatabase('without a limit there is no end, but there are entries', { migrations }, async ({ database }) => {
  const ask = asker(database);
  await enter(database, 'a');
  assert.equal(await ask({ credits: 2_000_000_000, limit: null }), true);
  assert.equal(await ask({ credits: 2_000_000_000, limit: null }), true);
  assert.deepEqual(await usageOf(database, 'a', '2026-11'), { reserved: 4_000_000_000, spent: 0 });
});

forEachDatabase('what makes no sense is refused', { migrations }, async ({ database }) => {
  const ask = asker(database);
  await assert.rejects(ask({ credits: 1 }), /a was not admitted/);
  await enter(database, 'a');
  await assert.rejects(ask({ credits: -1 }), /-1 is no number of credits/);
  await assert.rejects(ask({ credits: 1.5 }), /1\.5 is no number of credits/);
  await ask({ credits: 1, forecastId: 'ef_once' });
  await assert.rejects(ask({ credits: 1, forecastId: 'ef_once' }), isUniqueViolation);
  assert.deepEqual(await usageOf(database, 'a', '2026-11'), { reserved: 1, spent: 0 });
});

forEachDatabase('a reservation is two entries that add up to zero', { migrations }, async ({ database }) => {
  await enter(database, 'a');
  await asker(database)({ credits: 7, forecastId: 'ef_one' });
  const { rows } = await sql`
    SELECT transfer, owner, month, ledger_account, amount, forecast_id, created_at FROM ledger_entry ORDER BY amount
  `.execute(database.query());
  const common = {
    transfer: 'reserve:ef_one',
    owner: 'a',
    month: '2026-11',
    forecast_id: 'ef_one',
    created_at: NOVEMBER,
  };
  assert.deepEqual(rows, [
    { ...common, ledger_account: 'available', amount: -7 },
    { ...common, ledger_account: 'reserved', amount: 7 },
  ]);
});

forEachDatabase('50 at once near the limit never go over it', { migrations }, async (fixture) => {
  const { database, location, cleanup } = fixture;
  const wide = database.kind === 'postgres' ? await openDatabase({ ...location, poolSize: 50 }) : database;
  cleanup(() => wide.close());
  for (const owner of ['a', 'b', 'c', 'd', 'e']) {
    // Not admitted in the same transaction: the reservation must be exact by itself.
    await enter(wide, owner);
    const ask = asker(wide);
    await ask({ owner, credits: 65 });
    const granted = await Promise.all(Array.from({ length: 50 }, () => ask({ owner, credits: 10 })));
    assert.equal(granted.filter(Boolean).length, 3);
    assert.deepEqual(await usageOf(wide, owner, '2026-11'), { reserved: 95, spent: 0 });
  }
});

/** Asks for credits of a hundred in November for `a`, unless told otherwise. */
function asker(database: Database): (wish: Partial<Reservation>) => Promise<boolean> {
  let made = 0;
  return (wish) => {
    const usual = { owner: 'a', forecastId: `ef_${wish.owner}_${made++}`, credits: 1, limit: 100, now: NOVEMBER };
    return database.transaction((tx) => reserve(tx, { ...usual, ...wish }));
  };
}

async function enter(database: Database, owner: string): Promise<void> {
  assert.ok(await database.transaction((tx) => admit(tx, owner, 1)));
}
