import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { send, startLoopback } from '../../../test/support/platform/loopback.ts';
import { outboundMigrations } from './migrations/index.ts';
import { createProviderClient, openProviderClient } from './provider-client.ts';
import { ProviderError } from './provider-error.ts';
import { readProviderStates } from './provider-states.ts';

const MIGRATED = { migrations: [outboundMigrations] };
const START = Date.UTC(2031, 0, 1);

function readCount(value: unknown): number {
  const { count } = value as { readonly count?: unknown };
  if (count === 0) throw new ProviderError('loopback', 'NOT_FOUND', 'no rows');
  if (typeof count !== 'number') throw new ProviderError('loopback', 'MALFORMED', 'no count');
  return count;
}

forEachDatabase('a reply of a wrong shape is a failure of the provider', MIGRATED, async ({ database }) => {
  await using loopback = await startLoopback(send(200, '{"count":7}'));
  const clock = { ms: START, now: () => new Date(clock.ms) };
  const get = () =>
    openProviderClient({ database, clock }, { id: 'loopback', requestsPerMinute: 60_000 }).getJson(loopback.url, {
      accept: readCount,
    });
  const state = async () => (await readProviderStates(database, () => clock.ms))[0];
  assert.equal(await get(), 7);
  loopback.reply = send(200, '{"count":"seven"}');
  const refused = { fault: 'MALFORMED', message: 'loopback sent an invalid reply (no count).' };
  for (let times = 0; times < 5; times++) await assert.rejects(get(), refused);
  assert.equal(loopback.requests.length, 6, 'a wrong shape is not requested again');
  await assert.rejects(get(), { fault: 'CIRCUIT_OPEN', message: /until 2031-01-01T00:00:30\.000Z/ });
  const opened = { state: 'open', failures: 5, lastFault: 'MALFORMED', lastFailureAt: new Date(START) };
  assert.partialDeepStrictEqual(await state(), opened);

  clock.ms += 30_000;
  await assert.rejects(get(), refused);
  assert.equal(loopback.requests.length, 7);
  const pauseEnd = new Date(clock.ms + 60_000);
  assert.partialDeepStrictEqual(await state(), { state: 'open', openedUntil: pauseEnd }, 'the pause is twice as long');

  clock.ms += 60_000;
  loopback.reply = send(200, '{"count":7}');
  assert.equal(await get(), 7);
  assert.partialDeepStrictEqual(await state(), { state: 'closed', failures: 0, lastSuccessAt: new Date(clock.ms) });
});

forEachDatabase('a reply that the request caused is not a failure of the provider', MIGRATED, async ({ database }) => {
  await using loopback = await startLoopback(send(200, '{"count":0}'));
  const http = openProviderClient({ database }, { id: 'loopback', requestsPerMinute: 60_000 });
  const missing = { fault: 'NOT_FOUND', message: 'loopback has no such series (no rows).' };
  for (let times = 0; times < 6; times++) {
    await assert.rejects(http.getJson(loopback.url, { accept: readCount }), missing);
  }
  const bug = new TypeError('a bug');
  const fail = () => {
    throw bug;
  };
  await assert.rejects(http.getJson(loopback.url, { accept: fail }), bug);
  const [state] = await readProviderStates(database);
  assert.partialDeepStrictEqual(state, { state: 'closed', failures: 0, lastFault: null, lastSuccessAt: null });
});

test('converts JSON, text and bytes, also in steps', async () => {
  await using loopback = await startLoopback(send(200, '{"count":7}'));
  const http = createProviderClient({ provider: 'loopback', gate: null });
  assert.equal(await http.postJson(loopback.url, {}, { accept: async (value) => readCount(value) }), 7);
  assert.equal(await http.getText(loopback.url, { accept: (text) => text.length }), 11);
  assert.equal(await http.getBytes(loopback.url, { accept: async (bytes) => bytes.length }), 11);
  const refuse = async () => {
    throw new ProviderError('loopback', 'MALFORMED', 'in a later step');
  };
  await assert.rejects(http.getBytes(loopback.url, { accept: refuse }), { message: /\(in a later step\)/ });
  assert.equal(loopback.requests.length, 4);
});
