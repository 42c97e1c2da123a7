import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { licensesWithout } from '../../src/access/index.ts';
import { DAY_MS, HOUR_MS } from '../../src/calendar/index.ts';
import { deleteForecast } from '../../src/forecasts/index.ts';
import { ProviderError } from '../../src/platform/index.ts';
import { createSourceRegistry, readSnapshot, removeUnusedSnapshots } from '../../src/snapshots/index.ts';
import { makeBars, type OutcomeScene, onOutcomes, readResult, SESSIONS } from '../support/forecasts/outcome-scene.ts';

/** Makes a forecast of the five sessions from Thursday, 2026-03-05, to Wednesday, 2026-03-11. */
async function makeOne(scene: OutcomeScene, fields: object = {}): Promise<string> {
  if (scene.bars.length === 0) scene.bars.push(...makeBars('2025-12-01', '2026-03-04'));
  return scene.make(fields);
}

const steps = ({ rows }: { rows: readonly { step: number }[] }) => rows.map(({ step }) => step);

onOutcomes('records each row when it is final and not earlier, and scores the outcome with the last', async (scene) => {
  const id = await makeOne(scene);
  const settled = await makeOne(scene, { settle_days: 2 });
  // The provider has rows of periods that are not over.
  scene.bars.push(...makeBars('2026-03-05', '2026-03-20'));
  assert.equal((await scene.read(id)).next_check_at?.toISOString(), '2026-03-05T21:00:00.000Z');
  scene.moveTo('2026-03-05T20:59:59.999Z');
  assert.equal(await scene.check(), 0);
  scene.moveTo('2026-03-05T21:00:00.000Z');
  assert.equal(await scene.check(), 1);
  const first = await scene.read(id);
  assert.deepEqual([first.status, steps(first), first.reason], ['partial', [1], null]);
  assert.equal(first.metrics?.count, 1);
  assert.equal(first.first_outcome_at?.toISOString(), '2026-03-05T21:00:00.000Z');
  const days: Record<string, number[]> = {};
  for (const time of SESSIONS.slice(1)) {
    scene.moveTo(time);
    await scene.check();
    days[time.slice(5, 10)] = steps(await scene.read(settled));
  }
  assert.deepEqual(days, { '03-06': [], '03-09': [1, 2], '03-10': [1, 2], '03-11': [1, 2, 3] });
  const complete = await scene.read(id);
  assert.deepEqual([complete.status, steps(complete), complete.next_check_at], ['complete', [1, 2, 3, 4, 5], null]);
  assert.deepEqual(complete.rows[0], first.rows[0], 'a recorded row does not change');
  assert.deepEqual(
    complete.rows.map(({ actual }) => actual),
    scene.bars.slice(-12, -7).map(({ close }) => close),
  );
  const { members } = await readResult(scene, id);
  assert.deepEqual(
    complete.baseline,
    members.find(({ model }) => model === 'seasonal_naive')?.predictions.map(({ quantiles }) => quantiles),
  );
  scene.context.clock.advance(30 * DAY_MS);
  await removeUnusedSnapshots(scene.context);
  const snapshot = await readSnapshot(scene.context, complete.snapshot_id);
  assert.deepEqual(
    [...(snapshot?.table.columns.actual ?? [])],
    complete.rows.map(({ actual }) => actual),
  );
  assert.deepEqual(snapshot?.about.kind, 'forecast_outcome');
  assert.equal(await readSnapshot(scene.context, first.snapshot_id), null, 'the snapshot of the first row is released');
  await scene.check();
  assert.equal((await scene.read(settled)).status, 'complete');
  await deleteForecast(scene.context, scene.owner, id);
  await deleteForecast(scene.context, scene.owner, settled);
  const { rows: held } = await sql`SELECT 1 FROM snapshot_holder`.execute(scene.context.database.query());
  assert.deepEqual(held, [], 'the deleted forecasts hold nothing');
});

onOutcomes('replays what existed when the forecast was made, and scores the rest', async (scene) => {
  const known = makeBars('2025-12-01', '2026-03-11');
  scene.bars.push(...known);
  scene.moveTo('2026-03-09T20:00:00.000Z');
  const cutoff = '2026-03-04T22:00:00Z';
  const [partly, wholly] = [await makeOne(scene, { cutoff }), await makeOne(scene, { cutoff, horizon: 3 })];
  assert.equal(await scene.check(), 2, 'both are due immediately');
  const replayed = await scene.read(wholly);
  assert.deepEqual(
    [replayed.status, replayed.replayed_steps, replayed.metrics, replayed.baseline, replayed.first_outcome_at],
    ['complete', 3, null, null, null],
  );
  const { rows: scores } = await sql<{ scores: object | null }>`
    SELECT scores FROM forecast_outcome WHERE forecast_id = ${wholly}`.execute(scene.context.database.query());
  assert.deepEqual(scores, [{ scores: null }], 'nothing enters the track record');
  scene.moveTo('2026-03-11T20:00:00.000Z');
  await scene.check();
  const { rows, metrics, first_outcome_at } = await scene.read(partly);
  assert.deepEqual(
    rows.map(({ replayed: isReplayed }) => isReplayed),
    [true, true, true, false, false],
  );
  assert.equal(metrics?.count, 2);
  assert.equal(first_outcome_at?.toISOString(), '2026-03-10T20:00:00.000Z');
});

onOutcomes('waits for late rows, leaves gaps, and ends after 90 days without the last rows', async (scene) => {
  const [id, empty] = [await makeOne(scene), await makeOne(scene)];
  await sql`UPDATE forecast_outcome SET next_check_at = '2026-03-12T00:00:00Z' WHERE forecast_id = ${empty}`.execute(
    scene.context.database.query(),
  );
  scene.moveTo('2026-03-05T21:00:00Z');
  await scene.check();
  const late = await scene.read(id);
  assert.deepEqual([late.status, late.reason], ['waiting', 'The source has no row of 2026-03-05T00:00:00.000Z yet.']);
  assert.equal(late.next_check_at?.toISOString(), '2026-03-05T22:00:00.000Z');
  assert.equal(late.snapshot_id, null);
  const [, second] = makeBars('2026-03-05', '2026-03-06');
  scene.bars.push(second as (typeof scene.bars)[number]);
  scene.moveTo('2026-03-06T21:00:00Z');
  await scene.check();
  assert.deepEqual(steps(await scene.read(id)), [2], 'the first session stays a gap');
  scene.bars.pop();
  scene.moveTo('2026-06-09T19:59:59Z');
  await scene.check();
  for (const one of [id, empty]) assert.notEqual((await scene.read(one)).next_check_at, null, 'rows can still come');
  scene.context.clock.advance(2 * DAY_MS);
  await scene.check();
  const [ended, none] = [await scene.read(id), await scene.read(empty)];
  assert.deepEqual([ended.status, steps(ended), ended.metrics?.count], ['complete', [2], 1]);
  assert.match(ended.reason ?? '', /no row of 2026-03-09.*no longer expected/);
  assert.deepEqual([none.status, none.next_check_at, none.completed_at], ['unavailable', null, null]);
});

onOutcomes('keeps recorded values when the source revises or rescales them', async (scene) => {
  const [split, revised] = [await makeOne(scene), await makeOne(scene, { source: { ...STOCK_RAW } })];
  scene.bars.push(...makeBars('2026-03-05', '2026-03-06'));
  scene.moveTo('2026-03-06T21:00:00Z');
  await scene.check();
  const before = await scene.read(split);
  // Four new shares for one: the provider divides its whole history. A new session comes.
  scene.bars.push(...makeBars('2026-03-09', '2026-03-09'));
  scene.bars.forEach((bar, i) => {
    const part = (value: unknown) => Math.round((Number(value) / 4) * 1e4) / 1e4;
    scene.bars[i] = { ...bar, open: part(bar.open), high: part(bar.high), low: part(bar.low), close: part(bar.close) };
  });
  scene.moveTo('2026-03-09T20:00:00Z');
  await scene.check();
  const after = await scene.read(split);
  assert.deepEqual(after.rows.slice(0, 2), before.rows);
  assert.ok(Math.abs((after.scale ?? 0) - 0.25) < 1e-5);
  assert.equal(after.revised, false);
  const [unscaled] = makeBars('2026-03-09', '2026-03-09');
  assert.ok(Math.abs((after.rows[2]?.actual ?? 0) / Number(unscaled?.close) - 1) < 1e-4);
  const raw = await scene.read(revised);
  assert.deepEqual([raw.scale, raw.revised], [null, true], 'prices that are not adjusted are not rescaled');
  assert.equal(raw.rows[0]?.actual, before.rows[0]?.actual);
  assert.equal(raw.rows[0]?.revised_to, scene.bars.at(-3)?.close);
});
const STOCK_RAW = { type: 'market', symbol: 'KNOWN', timeframe: '1D', provider: 'alpaca', adjustment: 'raw' } as const;

onOutcomes('keeps the status while a provider fails, and asks it once for all forecasts of a series', async (scene) => {
  const ids = [await makeOne(scene), await makeOne(scene, { horizon: 2 }), await makeOne(scene)];
  scene.bars.push(...makeBars('2026-03-05', '2026-03-06'));
  scene.moveTo('2026-03-05T21:00:00Z');
  await scene.check();
  scene.failure = new ProviderError('alpaca', 'UNAUTHORIZED');
  scene.moveTo('2026-03-06T21:00:00Z');
  const before = scene.requests;
  assert.equal(await scene.check(), 3);
  assert.equal(scene.requests - before, 1);
  for (const id of ids) {
    const { status, reason, next_check_at } = await scene.read(id);
    assert.equal(status, 'partial');
    assert.match(reason ?? '', /alpaca rejected the credential/);
    assert.equal(next_check_at?.toISOString(), '2026-03-06T21:15:00.000Z');
  }
  scene.failure = new TypeError('unexpected');
  scene.context.clock.advance(HOUR_MS);
  assert.equal(await scene.check(), 3, 'an unexpected error does not stop the other checks');
  assert.match((await scene.read(ids[2] ?? '')).reason ?? '', /The log of the service/);
  scene.failure = null;
  scene.context.clock.advance(DAY_MS);
  await scene.check();
  const statuses = await Promise.all(ids.map(async (id) => (await scene.read(id)).status));
  assert.deepEqual(statuses, ['partial', 'complete', 'partial']);
  assert.equal((await scene.read(ids[0] ?? '')).reason, null);
});

onOutcomes('is unavailable while the owner may not read the source, and then continues', async (scene) => {
  const id = await makeOne(scene);
  const guest = await scene.make({}, { kind: 'guest', guestId: 'guest_of_the_test' });
  const never = await makeOne(scene);
  const { database } = scene.context;
  await sql`UPDATE forecast_outcome SET next_check_at = '2026-06-09T20:00:00Z' WHERE forecast_id = ${never}`.execute(
    database.query(),
  );
  scene.bars.push(...makeBars('2026-03-05', '2026-03-06'));
  scene.moveTo('2026-03-05T21:00:00Z');
  await scene.check();
  const denied = createSourceRegistry(scene.context.sources.all, licensesWithout(['none']));
  scene.moveTo('2026-03-06T21:00:00Z');
  await scene.check({ sources: denied });
  for (const one of [id, guest]) {
    const { status, reason, rows, next_check_at } = await scene.read(one);
    assert.deepEqual([status, rows.length], ['unavailable', 1], 'recorded rows stay');
    assert.match(reason ?? '', /license/);
    assert.equal(next_check_at?.toISOString(), '2026-03-07T21:00:00.000Z');
  }
  scene.moveTo('2026-03-07T21:00:00Z');
  await scene.check();
  for (const one of [id, guest]) {
    const { status, rows } = await scene.read(one);
    assert.deepEqual([status, rows.length], ['partial', 2]);
  }
  await scene.check({ sources: denied });
  scene.moveTo('2026-06-10T00:00:00Z');
  await scene.check({ sources: denied });
  const [ended, given] = [await scene.read(id), await scene.read(never)];
  assert.deepEqual([ended.status, ended.next_check_at, ended.metrics?.count], ['complete', null, 2]);
  assert.deepEqual([given.status, given.next_check_at], ['unavailable', null], 'it is given up after 90 days');
});

onOutcomes('records rows once, whatever happens in the meantime', async (scene) => {
  const [id, deleted, killed] = [await makeOne(scene), await makeOne(scene), await makeOne(scene)];
  scene.bars.push(...makeBars('2026-03-05', '2026-03-06'));
  scene.moveTo('2026-03-05T21:00:00Z');
  const { sources, database } = scene.context;
  const reading = (during: () => Promise<unknown>) => {
    const all = sources.all.map((source) => ({
      ...source,
      read: async (...args: Parameters<typeof source.read>) => {
        const rows = await source.read(...args);
        await during();
        return rows;
      },
    }));
    return createSourceRegistry(all);
  };
  await sql`UPDATE forecast_outcome SET next_check_at = NULL WHERE forecast_id <> ${deleted}`.execute(database.query());
  await scene.check({ sources: reading(() => deleteForecast(scene.context, scene.owner, deleted)) });
  await assert.rejects(scene.read(deleted), /has no outcome/);

  // A worker dies after it has frozen the rows: the transaction is never sent.
  const mortal = Object.assign(Object.create(database), {
    transaction: () => Promise.reject(new Error('killed')),
  });
  await sql`UPDATE forecast_outcome SET next_check_at = ${scene.context.clock.now()} WHERE forecast_id = ${killed}`.execute(
    database.query(),
  );
  assert.equal(await scene.check({ database: mortal }), 1);
  assert.deepEqual((await scene.read(killed)).rows, []);
  await scene.check();
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM snapshot WHERE header LIKE '%forecast_outcome%'`.execute(database.query());
  assert.deepEqual([steps(await scene.read(killed)), rows], [[1], [{ count: 1 }]], 'the frozen rows are used');

  await sql`UPDATE forecast_outcome SET next_check_at = ${scene.context.clock.now()} WHERE forecast_id = ${id}`.execute(
    database.query(),
  );
  // Each worker has read the rows before one of them records them.
  const together = Promise.withResolvers<void>();
  let readers = 0;
  const wait = async () => {
    readers += 1;
    if (readers === 3) together.resolve();
    await together.promise;
  };
  await Promise.all([1, 2, 3].map(() => scene.check({ sources: reading(wait) })));
  const outcome = await scene.read(id);
  assert.deepEqual([outcome.status, steps(outcome)], ['partial', [1]]);
  const { rows: holders } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM snapshot_holder WHERE holder = ${id}`.execute(database.query());
  assert.deepEqual(holders, [{ count: 2 }], 'the input and the outcome');
});
