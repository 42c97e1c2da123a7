import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openTestDatabase, type TestDatabase, testedKind } from '../../../test/support/platform/database.ts';
import {
  createSetClock,
  handOver,
  MINUTE_MS,
  openVbaseStamper,
  readProofs,
  type SetClock,
  type StamperOptions,
  VBASE_MIGRATIONS,
} from '../../../test/support/provenance/vbase-scene.ts';
import {
  sha3,
  startVbaseServer,
  type VbaseFailure,
  type VbaseServer,
} from '../../../test/support/provenance/vbase-server.ts';
import { checkStamps } from '../../../test/support/provenance/vbase-storm.ts';
import { createLog, type Log } from '../../platform/index.ts';

const ROUND = { takesNew: true, signal: new AbortController().signal };
const DAY_MS = 24 * 60 * MINUTE_MS;

let fixture: TestDatabase;
let clock: SetClock;
let server: VbaseServer;
let lines: string[];
let log: Log;
let tests = 0;

before(async () => {
  fixture = await openTestDatabase(testedKind, VBASE_MIGRATIONS);
});
after(() => fixture[Symbol.asyncDispose]());
beforeEach(async () => {
  await server?.[Symbol.asyncDispose]();
  clock = createSetClock();
  server = await startVbaseServer(clock);
  lines = [];
  const stream = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream;
  log = createLog('info', stream);
  tests++;
});
after(() => server[Symbol.asyncDispose]());

const open = (options: StamperOptions = {}) => openVbaseStamper(fixture.database, clock, server, { log, ...options });
const hand = (count: number) =>
  handOver(
    fixture.database,
    clock,
    Array.from({ length: count }, (_, place) => `fault-${tests}-${String(place).padStart(3, '0')}`),
  );
const show = async (cids: readonly string[]) =>
  (await readProofs(fixture.database, cids)).map(
    ({ status, error_code, attempts, sent_at }) =>
      `${status} ${error_code} ${attempts} ${sent_at === null ? 'unsent' : 'sent'}`,
  );
/** Makes the first requests for stamps fail. */
function failFirst(failure: VbaseFailure, count = 1, request = 'POST /stamps'): void {
  let left = count;
  server.fail = (name) => (name === request && left-- > 0 ? failure : null);
}
const countStampRequests = () => server.requests.filter((name) => name === 'POST /stamps').length;

test('stamps proofs in a collection that is created once', async () => {
  const cids = await hand(7);
  const stamper = open({ maxProofs: 5 });
  assert.deepEqual(await stamper.runRound(ROUND), { sent: 5, stamped: 5, waitCode: null, isUnfinished: true });
  assert.deepEqual(await stamper.runRound(ROUND), { sent: 2, stamped: 2, waitCode: null, isUnfinished: false });
  assert.deepEqual(await open().runRound(ROUND), { sent: 0, stamped: 0, waitCode: null, isUnfinished: false });
  await checkStamps(fixture.database, server, cids);
  assert.equal(server.requests.filter((name) => name === 'POST /collections').length, 1);
  assert.deepEqual([server.violations, lines], [[], []]);
  const [row] = await readProofs(fixture.database, cids);
  assert.deepEqual([row?.user_address, row?.user_label, row?.chain_id], [server.userAddress.toLowerCase(), null, 8453]);
});

const UNCLEAR: readonly VbaseFailure[] = [
  { status: 500 },
  { status: 502, text: '<html>Bad gateway</html>' },
  { status: 408 },
  'reset',
  'html',
  'accepted_reset',
  'accepted_truncated',
  'accepted_500',
];
/** These end with the time limit of the request, so they are tested together. */
const UNANSWERED: readonly VbaseFailure[] = ['silent', 'accepted_late', 'accepted_silent'];

for (const failures of [...UNCLEAR.map((failure) => [failure]), UNANSWERED]) {
  test(`after requests of unknown outcome, stamps are looked up first: ${JSON.stringify(failures)}`, async () => {
    // Only the lookup can prevent a second stamp.
    server.isIdempotent = false;
    server.indexDelayMs = 4 * MINUTE_MS;
    const count = failures.length;
    const cids = await hand(count);
    const left = [...failures];
    server.fail = (name) => (name === 'POST /stamps' ? (left.shift() ?? null) : null);
    const first = await open({ requestMs: failures === UNANSWERED ? 1_000 : 30_000 }).runRound(ROUND);
    assert.deepEqual(first, { sent: count, stamped: 0, waitCode: 'STAMPER_UNREACHABLE', isUnfinished: false });
    assert.deepEqual(await show(cids), Array(count).fill('stamping null 0 sent'));
    const accepted = failures.filter((failure) => typeof failure === 'string' && failure.startsWith('accepted')).length;
    while (server.stamps.length < accepted) await nextTurn();
    clock.advance(2 * MINUTE_MS);
    await open().runRound(ROUND);
    assert.equal(countStampRequests(), count, 'not repeated before the stamp can be found');
    clock.advance(4 * MINUTE_MS);
    assert.equal((await open().runRound({ ...ROUND, takesNew: false })).stamped, count);
    await checkStamps(fixture.database, server, cids);
    assert.equal(countStampRequests(), count + count - accepted);
  });
}

test('a request whose stamp cannot be found is repeated with a window that reaches back to it', async () => {
  const cids = await hand(1);
  server.indexDelayMs = 30 * DAY_MS;
  failFirst('accepted_reset');
  await open().runRound(ROUND);
  clock.advance(3 * DAY_MS);
  await open().runRound(ROUND);
  await checkStamps(fixture.database, server, cids);
  assert.equal(countStampRequests(), 2);
});

for (const failure of ['accepted_wrong_object', 'accepted_wrong_set', { status: 400 }, { status: 409 }] as const) {
  test(`a refused proof waits while others are stamped: ${JSON.stringify(failure)}`, async () => {
    const cids = await hand(6);
    failFirst(failure);
    const stamper = open();
    assert.equal((await stamper.runRound(ROUND)).waitCode, 'STAMPER_REJECTED');
    assert.deepEqual((await show(cids)).sort().slice(0, 2), [
      'pending STAMPER_REJECTED 1 sent',
      'stamped null 0 unsent',
    ]);
    assert.equal((await stamper.runRound(ROUND)).stamped, 0, 'it is not tried again at once');
    assert.equal(lines.length, 1);
    clock.advance(6 * MINUTE_MS);
    assert.equal((await stamper.runRound(ROUND)).stamped, 1);
    await checkStamps(fixture.database, server, cids);
  });
}

test('a new stamp that is older than its request is refused and then looked up', async () => {
  const [cid = ''] = await hand(1);
  const { formatTime } = server;
  server.formatTime = (at) => formatTime(at - 16 * MINUTE_MS);
  const stamper = open();
  assert.equal((await stamper.runRound(ROUND)).waitCode, 'STAMPER_REJECTED');
  assert.deepEqual(await show([cid]), ['pending STAMPER_REJECTED 1 sent']);
  assert.match(lines.join(), /timestamp: is before 2026-03-02T09:45:00\.250Z, when there was no such stamp/);
  server.formatTime = formatTime;
  clock.advance(6 * MINUTE_MS);
  assert.equal((await stamper.runRound(ROUND)).stamped, 1);
  await checkStamps(fixture.database, server, [cid]);
  const [slow = ''] = await handOver(fixture.database, clock, [`fault-${tests}-slow`]);
  server.formatTime = (at) => formatTime(at - 14 * MINUTE_MS);
  assert.equal((await stamper.runRound(ROUND)).stamped, 1, 'the clock of a chain may lag');
  assert.deepEqual(await show([slow]), ['stamped null 0 unsent']);
});

test('nothing is stamped in a collection that was created with another id', async () => {
  const cids = await hand(2);
  const created = JSON.stringify({ name: 'almanac', cid: sha3('another name') });
  failFirst({ status: 201, text: created }, 1, 'POST /collections');
  assert.equal((await open().runRound(ROUND)).waitCode, 'STAMPER_REJECTED');
  assert.deepEqual(server.requests, ['GET /collections', 'POST /collections']);
  assert.deepEqual(await show(cids), Array(2).fill('pending STAMPER_REJECTED 0 unsent'));
  await open().runRound(ROUND);
  await checkStamps(fixture.database, server, cids);
});

test('a collection that was removed is created again after a refusal', async () => {
  const stamper = open();
  const cids = await hand(1);
  await stamper.runRound(ROUND);
  server.collections.length = 0;
  const [later = ''] = await handOver(fixture.database, clock, [`fault-${tests}-later`]);
  assert.equal((await stamper.runRound(ROUND)).waitCode, 'STAMPER_REJECTED');
  clock.advance(6 * MINUTE_MS);
  assert.equal((await stamper.runRound(ROUND)).stamped, 1);
  await checkStamps(fixture.database, server, [...cids, later]);
  assert.equal(server.collections.length, 1);
});

test('a proof that is refused again and again is tried once a day in the end', async () => {
  const cids = await hand(1);
  server.fail = (name) => (name === 'POST /stamps' ? { status: 422 } : null);
  const stamper = open();
  for (let attempt = 1; attempt <= 12; attempt++) {
    await stamper.runRound(ROUND);
    clock.advance(DAY_MS);
  }
  assert.deepEqual(await show(cids), ['pending STAMPER_REJECTED 12 sent']);
  assert.equal(countStampRequests(), 12);
  server.fail = () => null;
  await stamper.runRound(ROUND);
  await checkStamps(fixture.database, server, cids);
});

const STOPPING = [
  [{ status: 401 }, 'STAMPER_REJECTED', 15 * MINUTE_MS],
  [{ status: 403 }, 'STAMPER_REJECTED', 15 * MINUTE_MS],
  [{ status: 402 }, 'OUT_OF_FUNDS', 15 * MINUTE_MS],
  [{ status: 429, headers: { 'retry-after': '120' } }, 'STAMPER_UNREACHABLE', 2 * MINUTE_MS],
  [{ status: 429, headers: { 'retry-after': '99999999' } }, 'STAMPER_UNREACHABLE', 60 * MINUTE_MS],
] as const;
for (const [failure, code, pauseMs] of STOPPING) {
  test(`ends the round and pauses: ${JSON.stringify(failure)}`, async () => {
    const cids = await hand(12);
    failFirst(failure, Number.POSITIVE_INFINITY);
    const stamper = open();
    const stopped = { sent: 0, stamped: 0, waitCode: code, isUnfinished: false };
    assert.deepEqual(await stamper.runRound(ROUND), stopped);
    assert.equal(countStampRequests(), 4);
    assert.deepEqual(new Set(await show(cids)), new Set([`pending ${code} 0 unsent`]));
    const before = server.requests.length;
    clock.advance(pauseMs - 1_000);
    assert.deepEqual(await stamper.runRound(ROUND), stopped);
    assert.equal(server.requests.length, before, 'no request during the pause');
    clock.advance(2_000);
    assert.deepEqual(await stamper.runRound(ROUND), stopped);
    assert.ok(server.requests.length > before);
    assert.equal(lines.length, 1, 'one line for the same fault');
    server.fail = () => null;
    clock.advance(DAY_MS);
    assert.equal((await stamper.runRound(ROUND)).stamped, 12);
    await checkStamps(fixture.database, server, cids);
    assert.doesNotMatch(lines.join(), /SECRET|127\.0\.0\.1|by the test/);
  });
}

for (const [failure, waitCode] of STOPPING) {
  test(`one such reply ends the round: ${JSON.stringify(failure)}`, async () => {
    const cids = await hand(6);
    failFirst(failure);
    const stamper = open();
    assert.deepEqual(await stamper.runRound(ROUND), { sent: 3, stamped: 3, waitCode, isUnfinished: false });
    assert.equal(countStampRequests(), 4);
    clock.advance(DAY_MS);
    assert.equal((await stamper.runRound(ROUND)).stamped, 3);
    await checkStamps(fixture.database, server, cids);
  });
}

test('ends the round after some failures in a row', async () => {
  const cids = await hand(9);
  failFirst({ status: 503 }, Number.POSITIVE_INFINITY);
  assert.equal((await open().runRound(ROUND)).waitCode, 'STAMPER_UNREACHABLE');
  assert.equal(countStampRequests(), 4);
  assert.deepEqual((await show(cids)).sort(), [
    ...Array(5).fill('pending STAMPER_UNREACHABLE 0 unsent'),
    ...Array(4).fill('stamping null 0 sent'),
  ]);
  server.fail = () => null;
  clock.advance(DAY_MS);
  await open().runRound(ROUND);
  await checkStamps(fixture.database, server, cids);
});

test('waits if the service cannot be reached, or the lookup fails', async () => {
  const cids = await hand(2);
  const nowhere = open({ url: 'http://127.0.0.1:1' });
  assert.equal((await nowhere.runRound(ROUND)).waitCode, 'STAMPER_UNREACHABLE');
  assert.equal(await nowhere.check(ROUND.signal), false);
  for (const failure of [{ status: 404 }, { status: 503 }, 'reset', 'html'] as const) {
    failFirst(failure, 1, 'POST /stamps/verify');
    const { waitCode } = await open().runRound(ROUND);
    const code = typeof failure === 'object' && failure.status === 404 ? 'STAMPER_REJECTED' : 'STAMPER_UNREACHABLE';
    assert.equal(waitCode, code);
    assert.deepEqual(await show(cids), [`pending ${code} 0 unsent`, `pending ${code} 0 unsent`]);
  }
  assert.equal(countStampRequests(), 0, 'nothing is sent without a lookup');
  await open().runRound(ROUND);
  await checkStamps(fixture.database, server, cids);
});

test('an aborted request is of unknown outcome', async () => {
  const cids = await hand(6);
  const stop = new AbortController();
  server.fail = (name) => {
    if (name !== 'POST /stamps') return null;
    stop.abort();
    return 'accepted_silent';
  };
  const round = await open().runRound({ takesNew: true, signal: stop.signal });
  assert.deepEqual([round.stamped, lines], [0, []]);
  assert.equal((await show(cids)).filter((row) => row === 'stamping null 0 sent').length, 4);
  server.fail = () => null;
  clock.advance(DAY_MS);
  await open().runRound(ROUND);
  await checkStamps(fixture.database, server, cids);
});
