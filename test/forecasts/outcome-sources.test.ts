import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../src/calendar/index.ts';
import type { SourceReference } from '../../src/contract/index.ts';
import { up as addOutcomes } from '../../src/forecasts/migrations/0009-outcomes.ts';
import { openOutcome } from '../../src/forecasts/outcomes/open-outcome.ts';
import type { ForecastTables } from '../../src/forecasts/tables.ts';
import { ProviderError } from '../../src/platform/index.ts';
import { createSourceRegistry, type SourceRows } from '../../src/snapshots/index.ts';
import { makeBars, type OutcomeScene, onOutcomes, SESSIONS, STOCK } from '../support/forecasts/outcome-scene.ts';

const TABLE = { type: 'warehouse_table', time_field: 't', value_field: 'v' } as const;
const BILLED: SourceReference = { ...TABLE, table: 'bigquery-public-data.shops.sales' };
const LOCAL: SourceReference = { ...TABLE, table: 'local.sales' };
const SERIES: SourceReference = { type: 'economic_series', provider: 'fred', series_id: 'CPI' };

const steps = ({ rows }: { rows: readonly { step: number }[] }) => rows.map(({ step }) => step);
const isoOf = (instant: Date | null) => instant?.toISOString() ?? null;

/** Makes a forecast of the five sessions from Thursday, 2026-03-05, and gives it a source that has the same rows. */
async function makeOf(scene: OutcomeScene, source: SourceReference = STOCK, fields: object = {}): Promise<string> {
  if (scene.bars.length === 0) scene.bars.push(...makeBars('2025-12-01', '2026-03-04'));
  const id = await scene.make(fields);
  await run(
    scene,
    sql`UPDATE forecast SET settings = jsonb_set(settings::jsonb, '{source}', ${JSON.stringify(source)}::jsonb)
      WHERE id = ${id}`,
  );
  return id;
}

const run = ({ context }: OutcomeScene, statement: ReturnType<typeof sql>) =>
  statement.execute(context.database.query());

/** Removes the outcome of a forecast, as if a process of the version before outcomes had completed the forecast. */
const forget = (scene: OutcomeScene, id: string) =>
  run(scene, sql`DELETE FROM forecast_outcome WHERE forecast_id = ${id}`);

/** Returns sources that have the rows of the stock under every reference, and the references that were read. */
function openSources({ context }: OutcomeScene, change: (rows: SourceRows) => SourceRows = (rows) => rows) {
  const stock = context.sources.of(STOCK);
  const reads: SourceReference[] = [];
  const readers: string[] = [];
  const all = (['market', 'warehouse_table', 'economic_series'] as const).map((type) => ({
    ...stock,
    type,
    authorize: async (...[principal]: Parameters<typeof stock.authorize>) => void readers.push(principal.kind),
    read: async (...[reference, window]: Parameters<typeof stock.read>) => {
      reads.push(reference);
      return change(await stock.read(STOCK, window));
    },
  }));
  return { sources: createSourceRegistry(all), reads, readers };
}

onOutcomes('opens the outcomes of forecasts that a process of an earlier version completed', async (scene) => {
  const id = await makeOf(scene);
  await forget(scene, id);
  scene.context.clock.advance(HOUR_MS);
  assert.equal(await scene.check(), 1);
  const { status, next_check_at, opened_at } = await scene.read(id);
  assert.deepEqual([status, isoOf(next_check_at)], ['waiting', SESSIONS[0]]);
  assert.deepEqual(opened_at, scene.context.clock.now());
});

onOutcomes('replays the past rows of a published series if an earlier version made the forecast', async (scene) => {
  const [earlier, current] = [await makeOf(scene, SERIES), await makeOf(scene, SERIES)];
  await run(scene, sql`UPDATE forecast SET created_at = '2026-03-10T00:00:00Z'`);
  await forget(scene, earlier);
  scene.bars.push(...makeBars('2026-03-05', '2026-03-11'));
  scene.moveTo('2026-03-10T00:00:00Z');
  const { sources } = openSources(scene);
  await scene.check({ sources });
  scene.moveTo('2026-03-12T00:00:00Z');
  await scene.check({ sources });
  const [replayed, live] = [await scene.read(earlier), await scene.read(current)];
  assert.deepEqual([replayed.replayed_steps, replayed.metrics?.count], [3, 2]);
  assert.deepEqual([live.replayed_steps, live.metrics?.count], [0, 5]);
});

onOutcomes('reads a table whose reads are billed once, when the last step is final', async (scene) => {
  const [billed, opened, local] = [
    await makeOf(scene, BILLED),
    await makeOf(scene, BILLED),
    await makeOf(scene, LOCAL),
  ];
  for (const id of [billed, opened, local]) await forget(scene, id);
  const { database, clock } = scene.context;
  const row = await database
    .query<ForecastTables>()
    .selectFrom('forecast')
    .selectAll()
    .where('id', '=', opened)
    .executeTakeFirstOrThrow();
  const { result } = row;
  assert.ok(result);
  await database.transaction((tx) => openOutcome(tx, { ...row, result }, clock.now()));
  assert.equal(isoOf((await scene.read(opened)).next_check_at), SESSIONS[4]);
  const { sources, reads } = openSources(scene);
  // The row of the last session never comes.
  scene.bars.push(...makeBars('2026-03-05', '2026-03-10'));
  for (const time of SESSIONS.slice(0, 4)) {
    scene.moveTo(time);
    await scene.check({ sources });
  }
  const readsOf = (source: SourceReference) => reads.filter((one) => isDeepStrictEqual(one, source));
  assert.deepEqual([readsOf(BILLED).length, readsOf(LOCAL).length], [0, 4]);
  const { status, next_check_at } = await scene.read(billed);
  assert.deepEqual([status, isoOf(next_check_at)], ['waiting', SESSIONS[4]]);
  await run(scene, sql`DELETE FROM forecast WHERE id = ${opened}`);
  scene.failure = new ProviderError('alpaca', 'UNAUTHORIZED');
  scene.moveTo(SESSIONS[4] ?? '');
  await scene.check({ sources });
  assert.equal(
    isoOf((await scene.read(billed)).next_check_at),
    '2026-03-11T20:15:00.000Z',
    'a failed read is repeated',
  );
  scene.failure = null;
  for (const _ of [1, 2, 3]) {
    clock.advance(2 * DAY_MS);
    await scene.check({ sources });
  }
  assert.equal(readsOf(BILLED).length, 2, 'one failed, one succeeded');
  const ended = await scene.read(billed);
  assert.deepEqual([ended.status, steps(ended), ended.next_check_at], ['complete', [1, 2, 3, 4], null]);
  assert.match(ended.reason ?? '', /no row of 2026-03-11.*no longer expected/);
});

onOutcomes('does not schedule reads of billed tables for forecasts that are 90 days old', async (scene) => {
  const ids = [await makeOf(scene, BILLED), await makeOf(scene, BILLED), await makeOf(scene, LOCAL)];
  const [old, recent] = ids;
  const { database, clock } = scene.context;
  const openedAs = async () =>
    Promise.all(
      ids.map(async (id) => {
        const { status, next_check_at, reason } = await scene.read(id);
        return [status, next_check_at !== null, reason !== null];
      }),
    );
  const expected = [
    ['unavailable', false, true],
    ['waiting', true, false],
    ['waiting', true, false],
  ];
  const finish = (now: Date) =>
    run(
      scene,
      sql`UPDATE forecast SET finished_at = ${now}::timestamptz
        - CASE WHEN id = ${recent} THEN interval '89 days' ELSE interval '91 days' END`,
    );
  await finish(clock.now());
  for (const id of ids) await forget(scene, id);
  await scene.check();
  assert.deepEqual(await openedAs(), expected);
  const { reason } = await scene.read(old ?? '');
  assert.match(reason ?? '', /^Reads of this table are billed\./);

  // The migration uses the clock of the database.
  await finish(new Date());
  await run(scene, sql`DROP TABLE forecast_outcome_row, forecast_outcome`);
  await run(scene, sql`ALTER TABLE forecast DROP COLUMN validation_wql`);
  await addOutcomes(database.query());
  assert.deepEqual(await openedAs(), expected);
  assert.equal((await scene.read(old ?? '')).reason, reason);
});

onOutcomes('is unavailable while the source has another frequency; a billed table is not read again', async (scene) => {
  const [stock, billed] = [await makeOf(scene), await makeOf(scene, BILLED)];
  await run(scene, sql`UPDATE forecast_outcome SET next_check_at = ${SESSIONS[4]} WHERE forecast_id = ${billed}`);
  scene.bars.push(...makeBars('2026-03-05', '2026-03-11'));
  const { sources } = openSources(scene, (rows) => ({
    ...rows,
    cadence: { frequency: '1W-MON', kind: 'exchange', hours: 'regular' },
  }));
  scene.moveTo(SESSIONS[4] ?? '');
  await scene.check({ sources });
  const [one, other] = [await scene.read(stock), await scene.read(billed)];
  for (const { status, reason, rows } of [one, other]) {
    assert.deepEqual([status, rows], ['unavailable', []]);
    assert.equal(reason, 'The series now has the frequency 1W-MON and not 1D.');
  }
  assert.deepEqual([isoOf(one.next_check_at), other.next_check_at], ['2026-03-12T20:00:00.000Z', null]);
  scene.moveTo('2026-03-12T20:00:00Z');
  await scene.check();
  assert.equal((await scene.read(stock)).status, 'complete', 'the frequency is the earlier one again');
});

onOutcomes('gives up 90 days after the outcome was opened, also after unexpected errors', async (scene) => {
  const id = await makeOf(scene);
  await forget(scene, id);
  scene.moveTo('2026-08-01T00:00:00Z');
  for (const failure of [new ProviderError('alpaca', 'UNAUTHORIZED'), new TypeError('unexpected')]) {
    scene.failure = failure;
    scene.context.clock.advance(DAY_MS);
    assert.equal(await scene.check(), 1);
    const { status, next_check_at } = await scene.read(id);
    assert.deepEqual([status, next_check_at === null], ['waiting', false], 'the steps ended long before');
  }
  scene.context.clock.advance(89 * DAY_MS);
  await scene.check();
  const { status, next_check_at, reason } = await scene.read(id);
  assert.deepEqual([status, next_check_at], ['unavailable', null]);
  assert.match(reason ?? '', /The log of the service/);
});

onOutcomes('stays revised after the source returns to the first value', async (scene) => {
  const id = await makeOf(scene);
  scene.bars.push(...makeBars('2026-03-05', '2026-03-11'));
  const first = scene.bars.length - 5;
  const original = scene.bars[first] as (typeof scene.bars)[number];
  const revisions: unknown[] = [];
  for (const [i, time] of SESSIONS.slice(0, 3).entries()) {
    scene.bars[first] = i === 1 ? { ...original, close: Number(original.close) + 0.5 } : original;
    scene.moveTo(time);
    await scene.check();
    const { revised, rows } = await scene.read(id);
    revisions.push([revised, rows[0]?.actual, rows[0]?.revised_to]);
  }
  const { close } = original;
  const later = Number(close) + 0.5;
  assert.deepEqual(revisions, [
    [false, close, null],
    [true, close, later],
    [true, close, later],
  ]);
});

onOutcomes('keeps the scale when the source no longer has the rows that it was found with', async (scene) => {
  const id = await makeOf(scene);
  scene.bars.push(...makeBars('2026-03-05', '2026-03-11'));
  const closes = scene.bars.slice(-5).map(({ close }) => Number(close));
  scene.bars.forEach((bar, i) => {
    const [open, high, low, close] = [bar.open, bar.high, bar.low, bar.close].map((price) => Number(price) / 4);
    scene.bars[i] = { ...bar, open, high, low, close } as typeof bar;
  });
  scene.moveTo(SESSIONS[0] ?? '');
  await scene.check();
  scene.bars.splice(0, scene.bars.length - 5);
  scene.moveTo(SESSIONS[4] ?? '');
  await scene.check();
  const { rows, scale, revised } = await scene.read(id);
  assert.deepEqual([scale, revised], [0.25, false]);
  assert.deepEqual(
    rows.map(({ actual }) => actual),
    closes,
  );
});

onOutcomes('checks the outcomes of the owners in turn', async (scene) => {
  for (const _ of [1, 2, 3]) await makeOf(scene);
  const guest = await scene.make({}, { kind: 'guest', guestId: 'guest_of_the_test' });
  await run(
    scene,
    sql`UPDATE forecast_outcome SET next_check_at = '2026-03-05T22:00:00Z' WHERE forecast_id = ${guest}`,
  );
  scene.moveTo('2026-03-05T22:00:00Z');
  const { sources, readers } = openSources(scene);
  assert.equal(await scene.check({ sources }), 4);
  assert.deepEqual(readers, ['account', 'guest', 'account', 'account']);
});

onOutcomes('asks a provider that fails once for all reads of a series in a run', async (scene) => {
  for (const settle_days of [0, 1, 2]) await makeOf(scene, STOCK, { settle_days });
  scene.moveTo('2026-03-09T12:00:00Z');
  scene.failure = new ProviderError('alpaca', 'UNAUTHORIZED');
  const { sources, reads } = openSources(scene);
  assert.equal(await scene.check({ sources }), 3);
  assert.equal(reads.length, 1, 'although the three reads end at other times');
  scene.failure = null;
  scene.context.clock.advance(DAY_MS);
  await scene.check({ sources });
  assert.equal(reads.length, 4, 'the next run asks again');
});
