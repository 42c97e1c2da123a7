import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { fine, send, startLoopback } from '../../../test/support/platform/loopback.ts';
import type { Database } from '../database/index.ts';
import { outboundMigrations } from './migrations/index.ts';
import { openProviderClient } from './provider-client.ts';
import { createProviderGate } from './provider-gate.ts';
import { readProviderStates } from './provider-states.ts';

const MIGRATED = { migrations: [outboundMigrations] };
const START = Date.UTC(2031, 0, 1);
const PROVIDER = { id: 'loopback', requestsPerMinute: 60_000 };

/** A provider on loopback. Each request is sent by a client of its own, as if by another process. */
async function openScene(database: Database, status: number, retryAfter: string) {
  const server = await startLoopback(send(status, '', { 'retry-after': retryAfter }));
  const clock = { ms: START, now: () => new Date(clock.ms) };
  return {
    server,
    clock,
    get: (totalMs?: number) =>
      openProviderClient({ database, clock }, PROVIDER, { ...(totalMs && { totalMs }) }).getJson(server.url),
    state: async () => (await readProviderStates(database, () => clock.ms))[0],
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

for (const [status, fault] of [
  [429, 'RATE_LIMITED'],
  [503, 'UNAVAILABLE'],
] as const) {
  forEachDatabase(`sends nothing before the time that a reply ${status} names`, MIGRATED, async ({ database }) => {
    await using scene = await openScene(database, status, '120');
    const { server, clock } = scene;
    await assert.rejects(scene.get(), { fault });
    assert.partialDeepStrictEqual(await scene.state(), { state: 'closed', lastFault: fault, requestsLeft: 0 });
    server.reply = fine;
    const refused = {
      fault: 'RATE_LIMITED',
      message: /^loopback received too many requests \(it wants none until 2031-01-01T00:0[12]:\d\d\.\d{3}Z\)\.$/,
    };
    await assert.rejects(scene.get(), refused);
    await assert.rejects(scene.get(600_000), refused, 'a caller with much time does not wait for minutes');
    clock.ms += 90_000;
    await assert.rejects(scene.get(), refused);
    assert.equal(server.requests.length, 1);
    assert.equal((await scene.state())?.failures, 1, 'a request that was not sent is not a failure');
    clock.ms += 30_000;
    assert.deepEqual(await scene.get(), { fine: true });
    assert.equal(server.requests.length, 2);
  });
}

forEachDatabase('keeps a pause of ten minutes at most', MIGRATED, async ({ database }) => {
  await using scene = await openScene(database, 429, '3600');
  const { server, clock } = scene;
  await assert.rejects(scene.get(), { fault: 'RATE_LIMITED' });
  server.reply = fine;
  clock.ms += 570_000;
  await assert.rejects(scene.get(), { fault: 'RATE_LIMITED' });
  assert.equal(server.requests.length, 1);
  clock.ms += 30_000;
  assert.deepEqual(await scene.get(), { fine: true });
});

forEachDatabase('sends a trial only after the time that the provider named', MIGRATED, async ({ database }) => {
  await using scene = await openScene(database, 503, '300');
  const { server, clock } = scene;
  const gate = createProviderGate(database, { ...PROVIDER, now: () => clock.ms });
  for (let times = 0; times < 4; times++) {
    const admission = await gate.enter(1_000);
    assert.ok(admission.kind === 'granted');
    await gate.leave(admission.permit, { fault: 'TIMEOUT' });
  }
  await assert.rejects(scene.get(), { fault: 'UNAVAILABLE' });
  server.reply = fine;
  await assert.rejects(scene.get(), { fault: 'CIRCUIT_OPEN' });
  clock.ms += 30_000;
  await assert.rejects(scene.get(), { fault: 'RATE_LIMITED' });
  assert.equal(server.requests.length, 1);
  clock.ms += 270_000;
  assert.deepEqual(await scene.get(), { fine: true });
  assert.equal((await scene.state())?.state, 'closed');
});

forEachDatabase(
  'keeps the later of two pauses, and none after the clock was set back',
  MIGRATED,
  async ({ database }) => {
    const clock = { ms: START };
    const gate = createProviderGate(database, { ...PROVIDER, now: () => clock.ms });
    const [first, second] = [await gate.enter(1_000), await gate.enter(1_000)];
    assert.ok(first.kind === 'granted' && second.kind === 'granted');
    await gate.leave(first.permit, { fault: 'RATE_LIMITED', pauseMs: 60_000 });
    await gate.leave(second.permit, { fault: 'RATE_LIMITED', pauseMs: 1_000 });
    assert.deepEqual(await gate.enter(1_000), { kind: 'wait', ms: 60_000, pausedUntil: new Date(START + 60_000) });
    clock.ms -= 3_600_000;
    assert.equal((await gate.enter(1_000)).kind, 'granted');
  },
);

forEachDatabase('pauses by the clock of the database', MIGRATED, async ({ database }) => {
  await using server = await startLoopback(send(429, '', { 'retry-after': '3600' }));
  const get = () => openProviderClient({ database }, PROVIDER).getJson(server.url);
  await assert.rejects(get(), { fault: 'RATE_LIMITED' });
  server.reply = fine;
  await assert.rejects(get(), { fault: 'RATE_LIMITED', message: /it wants none until/ });
  assert.equal(server.requests.length, 1);
  await sql`UPDATE provider_state SET paused_until = paused_until - interval '10 minutes'`.execute(database.query());
  assert.deepEqual(await get(), { fine: true });
});
