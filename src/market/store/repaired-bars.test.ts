import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { barAt, CLOSE, daysScene, scaled } from '../../../test/support/market/store-provider.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { marketMigrations } from '../migrations/index.ts';
import type { RawBar } from '../providers/provider.ts';

const OPTIONS = { migrations: [marketMigrations] };

const closeOf = async (scene: ReturnType<typeof daysScene>, date: string) => {
  const { bars } = await scene.read();
  return bars.columns.close[bars.timestamps.indexOf(Date.parse(date))];
};

/** Returns the rows with changes of some days, as a faulty reply has them. */
function garbled(rows: readonly RawBar[], changes: Readonly<Record<string, Partial<RawBar>>>): RawBar[] {
  return rows.map((row) => ({ ...row, ...changes[new Date(Number(row.timestamp)).toISOString().slice(0, 10)] }));
}

forEachDatabase('invalid rows are read again after an hour', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  const correct = scene.provider.rows;
  const contradictory = { ...barAt('2024-09-30'), volume: 7 };
  const absurd = { open: 1e6, high: 1e6, low: 1e6, close: 1e6 };
  scene.provider.rows = garbled(correct, {
    '2024-10-21': { low: -1 },
    '2024-10-23': { volume: 1e308 },
    '2024-11-05': absurd,
  });
  scene.provider.rows.splice(
    scene.provider.rows.findIndex(({ timestamp }) => timestamp === contradictory.timestamp),
    0,
    contradictory,
  );
  const first = await scene.read();
  assert.deepEqual(first.dropped, { not_positive: 1, absurd: 2, duplicate: 2 });
  await scene.read({ limit: 600 });
  scene.provider.rows = correct;
  scene.setTime('2024-11-27T21:59:00Z');
  assert.equal(await scene.countRequests(), 0);
  assert.deepEqual((await scene.read()).dropped, first.dropped);
  scene.setTime('2024-11-27T22:00:00Z');
  assert.equal(await scene.countRequests({ limit: 5 }), 0, 'this window has no invalid row');
  assert.equal(await scene.countRequests({ start: '2024-11-05', limit: 100 }), 1);
  assert.equal(
    await closeOf(scene, '2024-11-05'),
    correct.find((row) => row.timestamp === Date.parse('2024-11-05'))?.close,
  );
  const healed = await scene.read();
  assert.deepEqual(healed.dropped, {});
  const expected = correct.filter(({ timestamp }) => Number(timestamp) <= Date.parse('2024-11-27'));
  assert.deepEqual(
    [...healed.bars.columns.close],
    expected.slice(-100).map(({ close }) => close),
  );
  assert.equal(await scene.countRequests({ limit: 600 }), 0, 'the older bars stay');
  assert.deepEqual(scene.logged, []);
});

forEachDatabase('a row that stays invalid costs one request an hour', OPTIONS, async ({ database }) => {
  // A series of its own, because a failed repair is remembered.
  const symbol = 'STAYS';
  const scene = daysScene(database);
  const changes = { '2024-10-21': { low: -1 }, '2024-10-22': { low: -1 }, '2024-10-23': { low: -1 } };
  scene.provider.rows = garbled(scene.provider.rows, changes);
  // Rows that a correct reply can have are not read again.
  const saturday = Date.parse('2024-11-09');
  scene.provider.rows.push({ ...barAt(saturday), timestamp: saturday });
  scene.provider.rows.sort((a, b) => Number(a.timestamp) - Number(b.timestamp));
  const { dropped } = await scene.read({ symbol });
  assert.deepEqual(dropped, { not_positive: 3, bad_timestamp: 1 });
  const counts: number[] = [];
  for (let minutes = 20; minutes <= 140; minutes += 20) {
    scene.setTime(new Date(Date.parse(CLOSE) + minutes * 60_000).toISOString());
    assert.equal(await scene.countRequests({ symbol, limit: 20 }), 0, 'the Saturday is normal');
    counts.push(await scene.countRequests({ symbol }));
    assert.deepEqual((await scene.read({ symbol })).dropped, dropped);
  }
  assert.deepEqual(counts, [0, 0, 1, 0, 0, 1, 0]);
  const { rows } = await sql<{ dropped: [number, string, number, number | null][] }>`
    SELECT dropped FROM bar_chunk WHERE dropped IS NOT NULL`.execute(database.query());
  const readAt = rows.flatMap(({ dropped: drops }) => drops.map((drop) => drop[3]));
  const second = Date.parse(CLOSE) + 2 * 3_600_000;
  assert.deepEqual(readAt, [second, second, second, null], 'the repairs have succeeded');
  // While the provider fails, the stored bars are served, and a repair is not tried with every read.
  scene.provider.fault = 'UNAVAILABLE';
  scene.setTime(new Date(Date.parse(CLOSE) + 190 * 60_000).toISOString());
  assert.equal(await scene.countRequests({ symbol }), 1);
  assert.deepEqual((await scene.read({ symbol })).dropped, dropped);
  assert.equal(await scene.countRequests({ symbol }), 0);
  assert.deepEqual(scene.logged, []);
});

forEachDatabase('a row whose time was garbled is read again', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  const correct = scene.provider.rows;
  const fetchPage = scene.provider.fetchPage.bind(scene.provider);
  let isFaulty = true;
  scene.provider.fetchPage = async (query, token, http) => {
    const page = await fetchPage(query, token, http);
    if (!isFaulty) return page;
    return { ...page, bars: garbled(page.bars, { '2024-09-30': { timestamp: 'yesterday' } }) };
  };
  assert.deepEqual((await scene.read()).dropped, { bad_timestamp: 1 });
  isFaulty = false;
  scene.setTime('2024-11-27T22:00:00Z');
  const day = correct.find(({ timestamp }) => timestamp === Date.parse('2024-09-30'));
  assert.equal(await closeOf(scene, '2024-09-30'), day?.close);
  assert.deepEqual((await scene.read()).dropped, {});
});

forEachDatabase('a repair that finds changed settled bars discards the series', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  const correct = scene.provider.rows;
  scene.provider.rows = garbled(correct, { '2024-10-21': { low: -1 } });
  await scene.read();
  scene.provider.rows = scaled(correct, 0.5, '2025-01-01');
  scene.setTime('2024-11-27T22:00:00Z');
  const { bars, dropped } = await scene.read();
  assert.deepEqual(
    [bars.columns.close.at(-1), dropped],
    [Number(correct.find((row) => row.timestamp === Date.parse('2024-11-27'))?.close) / 2, {}],
  );
  assert.deepEqual(scene.logged, ['settled bars have changed and are read again']);
});

forEachDatabase('nothing of a mostly invalid reply is stored', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  const correct = scene.provider.rows;
  scene.provider.rows = correct.map((row, i) => (i % 9 === 0 ? { ...row, volume: 1e308 } : row));
  await assert.rejects(scene.read(), { name: 'ProviderError', fault: 'MALFORMED' });
  scene.provider.rows = correct;
  const { bars, dropped } = await scene.read();
  assert.deepEqual([bars.timestamps.length, dropped], [100, {}]);
});
