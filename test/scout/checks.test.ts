import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../src/calendar/index.ts';
import { createIdentityContext, createWorkspaceContext } from '../../src/compose/index.ts';
import { createLog, type Database, ProviderError, systemClock } from '../../src/platform/index.ts';
import { checkDueEvents, reviseEvent } from '../../src/scout/index.ts';
import { readSnapshot, removeUnusedSnapshots } from '../../src/snapshots/index.ts';
import { deleteWorkspace } from '../../src/workspaces/index.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { makeBar, moveTo, onScout, type ScoutScene } from '../support/scout/scout-scene.ts';
import { DAILY_CSV, makeCsvFile } from '../support/workspaces/csv-files.ts';
import { makeMember, makeWorkspace } from '../support/workspaces/workspaces.ts';

const FRIDAY = '2026-03-06';
/** 4 p.m. in New York. */
const CLOSE = Date.parse('2026-03-06T21:00:00Z');

async function readEntries(database: Database, id: string): Promise<string[]> {
  const { rows } = await sql<{ entry: string }>`
    SELECT action || ' ' || coalesce(details->>'state', details->>'status', '') AS entry
    FROM event_audit WHERE event_id = ${id} ORDER BY id`.execute(database.query());
  return rows.map(({ entry }) => entry.trim());
}

onScout('resolves an event once, and not before its observation is final', async (scene, database) => {
  const { id } = await scene.publish(FRIDAY, { probability: 0.8 });
  for (const day of ['2026-03-03', '2026-03-04', '2026-03-05', FRIDAY]) scene.bars.push(makeBar(day, 104));
  const requests = scene.requests;
  moveTo(scene, CLOSE - 1);
  assert.equal(await scene.runChecks(), 0, 'the event is not due');
  assert.equal(scene.requests, requests, 'the provider gets no request before the close');
  // An event that is checked too early stays pending.
  await sql`UPDATE event_forecast SET next_check_at = created_at WHERE id = ${id}`.execute(database.query());
  assert.equal(await scene.runChecks(), 1);
  const early = await scene.readEvent(id);
  assert.deepEqual(
    [early.status, early.check_state, early.next_check_at?.getTime(), scene.requests],
    ['pending', 'waiting', CLOSE, requests],
  );

  moveTo(scene, CLOSE);
  assert.equal(await scene.runChecks(), 1);
  const row = await scene.readEvent(id);
  assert.partialDeepStrictEqual(row, {
    status: 'resolved_yes',
    resolved_by: 'rule',
    resolved_at: new Date(CLOSE),
    outcome_known_at: new Date(CLOSE),
    scored_revision: 1,
    scored_probability: 0.8,
    next_check_at: null,
    actual_outcome: '104 on 2026-03-06T00:00:00.000Z: above 100.',
  });
  assert.ok(Math.abs((row.log_score ?? 0) - 0.2231435513142097) < 1e-12, 'minus ln 0.8');
  assert.ok(Math.abs((row.brier_score ?? 0) - 0.04) < 1e-12);
  assert.partialDeepStrictEqual(row.evidence, {
    observation: { timestamp: '2026-03-06T00:00:00.000Z', value: 104 },
    provider: 'alpaca',
    source: { type: 'market', symbol: 'KNOWN', provider: 'alpaca', timeframe: '1D', value_field: 'close' },
  });

  scene.bars.splice(0, scene.bars.length, makeBar(FRIDAY, 50));
  scene.context.clock.advance(DAY_MS);
  assert.equal(await scene.runChecks(), 0, 'a resolved event is not checked again');
  assert.deepEqual(await scene.readEvent(id), row);
  assert.deepEqual(await readEntries(database, id), ['created', 'resolved resolved_yes']);
});

onScout('keeps the rows of the evidence for as long as the event exists', async (scene) => {
  const { id } = await scene.publish(FRIDAY);
  scene.bars.push(makeBar('2026-03-05', 90), makeBar(FRIDAY, 91), makeBar('2026-03-09', 200));
  moveTo(scene, CLOSE + 5 * DAY_MS);
  await scene.runChecks();
  const { evidence, status } = await scene.readEvent(id);
  assert.equal(status, 'resolved_no', 'later rows do not count');
  scene.context.clock.advance(100 * DAY_MS);
  await removeUnusedSnapshots(scene.context);
  const snapshot = await readSnapshot(scene.context, evidence?.snapshot_id ?? '');
  assert.deepEqual([...(snapshot?.table.columns.close ?? [])], [90, 91]);
});

onScout('releases the evidence of events when their workspace is deleted', async (scene, database) => {
  const { id: workspace_id } = await makeWorkspace(database, scene.author.accountId);
  const inside = await scene.publish(FRIDAY, { workspace_id });
  const outside = await scene.publish(FRIDAY);
  scene.bars.push(makeBar(FRIDAY, 104));
  moveTo(scene, CLOSE);
  await scene.runChecks();
  const holders = async () => {
    const { rows } = await sql<{ holder: string }>`SELECT holder FROM snapshot_holder ORDER BY holder`.execute(
      database.query(),
    );
    return rows.map(({ holder }) => holder);
  };
  assert.deepEqual(await holders(), [inside.id, outside.id].sort());
  await deleteWorkspace(createWorkspaceContext({ database, clock: systemClock }), scene.author, workspace_id);
  assert.deepEqual(await holders(), [outside.id]);
});

onScout('waits for the settle days to pass, and decides each operator', async (scene) => {
  const settled = await scene.publish(FRIDAY, {}, { settle_days: 3 });
  const ops = ['gt', 'gte', 'lt', 'lte'] as const;
  const compared = await Promise.all(ops.map((op) => scene.publish(FRIDAY, {}, { op, threshold: 104 })));
  scene.bars.push(makeBar(FRIDAY, 104));
  moveTo(scene, CLOSE + 3 * DAY_MS - 1);
  const before = scene.requests;
  assert.equal(await scene.runChecks(), 4);
  assert.equal(scene.requests - before, 1, 'questions about one row read it once');
  const outcomes = await Promise.all(compared.map(async ({ id }) => (await scene.readEvent(id)).status));
  assert.deepEqual(outcomes, ['resolved_no', 'resolved_yes', 'resolved_no', 'resolved_yes']);
  assert.equal((await scene.readEvent(settled.id)).status, 'pending');
  scene.context.clock.advance(1);
  await scene.runChecks();
  assert.equal((await scene.readEvent(settled.id)).status, 'resolved_yes');
});

onScout('reports a missing row, checks for it less and less often, and never guesses it', async (scene, database) => {
  const { id } = await scene.publish(FRIDAY);
  scene.bars.push(makeBar('2026-03-05', 104), makeBar('2026-03-09', 104));
  moveTo(scene, CLOSE);
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) {
    assert.equal(await scene.runChecks(), 1);
    const { status, check_state, check_message, next_check_at } = await scene.readEvent(id);
    assert.deepEqual([status, check_state], ['pending', 'missing']);
    assert.match(check_message ?? '', /no observation of 2026-03-06/);
    const wait = Number(next_check_at) - scene.context.clock.now().getTime();
    waits.push(wait / HOUR_MS);
    scene.context.clock.advance(wait);
  }
  assert.deepEqual(waits, [1, 1, 2, 4, 8, 16, 24, 24]);
  scene.context.clock.advance(60 * DAY_MS);
  await scene.runChecks();
  assert.equal((await scene.readEvent(id)).status, 'pending', 'no outcome is guessed after the deadline');
  assert.deepEqual(
    await readEntries(database, id),
    ['created', 'checked missing'],
    'the history has one entry per change of state',
  );

  scene.bars.push(makeBar(FRIDAY, 99));
  scene.context.clock.advance(DAY_MS);
  await scene.runChecks();
  assert.equal((await scene.readEvent(id)).status, 'resolved_no');
});

onScout(
  'retries a failed provider once for all its questions, without delaying other questions',
  async (scene, database) => {
    const failing = await Promise.all([scene.publish(FRIDAY), scene.publish(FRIDAY)]);
    const file = await publishCsvRule(scene, database);
    scene.failure = new ProviderError('alpaca', 'UNAUTHORIZED');
    scene.bars.push(makeBar(FRIDAY, 104));
    moveTo(scene, CLOSE + 30 * DAY_MS);
    const before = scene.requests;
    assert.equal(await scene.runChecks(), 3);
    assert.equal(scene.requests - before, 1);
    for (const { id } of failing) {
      const { status, check_state, check_message } = await scene.readEvent(id);
      assert.deepEqual([status, check_state], ['pending', 'provider_failed']);
      assert.match(check_message ?? '', /alpaca rejected the credential/);
    }
    assert.equal((await scene.readEvent(file.id)).check_state, 'missing');
    scene.failure = new TypeError('unexpected');
    scene.context.clock.advance(2 * DAY_MS);
    assert.equal(await scene.runChecks(), 3, 'an unexpected error does not stop the other checks');
    assert.match((await scene.readEvent(failing[0]?.id ?? '')).check_message ?? '', /The log of the service/);
    scene.failure = null;
    scene.context.clock.advance(2 * DAY_MS);
    await scene.runChecks();
    assert.deepEqual(await Promise.all(failing.map(async ({ id }) => (await scene.readEvent(id)).status)), [
      'resolved_yes',
      'resolved_yes',
    ]);
  },
);

/** Publishes a question about a file of a workspace of which the author is a member. */
async function publishCsvRule(scene: ScoutScene, database: Database) {
  const { id: ownerId } = await makeAccount(createIdentityContext({ database, clock: systemClock }), {
    password: null,
  });
  const workspace = await makeWorkspace(database, ownerId);
  const membershipId = await makeMember(database, workspace.id, scene.author.accountId, { role: 'editor' });
  const csv = await makeCsvFile(database, workspace.id, ownerId, DAILY_CSV);
  const source = {
    type: 'workspace_csv',
    workspace_id: workspace.id,
    csv_id: csv,
    time_field: 'date',
    value_field: 'value',
  };
  return { ...(await scene.publish(FRIDAY, {}, { source })), membershipId };
}

onScout('does not resolve an event whose author can no longer read the series', async (scene, database) => {
  const { id, membershipId } = await publishCsvRule(scene, database);
  await sql`DELETE FROM workspace_member WHERE id = ${membershipId}`.execute(database.query());
  moveTo(scene, CLOSE + DAY_MS);
  assert.equal(await scene.runChecks(), 1);
  const row = await scene.readEvent(id);
  assert.deepEqual([row.status, row.check_state], ['pending', 'denied']);
  assert.match(row.check_message ?? '', /author can no longer read/);
});

onScout('accepts and scores no revision after the outcome is known', async (scene) => {
  const { id } = await scene.publish(FRIDAY, { probability: 0.6 });
  const revise = (probability: number) =>
    reviseEvent(scene.context, scene.author, id, {
      probability,
      input_cutoff_at: scene.context.clock.now().toISOString(),
    });
  scene.context.clock.advance(HOUR_MS);
  await revise(0.75);
  moveTo(scene, CLOSE - 1);
  await revise(0.9);
  moveTo(scene, CLOSE);
  await assert.rejects(revise(0.999), { code: 'CONFLICT', message: /outcome was decided at 2026-03-06T21:00/ });
  scene.bars.push(makeBar(FRIDAY, 104));
  scene.context.clock.advance(HOUR_MS);
  await scene.runChecks();
  const row = await scene.readEvent(id);
  assert.deepEqual([row.scored_revision, row.scored_probability], [3, 0.9]);
});

onScout('closes a week of the exchange with its last session, and resolves it when its bar is final', async (scene) => {
  const source = { type: 'market', symbol: 'KNOWN', timeframe: '1w', provider: 'alpaca' };
  const { id } = await scene.publish(FRIDAY, { probability: 0.6 }, { source });
  const revise = (probability: number) =>
    reviseEvent(scene.context, scene.author, id, {
      probability,
      input_cutoff_at: scene.context.clock.now().toISOString(),
    });
  moveTo(scene, CLOSE - 1);
  await revise(0.7);
  await scene.publish(FRIDAY, {}, { source });
  moveTo(scene, CLOSE);
  await assert.rejects(revise(0.99), { code: 'CONFLICT', message: /outcome was decided at 2026-03-06T21:00/ });
  await assert.rejects(scene.publish(FRIDAY, {}, { source }), { message: /observed_at: its period has ended/ });
  for (const day of [2, 3, 4, 5, 6]) scene.bars.push(makeBar(`2026-03-0${day}`, 98 + day));
  assert.equal(await scene.runChecks(), 0, 'the bar may still be corrected');
  moveTo(scene, Date.parse('2026-03-09T00:00:00Z'));
  assert.equal(await scene.runChecks(), 2);
  const row = await scene.readEvent(id);
  assert.deepEqual([row.status, row.scored_revision, row.scored_probability], ['resolved_yes', 2, 0.7]);
  assert.equal(row.outcome_known_at?.getTime(), CLOSE);
});

onScout("checks the events of authors in turn, each author's oldest first", async (scene, database) => {
  const other = await makeAccount(createIdentityContext({ database, clock: systemClock }), { password: null });
  const due: string[] = [];
  for (let i = 0; i < 8; i += 1) due.push((await scene.publish(FRIDAY, { question: `Question ${i}?` })).id);
  // The last two are another author's. All others became due before them.
  for (const [i, id] of due.entries()) {
    const author = i < 6 ? scene.author.accountId : other.id;
    await sql`
      UPDATE event_forecast SET author_account_id = ${author}, next_check_at = ${new Date(CLOSE - DAY_MS + i)}
      WHERE id = ${id}`.execute(database.query());
  }
  moveTo(scene, CLOSE + HOUR_MS);

  const authors: string[] = [];
  const { clock, sources } = scene.context;
  // With 90 seconds for each check, a run of four minutes has time for three.
  const slow: typeof sources = Object.assign(Object.create(sources), {
    of(reference: Parameters<typeof sources.of>[0]) {
      const source = sources.of(reference);
      return Object.assign(Object.create(source), {
        authorize: async (...args: Parameters<typeof source.authorize>) => {
          authors.push('accountId' in args[0] ? args[0].accountId : '');
          clock.advance(90_000);
          return source.authorize(...args);
        },
      });
    },
  });
  const run = () => checkDueEvents({ ...scene.context, sources: slow }, { log: createLog('silent') });
  const [mine, others] = [scene.author.accountId, other.id];
  assert.equal(await run(), 3);
  assert.deepEqual(authors.splice(0), [mine, others, mine]);
  const checked = async () =>
    (await Promise.all(due.map((id) => scene.readEvent(id)))).map(({ checked_at }) => checked_at !== null);
  assert.deepEqual(await checked(), [true, true, false, false, false, false, true, false]);
  assert.equal(await run(), 3);
  assert.deepEqual(authors.splice(0), [mine, others, mine]);
  assert.equal(await run(), 2);
  assert.deepEqual(authors, [mine, mine]);
});
