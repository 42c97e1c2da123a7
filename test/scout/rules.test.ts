import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { identityOf, workspacesOf } from '../../src/compose/index.ts';
import { ProviderError } from '../../src/market/index.ts';
import type { Database } from '../../src/platform/index.ts';
import { ruleSource } from '../../src/scout/from-forecast/rule-source.ts';
import { reviseEvent } from '../../src/scout/index.ts';
import { readSnapshot, removeUnusedSnapshots } from '../../src/snapshots/index.ts';
import { deleteWorkspace } from '../../src/workspaces/index.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { DAY, MINUTE } from '../support/identity/identity.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { barOf, openScout, SCOUT_MIGRATIONS, type ScoutScene } from '../support/scout/scout.ts';
import { DAILY_CSV, makeCsvFile } from '../support/workspaces/csv-files.ts';
import { makeMember, makeWorkspace } from '../support/workspaces/workspaces.ts';

const HOUR = 60 * MINUTE;
const FRIDAY = '2026-03-06';
/** The exchange closes at four in the afternoon in New York. */
const CLOSE = Date.parse('2026-03-06T21:00:00Z');

function onScout(name: string, body: (scene: ScoutScene, database: Database) => Promise<void>): void {
  forEachDatabase(name, { migrations: SCOUT_MIGRATIONS }, async ({ database }) =>
    body(await openScout(database), database),
  );
}

function moveTo({ context: { clock } }: ScoutScene, moment: number): void {
  clock.advance(moment - clock.now().getTime());
}

async function entriesOf(database: Database, id: string): Promise<string[]> {
  const { rows } = await sql<{ entry: string }>`
    SELECT action || ' ' || coalesce(details->>'state', details->>'status', '') AS entry
    FROM event_audit WHERE event_id = ${id} ORDER BY id`.execute(database.query());
  return rows.map(({ entry }) => entry.trim());
}

onScout(
  'a rule resolves when its observation is final: not a millisecond earlier, and once',
  async (scene, database) => {
    const { id } = await scene.ask(FRIDAY, { probability: 0.8 });
    for (const day of ['2026-03-03', '2026-03-04', '2026-03-05', FRIDAY]) scene.bars.push(barOf(day, 104));
    const asked = scene.asked;
    moveTo(scene, CLOSE - 1);
    assert.equal(await scene.check(), 0, 'it is not due');
    assert.equal(scene.asked, asked, 'nobody is asked before the end');
    // Even one that is looked at too early, for whatever reason, stays pending.
    await sql`UPDATE event_forecast SET next_check_at = created_at WHERE id = ${id}`.execute(database.query());
    assert.equal(await scene.check(), 1);
    const early = await scene.read(id);
    assert.deepEqual(
      [early.status, early.check_state, early.next_check_at?.getTime(), scene.asked],
      ['pending', 'waiting', CLOSE, asked],
    );

    moveTo(scene, CLOSE);
    assert.equal(await scene.check(), 1);
    const row = await scene.read(id);
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

    scene.bars.splice(0, scene.bars.length, barOf(FRIDAY, 50));
    scene.context.clock.advance(DAY);
    assert.equal(await scene.check(), 0, 'a resolved question is never looked at again');
    assert.deepEqual(await scene.read(id), row);
    assert.deepEqual(await entriesOf(database, id), ['created', 'resolved resolved_yes']);
  },
);

onScout('the rows of the evidence stay for as long as the event does', async (scene) => {
  const { id } = await scene.ask(FRIDAY);
  scene.bars.push(barOf('2026-03-05', 90), barOf(FRIDAY, 91), barOf('2026-03-09', 200));
  moveTo(scene, CLOSE + 5 * DAY);
  await scene.check();
  const { evidence, status } = await scene.read(id);
  assert.equal(status, 'resolved_no', 'later rows play no part');
  scene.context.clock.advance(100 * DAY);
  await removeUnusedSnapshots(scene.context);
  const snapshot = await readSnapshot(scene.context, evidence?.snapshot_id ?? '');
  assert.deepEqual([...(snapshot?.table.columns.close ?? [])], [90, 91]);
});

onScout('a deleted workspace lets go of the evidence of its events', async (scene, database) => {
  const { id: workspace_id } = await makeWorkspace(database, scene.author.accountId);
  const inside = await scene.ask(FRIDAY, { workspace_id });
  const outside = await scene.ask(FRIDAY);
  scene.bars.push(barOf(FRIDAY, 104));
  moveTo(scene, CLOSE);
  await scene.check();
  const holders = async () => {
    const { rows } = await sql<{ holder: string }>`SELECT holder FROM snapshot_holder ORDER BY holder`.execute(
      database.query(),
    );
    return rows.map(({ holder }) => holder);
  };
  assert.deepEqual(await holders(), [inside.id, outside.id].sort());
  await deleteWorkspace(workspacesOf(database), scene.author, workspace_id);
  assert.deepEqual(await holders(), [outside.id]);
});

onScout('days to settle, and each way to compare', async (scene) => {
  const settled = await scene.ask(FRIDAY, {}, { settle_days: 3 });
  const ops = ['gt', 'gte', 'lt', 'lte'] as const;
  const asked = await Promise.all(ops.map((op) => scene.ask(FRIDAY, {}, { op, threshold: 104 })));
  scene.bars.push(barOf(FRIDAY, 104));
  moveTo(scene, CLOSE + 3 * DAY - 1);
  const before = scene.asked;
  assert.equal(await scene.check(), 4);
  assert.equal(scene.asked - before, 1, 'questions about one row read it once');
  const outcomes = await Promise.all(asked.map(async ({ id }) => (await scene.read(id)).status));
  assert.deepEqual(outcomes, ['resolved_no', 'resolved_yes', 'resolved_no', 'resolved_yes']);
  assert.equal((await scene.read(settled.id)).status, 'pending');
  scene.context.clock.advance(1);
  await scene.check();
  assert.equal((await scene.read(settled.id)).status, 'resolved_yes');
});

onScout(
  'a row that is not there is said to be missing, looked for less and less often, and never made up',
  async (scene, database) => {
    const { id } = await scene.ask(FRIDAY);
    scene.bars.push(barOf('2026-03-05', 104), barOf('2026-03-09', 104));
    moveTo(scene, CLOSE);
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      assert.equal(await scene.check(), 1);
      const { status, check_state, check_message, next_check_at } = await scene.read(id);
      assert.deepEqual([status, check_state], ['pending', 'missing']);
      assert.match(check_message ?? '', /no observation of 2026-03-06/);
      const wait = Number(next_check_at) - scene.context.clock.now().getTime();
      waits.push(wait / HOUR);
      scene.context.clock.advance(wait);
    }
    assert.deepEqual(waits, [1, 1, 2, 4, 8, 16, 24, 24]);
    scene.context.clock.advance(60 * DAY);
    await scene.check();
    assert.equal((await scene.read(id)).status, 'pending', 'long after the deadline it is still not guessed');
    assert.deepEqual(await entriesOf(database, id), ['created', 'checked missing'], 'told once, when it changed');

    scene.bars.push(barOf(FRIDAY, 99));
    scene.context.clock.advance(DAY);
    await scene.check();
    assert.equal((await scene.read(id)).status, 'resolved_no');
  },
);

onScout(
  'a provider that fails is asked again, once for all its questions, and keeps no other waiting',
  async (scene, database) => {
    const failing = await Promise.all([scene.ask(FRIDAY), scene.ask(FRIDAY)]);
    const file = await csvRule(scene, database);
    scene.failure = new ProviderError('alpaca', 'UNAUTHORIZED');
    scene.bars.push(barOf(FRIDAY, 104));
    moveTo(scene, CLOSE + 30 * DAY);
    const before = scene.asked;
    assert.equal(await scene.check(), 3);
    assert.equal(scene.asked - before, 1);
    for (const { id } of failing) {
      const { status, check_state, check_message } = await scene.read(id);
      assert.deepEqual([status, check_state], ['pending', 'provider_failed']);
      assert.match(check_message ?? '', /alpaca refused our credential/);
    }
    assert.equal((await scene.read(file.id)).check_state, 'missing');
    scene.failure = new TypeError('a fault of ours');
    scene.context.clock.advance(2 * DAY);
    assert.equal(await scene.check(), 3, 'one that breaks does not stop the rest');
    assert.match((await scene.read(failing[0]?.id ?? '')).check_message ?? '', /in the log/);
    scene.failure = null;
    scene.context.clock.advance(2 * DAY);
    await scene.check();
    assert.deepEqual(await Promise.all(failing.map(async ({ id }) => (await scene.read(id)).status)), [
      'resolved_yes',
      'resolved_yes',
    ]);
  },
);

/** A question about a file of a workspace in which the author has a place. */
async function csvRule(scene: ScoutScene, database: Database) {
  const { id: ownerId } = await makeAccount(identityOf(database), { password: null });
  const workspace = await makeWorkspace(database, ownerId);
  const place = await makeMember(database, workspace.id, scene.author.accountId, { role: 'editor' });
  const csv = await makeCsvFile(database, workspace.id, ownerId, DAILY_CSV);
  const source = {
    type: 'workspace_csv',
    workspace_id: workspace.id,
    csv_id: csv,
    time_field: 'date',
    value_field: 'value',
  };
  return { ...(await scene.ask(FRIDAY, {}, { source })), place };
}

onScout('who may no longer read the series gets no answer from it', async (scene, database) => {
  const { id, place } = await csvRule(scene, database);
  await sql`DELETE FROM workspace_member WHERE id = ${place}`.execute(database.query());
  moveTo(scene, CLOSE + DAY);
  assert.equal(await scene.check(), 1);
  const row = await scene.read(id);
  assert.deepEqual([row.status, row.check_state], ['pending', 'denied']);
  assert.match(row.check_message ?? '', /author may not read/);
});

onScout('what was said after the outcome was known is not scored, and cannot be said', async (scene) => {
  const { id } = await scene.ask(FRIDAY, { probability: 0.6 });
  const revise = (probability: number) =>
    reviseEvent(scene.context, scene.author, id, {
      probability,
      input_cutoff_at: scene.context.clock.now().toISOString(),
    });
  scene.context.clock.advance(HOUR);
  await revise(0.75);
  moveTo(scene, CLOSE - 1);
  await revise(0.9);
  moveTo(scene, CLOSE);
  await assert.rejects(revise(0.999), { code: 'CONFLICT', message: /outcome is decided at 2026-03-06T21:00/ });
  scene.bars.push(barOf(FRIDAY, 104));
  scene.context.clock.advance(HOUR);
  await scene.check();
  const row = await scene.read(id);
  assert.deepEqual([row.scored_revision, row.scored_probability], [3, 0.9]);
});

onScout('a week of the exchange is known when its last session closes, and final when its bar is', async (scene) => {
  const source = { type: 'market', symbol: 'KNOWN', timeframe: '1w', provider: 'alpaca' };
  const { id } = await scene.ask(FRIDAY, { probability: 0.6 }, { source });
  const revise = (probability: number) =>
    reviseEvent(scene.context, scene.author, id, {
      probability,
      input_cutoff_at: scene.context.clock.now().toISOString(),
    });
  moveTo(scene, CLOSE - 1);
  await revise(0.7);
  await scene.ask(FRIDAY, {}, { source });
  moveTo(scene, CLOSE);
  await assert.rejects(revise(0.99), { code: 'CONFLICT', message: /outcome is decided at 2026-03-06T21:00/ });
  await assert.rejects(scene.ask(FRIDAY, {}, { source }), { message: /observed_at: its period has ended/ });
  for (const day of [2, 3, 4, 5, 6]) scene.bars.push(barOf(`2026-03-0${day}`, 98 + day));
  assert.equal(await scene.check(), 0, 'the bar may still be put right');
  moveTo(scene, Date.parse('2026-03-09T00:00:00Z'));
  assert.equal(await scene.check(), 2);
  const row = await scene.read(id);
  assert.deepEqual([row.status, row.scored_revision, row.scored_probability], ['resolved_yes', 2, 0.7]);
  assert.equal(row.outcome_known_at?.getTime(), CLOSE);
});

onScout('a rule on a file is for its author, or for the workspace of the file', async (scene, database) => {
  const { accountId } = scene.author;
  const [files, other] = [await makeWorkspace(database, accountId), await makeWorkspace(database, accountId)];
  const csv_id = await makeCsvFile(database, files.id, accountId, DAILY_CSV);
  const source = {
    type: 'workspace_csv',
    workspace_id: files.slug,
    csv_id,
    time_field: 'date',
    value_field: 'value',
  } as const;
  const refused = (fields: object) =>
    assert.rejects(scene.ask(FRIDAY, fields, { source }), {
      code: 'INVALID_REQUEST',
      message: /^visibility: a rule on/,
    });
  await refused({ visibility: 'public' });
  await refused({ visibility: 'public', workspace_id: files.id });
  await refused({ workspace_id: other.id });
  for (const fields of [{}, { workspace_id: files.id }, { workspace_id: other.id, visibility: 'private' }]) {
    assert.notEqual((await scene.ask(FRIDAY, fields, { source })).resolution_rule, null);
  }
  const resolved = { ...source, workspace_id: files.id };
  const forQuestions = (visibility: 'private' | 'workspace' | 'public', workspaceId: string | null) =>
    ruleSource(scene.context, scene.author, resolved, { visibility, workspaceId });
  assert.equal(await forQuestions('public', null), null, 'questions of a forecast have no rule there');
  assert.equal(await forQuestions('workspace', other.id), null);
  assert.deepEqual(await forQuestions('workspace', files.id), resolved);
  assert.deepEqual(await forQuestions('private', null), resolved);
});

onScout('a rule that could never be decided is refused by name', async (scene) => {
  const refused = async (message: RegExp, observedAt: string, rule: object = {}, fields: object = {}) =>
    assert.rejects(scene.ask(observedAt, fields, rule), { code: /INVALID_REQUEST|NOT_FOUND|UNPROCESSABLE/, message });
  await refused(/observed_at: the series has no row there.*session/, '2026-03-07');
  await refused(/observed_at: its period has ended/, '2026-02-27');
  await refused(
    /observed_at: its period has ended/,
    '0001-01-01T00:00:00Z',
    {},
    { resolution_deadline: '2026-05-01T00:00:00Z' },
  );
  await refused(
    /observed_at: must not be after resolution_deadline/,
    '2026-06-01',
    {},
    { resolution_deadline: '2026-05-01T00:00:00Z' },
  );
  await refused(
    /observed_at: its period ends at 2026-03-06T21:00.*after resolution_deadline/,
    FRIDAY,
    {},
    { resolution_deadline: '2026-03-06T20:00:00Z' },
  );
  await refused(/resolution_rule\.source\.provider|not configured/, FRIDAY, {
    source: { type: 'market', symbol: 'KNOWN', timeframe: '1D', provider: 'massive' },
  });
  await refused(/resolution_rule\.source\.value_field/, FRIDAY, {
    source: { type: 'market', symbol: 'KNOWN', timeframe: '1D', provider: 'alpaca', value_field: 'vwap' },
  });
  await refused(/^resolution_rule\.source: .*no series/i, FRIDAY, {
    source: { type: 'economic_series', provider: 'bundled', series_id: 'nope' },
  });
});
