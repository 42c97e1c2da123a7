import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { identityOf } from '../../src/compose/index.ts';
import { EventRequestBody, Fault } from '../../src/contract/index.ts';
import { createLog, type Database, openDatabase } from '../../src/platform/index.ts';
import { checkDueEvents, createEvent, resolveEvent, reviseEvent } from '../../src/scout/index.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { eventRequest } from '../support/scout/events.ts';
import { barOf, openScout, SCOUT_MIGRATIONS, type ScoutScene } from '../support/scout/scout.ts';
import { principalOf } from '../support/workspaces/workspaces.ts';

const AT_ONCE = 50;
const FRIDAY = '2026-03-06';
const log = createLog('silent');

/** Enough connections that all who race are under way at the same time. */
function race(name: string, body: (scene: ScoutScene, database: Database) => Promise<void>): void {
  forEachDatabase(name, { migrations: SCOUT_MIGRATIONS, only: 'postgres' }, async (fixture) => {
    const database = await openDatabase({ ...fixture.location, poolSize: AT_ONCE });
    fixture.cleanup(() => database.close());
    await body(await openScout(database), database);
  });
}

/** `done`, or the code of the refusal. Whatever else is thrown is a fault of ours. */
function outcome(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'done',
    (error) => {
      if (error instanceof Fault) return error.code;
      throw error;
    },
  );
}

function resolveBy({ context, author }: ScoutScene, id: string, says: 'yes' | 'no' | 'annulled'): Promise<string> {
  const body = { outcome: says, actual_outcome: says, resolution_source: `who said ${says}` };
  return outcome(resolveEvent(context, author, id, body));
}

async function resolutionsOf(database: Database, id: string): Promise<string[]> {
  const { rows } = await sql<{ status: string }>`
    SELECT details->>'status' AS status FROM event_audit
    WHERE event_id = ${id} AND action IN ('resolved', 'annulled')`.execute(database.query());
  return rows.map(({ status }) => status);
}

const STATUS = { yes: 'resolved_yes', no: 'resolved_no', annulled: 'annulled' } as const;

race('of fifty resolutions at once one is accepted, with its own score', async (scene, database) => {
  const { id } = await scene.ask(FRIDAY, { probability: 0.25, resolution_rule: undefined });
  const said = Array.from({ length: AT_ONCE }, (_, i) => (['yes', 'no', 'annulled'] as const)[i % 3] ?? 'yes');
  const outcomes = await Promise.all(said.map((says) => resolveBy(scene, id, says)));
  assert.equal(outcomes.filter((one) => one === 'done').length, 1);
  assert.equal(outcomes.filter((one) => one === 'CONFLICT').length, AT_ONCE - 1);
  const winner = said[outcomes.indexOf('done')] ?? 'yes';
  const row = await scene.read(id);
  assert.deepEqual(
    [row.status, row.actual_outcome, row.resolution_source],
    [STATUS[winner], winner, `who said ${winner}`],
  );
  const score = { yes: -Math.log(0.25), no: -Math.log(0.75), annulled: null }[winner];
  if (score === null) assert.equal(row.log_score, null);
  else assert.ok(Math.abs((row.log_score ?? -1) - score) < 1e-12);
  assert.deepEqual(await resolutionsOf(database, id), [STATUS[winner]], 'the history tells of one');
});

race(
  'one request that comes fifty times at once publishes once, also where somebody else has the slug',
  async (scene, database) => {
    const { id, email } = await makeAccount(identityOf(database), { password: null });
    const somebody = principalOf({ id, email });
    const input_cutoff_at = scene.context.clock.now().toISOString();
    const resolution_deadline = new Date(Date.parse(input_cutoff_at) + 86_400_000).toISOString();
    for (const slug of ['nobody-has-it', 'somebody-has-it']) {
      const body = EventRequestBody.parse(eventRequest({ slug, input_cutoff_at, resolution_deadline }));
      if (slug === 'somebody-has-it') await createEvent(scene.context, somebody, body);
      const outcomes = await Promise.all(
        Array.from({ length: AT_ONCE }, () => outcome(createEvent(scene.context, scene.author, body))),
      );
      assert.deepEqual(outcomes.sort(), [...Array(AT_ONCE - 1).fill('CONFLICT'), 'done'], slug);
    }
  },
);

race('a rule and people who resolve at the same moment: one of them', async (scene, database) => {
  const questions = await Promise.all(Array.from({ length: 8 }, () => scene.ask(FRIDAY)));
  scene.bars.push(barOf(FRIDAY, 104));
  scene.context.clock.advance(10 * 86_400_000);
  const checks = Array.from({ length: 4 }, () => checkDueEvents(scene.context, { log }));
  const people = questions.flatMap(({ id }) => [resolveBy(scene, id, 'no'), resolveBy(scene, id, 'annulled')]);
  await Promise.all([...checks, ...people]);
  for (const { id } of questions) {
    const row = await scene.read(id);
    assert.deepEqual(await resolutionsOf(database, id), [row.status]);
    assert.equal(row.resolved_by === 'rule', row.status === 'resolved_yes', 'the rule says yes, the people do not');
    assert.equal(row.evidence !== null, row.resolved_by === 'rule');
  }
});

race('two workers at the same questions resolve each once', async (scene, database) => {
  const questions = await Promise.all(Array.from({ length: 12 }, () => scene.ask(FRIDAY)));
  scene.bars.push(barOf(FRIDAY, 104));
  scene.context.clock.advance(10 * 86_400_000);
  await Promise.all([checkDueEvents(scene.context, { log }), checkDueEvents(scene.context, { log })]);
  for (const { id } of questions) assert.deepEqual(await resolutionsOf(database, id), ['resolved_yes']);
  const { rows } = await sql<{ held: number }>`SELECT count(*) AS held FROM snapshot_holder`.execute(database.query());
  assert.equal(Number(rows[0]?.held), questions.length);
});

race(
  'revisions and a resolution at once: the last one that came before it is scored, and none comes after',
  async (scene, database) => {
    for (let round = 0; round < 5; round++) {
      const { id } = await scene.ask(FRIDAY, { resolution_rule: undefined });
      const { context, author } = scene;
      const input_cutoff_at = context.clock.now().toISOString();
      const revisions = Array.from({ length: 10 }, (_, i) =>
        outcome(reviseEvent(context, author, id, { probability: (i + 1) / 20, input_cutoff_at })),
      );
      const [resolved, ...revised] = await Promise.all([resolveBy(scene, id, 'yes'), ...revisions]);
      assert.equal(resolved, 'done');
      const row = await scene.read(id);
      const { rows } = await sql<{ number: number; probability: number }>`
      SELECT number, probability FROM event_revision WHERE event_id = ${id} ORDER BY number`.execute(database.query());
      assert.deepEqual(
        rows.map(({ number }) => number),
        rows.map((_, i) => i + 1),
        'numbered without a gap',
      );
      assert.equal(rows.length, 1 + revised.filter((one) => one === 'done').length);
      assert.deepEqual([row.scored_revision, row.scored_probability], [rows.length, rows.at(-1)?.probability]);
      assert.equal(row.revision, rows.length);
    }
  },
);
