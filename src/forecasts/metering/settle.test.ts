import assert from 'node:assert/strict';
import { FORECAST_MIGRATIONS as migrations } from '../../../test/support/forecasts/forecast-rows.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import type { Database } from '../../platform/index.ts';
import { admit } from './admission.ts';
import { reserve } from './reserve.ts';
import { capture, release, type Settlement } from './settle.ts';
import { usageOf } from './usage.ts';

const NOVEMBER = new Date('2026-11-30T23:59:59.999Z');
const DECEMBER = new Date('2026-12-01T00:00:00.000Z');

forEachDatabase('what is captured is spent, in the month of the reservation', { migrations }, async ({ database }) => {
  const settlement = await reserved(database, 'ef_one');
  await database.transaction((tx) => capture(tx, settlement));
  assert.deepEqual(await usageOf(database, 'a', '2026-11'), { reserved: 0, spent: 10 });
  assert.deepEqual(await usageOf(database, 'a', '2026-12'), { reserved: 0, spent: 0 });
});

forEachDatabase('what is released can be reserved again', { migrations }, async ({ database }) => {
  const settlement = await reserved(database, 'ef_one', 10);
  await database.transaction((tx) => release(tx, settlement));
  assert.deepEqual(await usageOf(database, 'a', '2026-11'), { reserved: 0, spent: 0 });
  await reserved(database, 'ef_two', 10);
});

forEachDatabase('a forecast is settled once, either way', { migrations }, async ({ database }) => {
  for (const [first, then] of [
    [capture, capture],
    [capture, release],
    [release, release],
    [release, capture],
  ] as const) {
    const settlement = await reserved(database, `ef_${first.name}_${then.name}`);
    await database.transaction((tx) => first(tx, settlement));
    const before = await usageOf(database, 'a', '2026-11');
    await assert.rejects(
      database.transaction((tx) => then(tx, settlement)),
      new RegExp(`settled already: ${first.name}:ef_`),
    );
    assert.deepEqual(await usageOf(database, 'a', '2026-11'), before);
  }
});

forEachDatabase('only what was reserved can be settled', { migrations }, async ({ database }) => {
  const settlement = await reserved(database, 'ef_one');
  for (const settle of [capture, release]) {
    const attempt = (change: Partial<Settlement>) =>
      database.transaction((tx) => settle(tx, { ...settlement, ...change }));
    await assert.rejects(attempt({ forecastId: 'ef_two' }), /Nothing is reserved for ef_two/);
    await assert.rejects(attempt({ owner: 'b' }), /b has no reservation for ef_one/);
    await assert.rejects(attempt({ credits: 9 }), /10 credits are reserved for ef_one, not 9/);
  }
  assert.deepEqual(await usageOf(database, 'a', '2026-11'), { reserved: 10, spent: 0 });
});

forEachDatabase('of a capture and a release at once, one wins', { migrations }, async ({ database }) => {
  const wins = { capture: 0, release: 0 };
  for (let round = 0; round < 200; round++) {
    const settlement = await reserved(database, `ef_${round}`);
    // Each goes first in every other round.
    const order = round % 2 === 0 ? [capture, release] : [release, capture];
    const outcomes = await Promise.allSettled(
      order.map((settle) => database.transaction((tx) => settle(tx, settlement))),
    );
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    const loser = outcomes[1 - winner];
    assert.ok(winner >= 0 && loser?.status === 'rejected', `round ${round}`);
    assert.match(String(loser.reason), /settled already/);
    wins[winner === round % 2 ? 'capture' : 'release']++;
  }
  assert.deepEqual(await usageOf(database, 'a', '2026-11'), { reserved: 0, spent: 10 * wins.capture });
});

/** Ten credits of November, to be settled in December. */
async function reserved(database: Database, forecastId: string, limit: number | null = null): Promise<Settlement> {
  const claim = { owner: 'a', forecastId, credits: 10 };
  await database.transaction(async (tx) => {
    await admit(tx, 'a', 1_000);
    assert.ok(await reserve(tx, { ...claim, limit, now: NOVEMBER }));
  });
  return { ...claim, now: DECEMBER };
}
