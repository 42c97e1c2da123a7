import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import type { Database } from '../database/index.ts';
import { budgetCapacity } from './budget.ts';
import { outboundMigrations } from './migrations/index.ts';
import { createProviderGate } from './provider-gate.ts';
import { readProviderStates } from './provider-states.ts';

const MIGRATED = { migrations: [outboundMigrations] };

/** Returns 0 if a token was taken, otherwise the milliseconds to wait. */
async function takeToken(database: Database, id: string, requestsPerMinute: number): Promise<number> {
  const admission = await createProviderGate(database, { id, requestsPerMinute }).enter(1_000);
  assert.notEqual(admission.kind, 'open');
  return admission.kind === 'wait' ? admission.ms : 0;
}

function moveRefill(database: Database, seconds: number): Promise<unknown> {
  return sql`
    UPDATE provider_state SET refilled_at = refilled_at + make_interval(secs => ${seconds})
  `.execute(database.query());
}

forEachDatabase('allows a burst, then returns the time to wait', MIGRATED, async ({ database }) => {
  // So slow that no token is added while the test runs.
  const perMinute = 0.01;
  assert.equal(budgetCapacity(perMinute), 1);
  assert.equal(await takeToken(database, 'slow', perMinute), 0);
  const wait = await takeToken(database, 'slow', perMinute);
  assert.ok(wait > 5_900_000 && wait <= 6_000_000, `${wait} ms`);
  assert.equal(await takeToken(database, 'other', perMinute), 0, 'every provider has its own bucket');
});

forEachDatabase('refills over time up to the capacity', MIGRATED, async ({ database }) => {
  const perMinute = 0.03;
  await takeToken(database, 'slow', perMinute);
  await moveRefill(database, -60 / perMinute);
  assert.equal(await takeToken(database, 'slow', perMinute), 0);
  assert.notEqual(await takeToken(database, 'slow', perMinute), 0);
  await moveRefill(database, -100 * (60 / perMinute));
  assert.equal(await takeToken(database, 'slow', perMinute), 0);
  assert.notEqual(await takeToken(database, 'slow', perMinute), 0, 'a long pause does not exceed the capacity');
});

forEachDatabase('has a token again after the returned wait', MIGRATED, async ({ database }) => {
  const perMinute = 600;
  let wait = 0;
  for (let tries = 0; wait === 0 && tries < 10_000; tries++) wait = await takeToken(database, 'quick', perMinute);
  assert.ok(wait >= 1 && wait <= 100, `${wait} ms`);
  // Timers may fire a millisecond early.
  await delay(wait + 2);
  assert.equal(await takeToken(database, 'quick', perMinute), 0);
});

forEachDatabase('refills after the clock was set back', MIGRATED, async ({ database }) => {
  const perMinute = 0.03;
  await takeToken(database, 'slow', perMinute);
  await moveRefill(database, 10 * (60 / perMinute));
  assert.equal(await takeToken(database, 'slow', perMinute), 0);
  const wait = await takeToken(database, 'slow', perMinute);
  assert.ok(wait > 1_900_000 && wait <= 2_000_000, `${wait} ms`);
});

forEachDatabase('gives fifty concurrent callers no more than the capacity', MIGRATED, async ({ database }) => {
  // A token is added every twelve seconds.
  const takers = Array.from({ length: 50 }, () => takeToken(database, 'busy', 5));
  const waits = await Promise.all(takers);
  assert.equal(waits.filter((wait) => wait === 0).length, 1);

  const perMinute = 42;
  const started = performance.now();
  const many = await Promise.all(Array.from({ length: 50 }, () => takeToken(database, 'roomy', perMinute)));
  const taken = many.filter((wait) => wait === 0).length;
  const refilled = Math.floor((perMinute / 60) * ((performance.now() - started) / 1_000)) + 1;
  assert.ok(taken >= 7 && taken <= 7 + refilled, `${taken} were taken, 7 expected`);
  assert.ok(many.every((wait) => wait >= 0 && Number.isInteger(wait)));
});

forEachDatabase('refills by a given clock', MIGRATED, async ({ database }) => {
  let now = Date.UTC(2031, 0, 1);
  const options = { id: 'simulated', requestsPerMinute: 12, now: () => now };
  const gate = createProviderGate(database, options);
  const take = async () => (await gate.enter(1_000)).kind;
  const left = async () => (await readProviderStates(database, options.now))[0]?.requestsLeft;
  assert.deepEqual(
    [await take(), await left(), await take(), await left(), await take()],
    ['granted', 1, 'granted', 0, 'wait'],
  );
  now += 5_000;
  assert.deepEqual([await left(), await take(), await take()], [1, 'granted', 'wait']);
});
