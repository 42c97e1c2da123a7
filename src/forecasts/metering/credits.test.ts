import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { FORECAST_MIGRATIONS as migrations } from '../../../test/support/forecasts/forecast-rows.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { type Database, isUniqueViolation, openDatabase } from '../../platform/index.ts';
import {
  captureCredits,
  countCredits,
  creditMonth,
  creditPeriod,
  type Reservation,
  readUsage,
  releaseCredits,
  reserveCredits,
  type Settlement,
  takeSlot,
} from './charges.ts';

const NOVEMBER = new Date('2026-11-30T23:59:59.999Z');
const DECEMBER = new Date('2026-12-01T00:00:00.000Z');

test('a credit is one model fitted once on up to 1,000 rows', () => {
  assert.equal(countCredits({ models: 1, rows: 1, folds: 0 }), 2);
  assert.equal(countCredits({ models: 1, rows: 1_000, folds: 0 }), 2);
  assert.equal(countCredits({ models: 1, rows: 1_001, folds: 0 }), 4);
  assert.equal(countCredits({ models: 5, rows: 50_000, folds: 3 }), 5 * 5 * 50);
});

test('months begin at midnight UTC', () => {
  assert.equal(creditMonth(new Date('2026-11-30T23:59:59.999Z')), '2026-11');
  assert.equal(creditMonth(new Date('2026-12-01T00:30:00+01:00')), '2026-11');
  assert.equal(creditMonth(new Date('2026-12-01T00:00:00Z')), '2026-12');
  const december = { start: DECEMBER, end: new Date('2027-01-01T00:00:00.000Z') };
  assert.deepEqual(creditPeriod(DECEMBER), december);
  assert.deepEqual(creditPeriod(new Date('2026-12-31T23:59:59.999Z')), december);
});

forEachDatabase('reservations reach the limit and never exceed it', { migrations }, async ({ database }) => {
  const reserve = reserveIn(database);
  await takeOneSlot(database, 'a');
  assert.equal(await reserve({ credits: 60 }), true);
  assert.equal(await reserve({ credits: 41 }), false);
  assert.equal(await reserve({ credits: 40 }), true);
  assert.equal(await reserve({ credits: 1 }), false);
  assert.deepEqual(await readUsage(database, 'a', '2026-11'), { reserved: 100, spent: 0 });
});

forEachDatabase('each month and each owner has its own limit', { migrations }, async ({ database }) => {
  const reserve = reserveIn(database);
  await takeOneSlot(database, 'a');
  await takeOneSlot(database, 'b');
  assert.equal(await reserve({ credits: 100 }), true);
  assert.equal(await reserve({ credits: 100, now: DECEMBER }), true);
  assert.equal(await reserve({ credits: 100, owner: 'b' }), true);
  assert.equal(await reserve({ credits: 1 }), false);
  assert.deepEqual(await readUsage(database, 'a', '2026-12'), { reserved: 100, spent: 0 });
  assert.deepEqual(await readUsage(database, 'a', '2027-01'), { reserved: 0, spent: 0 });
});

forEachDatabase('unlimited credits are still recorded', { migrations }, async ({ database }) => {
  const reserve = reserveIn(database);
  await takeOneSlot(database, 'a');
  assert.equal(await reserve({ credits: 2_000_000_000, limit: null }), true);
  assert.equal(await reserve({ credits: 2_000_000_000, limit: null }), true);
  assert.deepEqual(await readUsage(database, 'a', '2026-11'), { reserved: 4_000_000_000, spent: 0 });
});

forEachDatabase('an invalid reservation is refused', { migrations }, async ({ database }) => {
  const reserve = reserveIn(database);
  await assert.rejects(reserve({ credits: 1 }), /a has no slot/);
  await takeOneSlot(database, 'a');
  await assert.rejects(reserve({ credits: -1 }), /-1 is not a number of credits/);
  await assert.rejects(reserve({ credits: 1.5 }), /1\.5 is not a number of credits/);
  await reserve({ credits: 1, forecastId: 'ef_once' });
  await assert.rejects(reserve({ credits: 1, forecastId: 'ef_once' }), isUniqueViolation);
  assert.deepEqual(await readUsage(database, 'a', '2026-11'), { reserved: 1, spent: 0 });
});

forEachDatabase('a reservation has two entries that add up to zero', { migrations }, async ({ database }) => {
  await takeOneSlot(database, 'a');
  await reserveIn(database)({ credits: 7, forecastId: 'ef_one' });
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

forEachDatabase('50 concurrent reservations never exceed the limit', { migrations }, async (fixture) => {
  const { database, location, cleanup } = fixture;
  const wide = database.kind === 'postgres' ? await openDatabase({ ...location, poolSize: 50 }) : database;
  if (wide !== database) cleanup(() => wide.close());
  // The embedded database runs one transaction at a time, so that the rounds are equal.
  for (const owner of database.kind === 'postgres' ? ['a', 'b', 'c', 'd', 'e'] : ['a']) {
    // The slot is taken in another transaction: the reservation must be exact without its lock.
    await takeOneSlot(wide, owner);
    const reserve = reserveIn(wide);
    await reserve({ owner, credits: 65 });
    const granted = await Promise.all(Array.from({ length: 50 }, () => reserve({ owner, credits: 10 })));
    assert.equal(granted.filter(Boolean).length, 3);
    assert.deepEqual(await readUsage(wide, owner, '2026-11'), { reserved: 95, spent: 0 });
  }
});

forEachDatabase('captured credits are spent in the month of the reservation', { migrations }, async ({ database }) => {
  const settlement = await reserveTen(database, 'ef_one');
  await database.transaction((tx) => captureCredits(tx, settlement));
  assert.deepEqual(await readUsage(database, 'a', '2026-11'), { reserved: 0, spent: 10 });
  assert.deepEqual(await readUsage(database, 'a', '2026-12'), { reserved: 0, spent: 0 });
});

forEachDatabase('released credits can be reserved again', { migrations }, async ({ database }) => {
  const settlement = await reserveTen(database, 'ef_one', 10);
  await database.transaction((tx) => releaseCredits(tx, settlement));
  assert.deepEqual(await readUsage(database, 'a', '2026-11'), { reserved: 0, spent: 0 });
  await reserveTen(database, 'ef_two', 10);
});

const SETTLE = { capture: captureCredits, release: releaseCredits };

forEachDatabase('a reservation is captured or released once', { migrations }, async ({ database }) => {
  for (const [first, second] of [
    ['capture', 'capture'],
    ['capture', 'release'],
    ['release', 'release'],
    ['release', 'capture'],
  ] as const) {
    const settlement = await reserveTen(database, `ef_${first}_${second}`);
    await database.transaction((tx) => SETTLE[first](tx, settlement));
    const before = await readUsage(database, 'a', '2026-11');
    await assert.rejects(
      database.transaction((tx) => SETTLE[second](tx, settlement)),
      new RegExp(`already settled: ${first}:ef_`),
    );
    assert.deepEqual(await readUsage(database, 'a', '2026-11'), before);
  }
});

forEachDatabase('only an existing reservation can be settled', { migrations }, async ({ database }) => {
  const settlement = await reserveTen(database, 'ef_one');
  for (const settle of Object.values(SETTLE)) {
    const attempt = (change: Partial<Settlement>) =>
      database.transaction((tx) => settle(tx, { ...settlement, ...change }));
    await assert.rejects(attempt({ forecastId: 'ef_two' }), /No credits are reserved for ef_two/);
    await assert.rejects(attempt({ owner: 'b' }), /b has no reservation for ef_one/);
    await assert.rejects(attempt({ credits: 9 }), /10 credits are reserved for ef_one, not 9/);
  }
  assert.deepEqual(await readUsage(database, 'a', '2026-11'), { reserved: 10, spent: 0 });
});

forEachDatabase('of a concurrent capture and release, one wins', { migrations }, async ({ database }) => {
  const wins = { capture: 0, release: 0 };
  // The embedded database runs one transaction at a time: each starts first once.
  const rounds = database.kind === 'postgres' ? 200 : 2;
  for (let round = 0; round < rounds; round++) {
    const settlement = await reserveTen(database, `ef_${round}`);
    // Each starts first in every other round.
    const order = round % 2 === 0 ? (['capture', 'release'] as const) : (['release', 'capture'] as const);
    const outcomes = await Promise.allSettled(
      order.map((kind) => database.transaction((tx) => SETTLE[kind](tx, settlement))),
    );
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    const loser = outcomes[1 - winner];
    assert.ok(winner >= 0 && loser?.status === 'rejected', `round ${round}`);
    assert.match(String(loser.reason), /already settled/);
    wins[winner === round % 2 ? 'capture' : 'release']++;
  }
  assert.deepEqual(await readUsage(database, 'a', '2026-11'), { reserved: 0, spent: 10 * wins.capture });
});

/** Returns a function that reserves credits for `a` in November, of a hundred, unless its fields differ. */
function reserveIn(database: Database): (fields: Partial<Reservation>) => Promise<boolean> {
  let count = 0;
  return (fields) => {
    const defaults = { owner: 'a', forecastId: `ef_${fields.owner}_${count++}`, credits: 1, limit: 100, now: NOVEMBER };
    return database.transaction((tx) => reserveCredits(tx, { ...defaults, ...fields }));
  };
}

async function takeOneSlot(database: Database, owner: string): Promise<void> {
  assert.ok(await database.transaction((tx) => takeSlot(tx, owner, 1)));
}

/** Reserves ten credits in November, to be settled in December. */
async function reserveTen(database: Database, forecastId: string, limit: number | null = null): Promise<Settlement> {
  const charge = { owner: 'a', forecastId, credits: 10 };
  await database.transaction(async (tx) => {
    await takeSlot(tx, 'a', 1_000);
    assert.ok(await reserveCredits(tx, { ...charge, limit, now: NOVEMBER }));
  });
  return { ...charge, now: DECEMBER };
}
