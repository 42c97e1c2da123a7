import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { DAY_MS } from '../../src/calendar/index.ts';
import { createIdentityContext } from '../../src/compose/index.ts';
import { EventRequestBody, Fault } from '../../src/contract/index.ts';
import { createLog, type Database, openDatabase, systemClock } from '../../src/platform/index.ts';
import { checkDueEvents, createEvent, resolveEvent, reviseEvent } from '../../src/scout/index.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { eventRequest } from '../support/scout/events.ts';
import { makeBar, openScout, SCOUT_MIGRATIONS, type ScoutScene } from '../support/scout/scout-scene.ts';
import { principalOf } from '../support/workspaces/workspaces.ts';

const CONCURRENT = 50;
const FRIDAY = '2026-03-06';
const log = createLog('silent');

/** Opens a connection for every racing request. */
function race(name: string, body: (scene: ScoutScene, database: Database) => Promise<void>): void {
  forEachDatabase(name, { migrations: SCOUT_MIGRATIONS, only: 'postgres' }, async (fixture) => {
    const database = await openDatabase({ ...fixture.location, poolSize: CONCURRENT });
    fixture.cleanup(() => database.close());
    await body(await openScout(database), database);
  });
}

/** Returns `done` or the code of a fault. Rethrows any other error. */
function toOutcome(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'done',
    (error) => {
      if (error instanceof Fault) return error.code;
      throw error;
    },
  );
}

function resolveAs({ context, author }: ScoutScene, id: string, outcome: 'yes' | 'no' | 'annulled'): Promise<string> {
  const body = { outcome, actual_outcome: outcome, resolution_source: `source of ${outcome}` };
  return toOutcome(resolveEvent(context, author, id, body));
}

async function readResolutions(database: Database, id: string): Promise<string[]> {
  const { rows } = await sql<{ status: string }>`
    SELECT details->>'status' AS status FROM event_audit
    WHERE event_id = ${id} AND action IN ('resolved', 'annulled')`.execute(database.query());
  return rows.map(({ status }) => status);
}

const STATUS = { yes: 'resolved_yes', no: 'resolved_no', annulled: 'annulled' } as const;

race('accepts one of fifty concurrent resolutions, with its own score', async (scene, database) => {
  const { id } = await scene.publish(FRIDAY, { probability: 0.25, resolution_rule: undefined });
  const requested = Array.from({ length: CONCURRENT }, (_, i) => (['yes', 'no', 'annulled'] as const)[i % 3] ?? 'yes');
  const outcomes = await Promise.all(requested.map((outcome) => resolveAs(scene, id, outcome)));
  assert.equal(outcomes.filter((outcome) => outcome === 'done').length, 1);
  assert.equal(outcomes.filter((outcome) => outcome === 'CONFLICT').length, CONCURRENT - 1);
  const winner = requested[outcomes.indexOf('done')] ?? 'yes';
  const row = await scene.readEvent(id);
  assert.deepEqual(
    [row.status, row.actual_outcome, row.resolution_source],
    [STATUS[winner], winner, `source of ${winner}`],
  );
  const score = { yes: -Math.log(0.25), no: -Math.log(0.75), annulled: null }[winner];
  if (score === null) assert.equal(row.log_score, null);
  else assert.ok(Math.abs((row.log_score ?? -1) - score) < 1e-12);
  assert.deepEqual(await readResolutions(database, id), [STATUS[winner]], 'the history has one resolution');
});

race(
  'publishes fifty concurrent copies of a request once, even when another author has the slug',
  async (scene, database) => {
    const { id, email } = await makeAccount(createIdentityContext({ database, clock: systemClock }), {
      password: null,
    });
    const otherAuthor = principalOf({ id, email });
    const input_cutoff_at = scene.context.clock.now().toISOString();
    const resolution_deadline = new Date(Date.parse(input_cutoff_at) + DAY_MS).toISOString();
    for (const slug of ['free-slug', 'taken-slug']) {
      const body = EventRequestBody.parse(eventRequest({ slug, input_cutoff_at, resolution_deadline }));
      if (slug === 'taken-slug') await createEvent(scene.context, otherAuthor, body);
      const outcomes = await Promise.all(
        Array.from({ length: CONCURRENT }, () => toOutcome(createEvent(scene.context, scene.author, body))),
      );
      assert.deepEqual(outcomes.sort(), [...Array(CONCURRENT - 1).fill('CONFLICT'), 'done'], slug);
    }
  },
);

race('accepts one resolution when rules and people resolve concurrently', async (scene, database) => {
  const questions = await Promise.all(Array.from({ length: 8 }, () => scene.publish(FRIDAY)));
  scene.bars.push(makeBar(FRIDAY, 104));
  scene.context.clock.advance(10 * DAY_MS);
  const checks = Array.from({ length: 4 }, () => checkDueEvents(scene.context, { log }));
  const people = questions.flatMap(({ id }) => [resolveAs(scene, id, 'no'), resolveAs(scene, id, 'annulled')]);
  await Promise.all([...checks, ...people]);
  for (const { id } of questions) {
    const row = await scene.readEvent(id);
    assert.deepEqual(await readResolutions(database, id), [row.status]);
    assert.equal(row.resolved_by === 'rule', row.status === 'resolved_yes', 'only the rule resolves to yes');
    assert.equal(row.evidence !== null, row.resolved_by === 'rule');
  }
});

race('resolves each question once with two concurrent workers', async (scene, database) => {
  const questions = await Promise.all(Array.from({ length: 12 }, () => scene.publish(FRIDAY)));
  scene.bars.push(makeBar(FRIDAY, 104));
  scene.context.clock.advance(10 * DAY_MS);
  await Promise.all([checkDueEvents(scene.context, { log }), checkDueEvents(scene.context, { log })]);
  for (const { id } of questions) assert.deepEqual(await readResolutions(database, id), ['resolved_yes']);
  const { rows } = await sql<{ held: number }>`SELECT count(*) AS held FROM snapshot_holder`.execute(database.query());
  assert.equal(Number(rows[0]?.held), questions.length);
});

race('scores the last revision before a concurrent resolution, and accepts none after it', async (scene, database) => {
  for (let round = 0; round < 5; round++) {
    const { id } = await scene.publish(FRIDAY, { resolution_rule: undefined });
    const { context, author } = scene;
    const input_cutoff_at = context.clock.now().toISOString();
    const revisions = Array.from({ length: 10 }, (_, i) =>
      toOutcome(reviseEvent(context, author, id, { probability: (i + 1) / 20, input_cutoff_at })),
    );
    const [resolved, ...revised] = await Promise.all([resolveAs(scene, id, 'yes'), ...revisions]);
    assert.equal(resolved, 'done');
    const row = await scene.readEvent(id);
    const { rows } = await sql<{ number: number; probability: number }>`
      SELECT number, probability FROM event_revision WHERE event_id = ${id} ORDER BY number`.execute(database.query());
    assert.deepEqual(
      rows.map(({ number }) => number),
      rows.map((_, i) => i + 1),
      'revisions are numbered without a gap',
    );
    assert.equal(rows.length, 1 + revised.filter((outcome) => outcome === 'done').length);
    assert.deepEqual([row.scored_revision, row.scored_probability], [rows.length, rows.at(-1)?.probability]);
    assert.equal(row.revision, rows.length);
  }
});
