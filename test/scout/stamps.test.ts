import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { HOUR_MS } from '../../src/calendar/index.ts';
import { EventRequestBody } from '../../src/contract/index.ts';
import { type Database, openDatabase } from '../../src/platform/index.ts';
import type { StampPolicy } from '../../src/provenance/index.ts';
import {
  createEvent,
  prepareRevisionProofs,
  readRevisionProof,
  readScoreboard,
  resolveEvent,
  reviseEvent,
  type ScoutContext,
} from '../../src/scout/index.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { eventRequest, makeEvent, NO_STAMPS } from '../support/scout/events.ts';
import { ALL_STAMPS, readContentCid, readSubjects, removeSeals, stampProof } from '../support/scout/proofs.ts';
import { moveTo, onScout, openScout, RULE, SCOUT_MIGRATIONS, type ScoutScene } from '../support/scout/scout-scene.ts';

const FRIDAY = '2026-03-06';

const POLICIES: readonly StampPolicy[] = [
  { isConfigured: false, selection: 'all' },
  { isConfigured: true, selection: 'accounts' },
  { isConfigured: true, selection: 'public' },
  { isConfigured: true, selection: 'all' },
];

/** Publishes a question without a rule. */
function publish({ context, author }: ScoutScene, stamps: StampPolicy, fields: object = {}) {
  const request = { input_cutoff_at: context.clock.now().toISOString(), resolution_deadline: '2026-05-01T00:00:00Z' };
  return createEvent({ ...context, stamps }, author, EventRequestBody.parse(eventRequest({ ...request, ...fields })));
}

function revise({ context, author }: ScoutScene, stamps: StampPolicy, id: string, probability: number) {
  const body = { probability, input_cutoff_at: context.clock.now().toISOString() };
  return reviseEvent({ ...context, stamps }, author, id, body);
}

onScout('the policy selects the revisions that are stamped', async (scene, database) => {
  const expected: string[] = [];
  for (const [place, stamps] of POLICIES.entries()) {
    for (const visibility of ['private', 'public'] as const) {
      const { id } = await publish(scene, stamps, { visibility });
      await revise(scene, stamps, id, 0.2);
      const isSelected = [false, true, visibility === 'public', true][place];
      if (isSelected) expected.push(`${id}.000001`, `${id}.000002`);
      const { provenance } = await readRevisionProof({ ...scene.context, stamps }, scene.author, id);
      assert.equal(provenance.status, isSelected ? 'pending' : 'unavailable');
    }
  }
  assert.deepEqual(await readSubjects(database), expected.sort());
});

onScout('the rule of a question is part of its proof', async (scene) => {
  const { id } = await scene.publish(FRIDAY, {}, { settle_days: 2, threshold: -0 });
  const { document } = await readRevisionProof(scene.context, scene.author, id);
  assert.deepEqual(document.resolution_rule, {
    ...RULE,
    threshold: 0,
    observed_at: '2026-03-06T00:00:00.000Z',
    settle_days: 2,
  });
});

onScout('a revision and its proof are stored together or not at all', async (scene, database) => {
  const { id } = await publish(scene, ALL_STAMPS);
  const counts = async () => {
    const { rows } = await sql`
      SELECT (SELECT count(*) FROM event_forecast) AS events, (SELECT count(*) FROM event_revision) AS revisions,
        (SELECT count(*) FROM proof) AS proofs`.execute(database.query());
    return rows[0];
  };
  const before = await counts();
  for (const table of ['event_audit', 'proof']) {
    await sql`ALTER TABLE ${sql.table(table)} ADD CONSTRAINT refuse_all CHECK (false) NOT VALID`.execute(
      database.query(),
    );
    await assert.rejects(publish(scene, ALL_STAMPS), /refuse_all/);
    await assert.rejects(revise(scene, ALL_STAMPS, id, 0.3), /refuse_all/);
    await sql`ALTER TABLE ${sql.table(table)} DROP CONSTRAINT refuse_all`.execute(database.query());
  }
  assert.deepEqual(await counts(), before);
});

onScout('the scoreboard counts questions that were stamped before the outcome was known', async (scene, database) => {
  const { context, author } = scene;
  const start = context.clock.now().getTime();
  const known = new Date(start + HOUR_MS);
  let asked = 0;
  /** Publishes a question and its revisions, stamps one of them and resolves the question two hours later. */
  const ask = async (question: {
    readonly stampedAt?: number;
    readonly stampedRevision?: number;
    readonly revisions?: number;
    readonly knownAt?: Date | null;
    readonly outcome?: 'yes' | 'annulled';
  }) => {
    const { stampedAt, stampedRevision = 1, revisions = 1, knownAt = known, outcome = 'yes' } = question;
    const probability = ++asked / 100;
    const { id } = await publish(scene, ALL_STAMPS, { probability });
    for (let i = 1; i < revisions; i++) await revise(scene, ALL_STAMPS, id, probability);
    const contentCid = await readContentCid(database, id, stampedRevision);
    if (stampedAt !== undefined) await stampProof(database, contentCid, new Date(stampedAt));
    return { id, probability, contentCid, outcome, ...(knownAt && { outcome_known_at: knownAt.toISOString() }) };
  };
  const before = known.getTime() - 1;
  const inTime = [
    await ask({ stampedAt: before }),
    await ask({ stampedAt: start + 2 * HOUR_MS - 1, knownAt: null }),
    await ask({ stampedAt: before, revisions: 2, stampedRevision: 2 }),
  ];
  const replaced = await ask({ stampedAt: before });
  const others = [
    await ask({ stampedAt: known.getTime() }),
    await ask({ stampedAt: known.getTime() + 1 }),
    await ask({}),
    await ask({ stampedAt: start + 2 * HOUR_MS, knownAt: null }),
    await ask({ stampedAt: before, revisions: 2 }),
    await ask({ stampedAt: before, outcome: 'annulled' }),
    await ask({ outcome: 'annulled' }),
    await ask({ stampedAt: start, knownAt: new Date(start) }),
    replaced,
  ];
  // The block of the stamp was replaced, so the proof waits again.
  await sql`
    UPDATE proof SET status = 'pending', stamped_at = NULL, transaction_hash = NULL, set_cid = NULL, chain_id = NULL
    WHERE content_cid = ${replaced.contentCid}`.execute(database.query());
  moveTo(scene, start + 2 * HOUR_MS);
  for (const { id, outcome, outcome_known_at } of [...inTime, ...others]) {
    const body = { outcome, actual_outcome: 'It did.', resolution_source: 'The report' };
    await resolveEvent(context, author, id, { ...body, ...(outcome_known_at && { outcome_known_at }) });
  }
  const read = (stamped?: boolean) => readScoreboard(context, author, { author: 'anyone', stamped });
  const board = await read(true);
  assert.deepEqual(
    board.questions.map(({ scored_probability }) => scored_probability).sort((a, b) => a - b),
    inTime.map(({ probability }) => probability),
  );
  assert.deepEqual([board.overall.questions, board.annulled, board.unscored], [3, 1, 0]);
  for (const all of [await read(false), await read()]) {
    assert.deepEqual([all.overall.questions, all.annulled, all.unscored], [9, 2, 1]);
  }
});

/** Creates events that are older than proofs are. */
async function makeOldEvents(database: Database, author: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { id } = await makeEvent(database, { author, ...(i === 0 && { visibility: 'public' }) });
    await removeSeals(database, id);
    ids.push(id);
  }
  return ids;
}

onScout('revisions without a proof get one once, in batches', async (scene, database) => {
  const ids = await makeOldEvents(database, scene.author.accountId, 7);
  const prepare = (stamps: StampPolicy, choice: Parameters<typeof prepareRevisionProofs>[1], batchSize = 3) =>
    prepareRevisionProofs({ ...scene.context, stamps }, choice, batchSize);
  const since = new Date(0);
  const onlyPublic = { isConfigured: true, selection: 'public' } as const;
  assert.deepEqual(await prepare(NO_STAMPS, { eventIds: ids.slice(0, 3) }), {
    revisions: 3,
    prepared: 3,
    requested: 0,
  });
  assert.deepEqual(await prepare(NO_STAMPS, { eventIds: [] }), { revisions: 0, prepared: 0, requested: 0 });
  const contentCid = await readContentCid(database, ids[1] ?? '');
  assert.deepEqual(await prepare(onlyPublic, { since }), { revisions: 7, prepared: 4, requested: 1 });
  assert.deepEqual(await prepare(onlyPublic, { eventIds: ids.slice(1, 3) }), {
    revisions: 2,
    prepared: 0,
    requested: 2,
  });
  assert.deepEqual(await prepare(ALL_STAMPS, { since }), { revisions: 7, prepared: 0, requested: 4 });
  assert.deepEqual(await prepare(ALL_STAMPS, { since: new Date(Date.now() + HOUR_MS) }), {
    revisions: 0,
    prepared: 0,
    requested: 0,
  });
  assert.equal(await readContentCid(database, ids[1] ?? ''), contentCid, 'a proof is never replaced');
  assert.deepEqual(await readSubjects(database), ids.map((id) => `${id}.000001`).sort());
  for (const id of ids) await readRevisionProof(scene.context, scene.author, id);
});

forEachDatabase(
  'concurrent commands give each revision one proof',
  { migrations: SCOUT_MIGRATIONS, only: 'postgres' },
  async (fixture) => {
    const database = await openDatabase({ ...fixture.location, poolSize: 8 });
    fixture.cleanup(() => database.close());
    const { context, author } = await openScout(database);
    const ids = await makeOldEvents(database, author.accountId, 20);
    const running: ScoutContext = { ...context, stamps: ALL_STAMPS };
    const results = await Promise.all(
      Array.from({ length: 8 }, () => prepareRevisionProofs(running, { since: new Date(0) }, 4)),
    );
    const sum = (field: 'prepared' | 'requested') => results.reduce((total, result) => total + result[field], 0);
    assert.deepEqual([sum('prepared'), sum('requested')], [20, 20]);
    for (const id of ids) await readRevisionProof(running, author, id);
  },
);
