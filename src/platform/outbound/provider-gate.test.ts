import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import type { Database } from '../database/index.ts';
import { outboundMigrations } from './migrations/index.ts';
import type { ProviderFault } from './provider-error.ts';
import {
  type Admission,
  type CallOutcome,
  createProviderGate,
  type Permit,
  type ProviderGate,
} from './provider-gate.ts';
import { readProviderStates } from './provider-states.ts';

const MIGRATED = { migrations: [outboundMigrations] };
const START = Date.UTC(2031, 4, 5, 12);
const DOWN: CallOutcome = { fault: 'UNAVAILABLE' };

/** A gate with a clock of its own. Each gate of a test is like one of another process. */
function scene(database: Database, id = 'example') {
  const clock = { now: START };
  const open = (): ProviderGate =>
    createProviderGate(database, { id, requestsPerMinute: 60_000, now: () => clock.now });
  return { clock, open, gate: open() };
}

/** Enters as a client does: a statement that waited for another process may have to be repeated. */
async function enter(gate: ProviderGate): Promise<Admission> {
  for (;;) {
    const admission = await gate.enter(10_000);
    if (admission.kind !== 'wait') return admission;
  }
}

async function permitOf(gate: ProviderGate): Promise<Permit> {
  const admission = await gate.enter(10_000);
  assert.ok(admission.kind === 'granted', admission.kind);
  return admission.permit;
}

async function call(gate: ProviderGate, outcome: CallOutcome): Promise<Permit> {
  const permit = await permitOf(gate);
  await gate.leave(permit, outcome);
  return permit;
}

async function stateOf(database: Database, clock: { readonly now: number }, id = 'example') {
  const state = (await readProviderStates(database, () => clock.now)).find(({ provider }) => provider === id);
  assert.ok(state);
  return state;
}

/** Asserts that the breaker is open and returns how many seconds it stays so. */
async function secondsOpen(gate: ProviderGate, clock: { readonly now: number }): Promise<number> {
  const admission = await gate.enter(10_000);
  assert.ok(admission.kind === 'open' && admission.until !== null, admission.kind);
  return (admission.until.getTime() - clock.now) / 1_000;
}

async function fail(gate: ProviderGate, times: number, fault: ProviderFault = 'TIMEOUT'): Promise<void> {
  for (let time = 0; time < times; time++) await call(gate, { fault });
}

forEachDatabase('opens after five failures in a row, for every process', MIGRATED, async ({ database }) => {
  const { clock, gate, open } = scene(database);
  await fail(gate, 4);
  await call(gate, 'succeeded');
  await fail(gate, 4);
  const other = open();
  assert.equal((await stateOf(database, clock)).state, 'closed');
  await fail(other, 1, 'UNAVAILABLE');
  assert.equal(await secondsOpen(gate, clock), 30);
  assert.equal(await secondsOpen(other, clock), 30);
  clock.now += 29_999;
  assert.equal(await secondsOpen(gate, clock), 0.001);
  const opened = { state: 'open', failures: 5, lastFault: 'UNAVAILABLE', openedAt: new Date(START) };
  assert.partialDeepStrictEqual(await stateOf(database, clock), { ...opened, lastFailureAt: new Date(START) });
  await permitOf(scene(database, 'another').gate);
});

forEachDatabase('sends one trial among concurrent processes; its success closes', MIGRATED, async ({ database }) => {
  const { clock, gate, open } = scene(database);
  await fail(gate, 5);
  clock.now += 30_000;
  assert.equal((await stateOf(database, clock)).state, 'trial');
  const admissions = await Promise.all(Array.from({ length: 20 }, () => enter(open())));
  const granted = admissions.filter((one) => one.kind === 'granted');
  assert.equal(granted.length, 1);
  assert.equal(admissions.filter((one) => one.kind === 'open' && one.until === null).length, 19);
  const trial = granted[0]?.permit as Permit;
  assert.ok(trial.trial);
  await gate.leave(trial, 'succeeded');
  assert.partialDeepStrictEqual(await stateOf(database, clock), {
    state: 'closed',
    failures: 0,
    openedAt: null,
    lastSuccessAt: new Date(clock.now),
  });
  assert.equal((await permitOf(gate)).trial, null);
});

forEachDatabase('doubles the pause after each failed trial, up to ten minutes', MIGRATED, async ({ database }) => {
  const { clock, gate } = scene(database);
  await fail(gate, 5);
  for (const seconds of [30, 60, 120, 240, 480, 600, 600]) {
    assert.equal(await secondsOpen(gate, clock), seconds);
    clock.now += seconds * 1_000;
    await call(gate, DOWN);
  }
  assert.equal((await stateOf(database, clock)).openedAt?.getTime(), START, 'it opened once');
  clock.now += 600_000;
  await call(gate, 'succeeded');
  await fail(gate, 5);
  assert.equal(await secondsOpen(gate, clock), 30, 'a success makes the next pause short again');
});

forEachDatabase('lets another trial begin after one that was abandoned or died', MIGRATED, async ({ database }) => {
  const { clock, gate, open } = scene(database);
  await fail(gate, 5);
  clock.now += 30_000;
  await call(gate, 'abandoned');
  const died = await permitOf(gate);
  assert.equal((await open().enter(10_000)).kind, 'open');
  clock.now += 14_999;
  assert.equal((await open().enter(10_000)).kind, 'open', 'the trial may last its time limit and five seconds');
  clock.now += 1;
  const next = await permitOf(open());
  assert.ok(next.trial !== null && next.trial !== died.trial);
  await gate.leave(died, 'succeeded');
  await gate.leave(died, 'abandoned');
  await gate.leave(died, DOWN);
  assert.equal((await open().enter(10_000)).kind, 'open', 'the late end of the first trial has no effect');
  await gate.leave(next, 'succeeded');
  assert.equal((await stateOf(database, clock)).state, 'closed');
});

forEachDatabase('ignores calls that began before it opened', MIGRATED, async ({ database }) => {
  const { clock, gate } = scene(database);
  const [first, second] = [await permitOf(gate), await permitOf(gate)];
  await fail(gate, 5);
  await gate.leave(first, 'succeeded');
  await gate.leave(second, DOWN);
  assert.partialDeepStrictEqual(await stateOf(database, clock), { state: 'open', failures: 5 });
  assert.equal(await secondsOpen(gate, clock), 30);
});

forEachDatabase(
  'a refused request is neither a failure nor a success, but ends a trial',
  MIGRATED,
  async ({ database }) => {
    const { clock, gate } = scene(database);
    for (let times = 0; times < 10; times++) await call(gate, 'replied');
    await fail(gate, 4);
    await call(gate, 'replied');
    assert.equal((await stateOf(database, clock)).failures, 4);
    await fail(gate, 1);
    clock.now += 30_000;
    await call(gate, 'replied');
    assert.partialDeepStrictEqual(await stateOf(database, clock), {
      state: 'closed',
      failures: 0,
      lastSuccessAt: null,
    });
  },
);

forEachDatabase('records a success at most once a minute', MIGRATED, async ({ database }) => {
  const { clock, gate } = scene(database);
  assert.equal((await call(gate, 'succeeded')).isSuccessNews, true);
  clock.now += 60_000;
  assert.equal((await call(gate, 'succeeded')).isSuccessNews, false);
  assert.equal((await stateOf(database, clock)).lastSuccessAt?.getTime(), START);
  clock.now += 1;
  assert.equal((await call(gate, 'succeeded')).isSuccessNews, true);
  assert.equal((await stateOf(database, clock)).lastSuccessAt?.getTime(), clock.now);
});

forEachDatabase('makes a trial after the clock was set back', MIGRATED, async ({ database }) => {
  const { clock, gate } = scene(database);
  await fail(gate, 5);
  clock.now -= 3_600_000;
  assert.ok((await permitOf(gate)).trial);
  clock.now -= 3_600_000;
  assert.ok((await permitOf(gate)).trial);
});

forEachDatabase('uses the clock of the database and tolerates the loss of its row', MIGRATED, async ({ database }) => {
  const gate = createProviderGate(database, { id: 'example', requestsPerMinute: 60_000 });
  await fail(gate, 5);
  assert.equal((await gate.enter(10_000)).kind, 'open');
  await sql`UPDATE provider_state SET opened_until = opened_until - interval '30 seconds'`.execute(database.query());
  const trial = await permitOf(gate);
  assert.ok(trial.trial);
  // A crash empties an unlogged table.
  await sql`DELETE FROM provider_state`.execute(database.query());
  await gate.leave(trial, DOWN);
  assert.equal((await permitOf(gate)).trial, null);
});
