import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { barAt, daysScene, scaled, timesOf } from '../../../test/support/market/store-provider.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { marketMigrations } from '../migrations/index.ts';
import type { RawBar } from '../providers/provider.ts';

const OPTIONS = { migrations: [marketMigrations] };

function corrected(rows: readonly RawBar[], date: string, close: number): RawBar[] {
  return rows.map((row) => (row.timestamp === Date.parse(date) ? barAt(date, close) : row));
}

const closeOf = async (scene: ReturnType<typeof daysScene>, date: string, adjustment: 'raw' | 'split' = 'raw') => {
  const { bars } = await scene.read({ adjustment });
  return bars.columns.close[bars.timestamps.indexOf(Date.parse(date))];
};

forEachDatabase('a correction of a day that is not settled replaces it', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  await scene.read();
  scene.provider.takeRequests();
  scene.provider.rows = corrected(scene.provider.rows, '2024-11-25', 77);
  assert.notEqual(await closeOf(scene, '2024-11-25'), 77, 'nothing is requested before a new bar can have ended');
  scene.setTime('2024-11-29T18:00:00Z');
  assert.equal(await closeOf(scene, '2024-11-25'), 77);
  assert.equal(scene.provider.takeRequests(), 1);
  assert.equal(scene.provider.requests.at(-1)?.start, Date.parse('2024-11-22'), 'from the last settled day on');
  // A day that a provider takes back disappears.
  scene.provider.rows = scene.provider.rows.filter(({ timestamp }) => timestamp !== Date.parse('2024-11-27'));
  scene.setTime('2024-12-02T21:00:00Z');
  assert.equal(await closeOf(scene, '2024-11-27'), undefined);
  assert.deepEqual(scene.logged, []);
});

forEachDatabase('a question about days that are not settled reads them again', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  await scene.read();
  scene.provider.rows = corrected(scene.provider.rows, '2024-11-26', 77);
  scene.setTime('2024-12-10T22:00:00Z');
  const { bars } = await scene.read({ end: '2024-11-27', limit: 1 });
  assert.equal(bars.columns.close[0], 77);
  scene.provider.takeRequests();
  assert.equal(await scene.countRequests({ end: '2024-11-27', limit: 1 }), 0);
});

forEachDatabase('a changed settled day discards the series and reads it again', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  await scene.read();
  scene.provider.takeRequests();
  scene.provider.rows = scaled(scene.provider.rows, 0.5, '2024-11-25');
  scene.setTime('2024-11-29T18:00:00Z');
  const { bars } = await scene.read();
  assert.equal(scene.provider.takeRequests(), 2);
  assert.deepEqual(scene.logged, ['settled bars have changed and are read again']);
  const expected = scene.provider.rows.filter(({ timestamp }) => Number(timestamp) <= Date.parse('2024-11-29'));
  assert.deepEqual(
    [...bars.columns.close],
    expected.slice(-100).map(({ close }) => close),
  );
  assert.equal(await scene.countRequests(), 0);
});

forEachDatabase('a difference below one millionth is not a change', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  const before = await closeOf(scene, '2024-11-22');
  scene.provider.rows = scaled(scene.provider.rows, 1 + 5e-7, '2025-01-01');
  scene.setTime('2024-11-29T18:00:00Z');
  assert.equal(await closeOf(scene, '2024-11-22'), before, 'settled days stay as they were read first');
  assert.deepEqual(scene.logged, []);
});

forEachDatabase('a settled day that is gone discards the series', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  await scene.read();
  // The symbol now belongs to another company.
  scene.provider.rows = [barAt('2024-11-26', 5), barAt('2024-11-27', 6), barAt('2024-11-29', 7)];
  scene.setTime('2024-11-29T18:00:00Z');
  assert.deepEqual([...(await scene.read()).bars.columns.close], [5, 6, 7]);
  assert.equal(scene.logged.length, 1);
  scene.provider.rows = [];
  scene.setTime('2024-12-02T21:00:00Z');
  assert.deepEqual(timesOf(await scene.read()), []);
  const { rows } = await sql`SELECT 1 FROM bar_chunk`.execute(database.query());
  assert.equal(rows.length, 0);
});

forEachDatabase('older bars must agree with the oldest stored one', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  await scene.read({ limit: 50 });
  scene.provider.takeRequests();
  await scene.read({ limit: 200 });
  assert.equal(scene.provider.takeRequests(), 1);
  scene.provider.rows = scaled(scene.provider.rows, 2, '2025-01-01');
  const { bars } = await scene.read({ limit: 400 });
  assert.equal(scene.provider.takeRequests(), 2);
  assert.equal(scene.logged.length, 1);
  const expected = scene.provider.rows.filter(({ timestamp }) => Number(timestamp) <= Date.parse('2024-11-27'));
  assert.deepEqual(
    [...bars.columns.open],
    expected.slice(-400).map(({ open }) => open),
  );
});

forEachDatabase('bars that disagree twice in one read are an error', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  await scene.read();
  scene.provider.takeRequests();
  scene.provider.rows = scaled(scene.provider.rows, 0.5, '2025-01-01');
  scene.setTime('2024-11-29T18:00:00Z');
  // While the series is read again, another process writes the old bars.
  scene.provider.onRequest = async () => {
    await sql`UPDATE bar_series SET version = version + 1`.execute(database.query());
  };
  await assert.rejects(scene.read(), { name: 'ProviderError', fault: 'MALFORMED' });
  assert.ok(scene.provider.takeRequests() <= 3);
});

forEachDatabase(
  'adjusted prices are checked once per session date before they are served',
  OPTIONS,
  async (fixture) => {
    const scene = daysScene(fixture.database);
    const adjustment = 'split';
    assert.equal(await scene.countRequests({ adjustment }), 1);
    assert.equal(await scene.countRequests({ adjustment }), 0);
    scene.setTime('2024-11-28T15:00:00Z');
    assert.equal(await scene.countRequests({ adjustment }), 0, 'a holiday has no session');
    // Before the session of Friday, the whole history is halved.
    scene.provider.rows = scaled(scene.provider.rows, 0.5, '2024-11-29');
    scene.setTime('2024-11-29T09:00:00Z');
    const { bars } = await scene.read({ adjustment });
    assert.equal(scene.provider.takeRequests(), 2, 'the check and the whole history');
    assert.equal(timesOf({ bars } as never).at(-1), '2024-11-27');
    const expected = scene.provider.rows.filter(({ timestamp }) => Number(timestamp) < Date.parse('2024-11-29'));
    assert.deepEqual(
      [...bars.columns.close],
      expected.slice(-100).map(({ close }) => close),
    );
    assert.equal(await scene.countRequests({ adjustment }), 0);
    assert.equal(await scene.countRequests({ adjustment, end: '2024-11-01', limit: 10 }), 0);
    scene.setTime('2024-12-02T15:00:00Z');
    assert.equal(
      await scene.countRequests({ adjustment, end: '2024-11-01', limit: 10 }),
      1,
      'an old window is checked',
    );
    assert.equal(await scene.countRequests({ adjustment }), 0);
    assert.equal(await scene.countRequests(), 1, 'the series of raw prices is another one');
    scene.setTime('2024-12-03T15:00:00Z');
    assert.equal(await scene.countRequests({ end: '2024-11-01', limit: 10 }), 0, 'raw prices need no check');
  },
);

forEachDatabase('adjusted ranges that do not touch are all on the same basis', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  const old = { adjustment: 'split', end: '2021-07-01', limit: 20 } as const;
  await scene.read(old);
  await scene.read({ adjustment: 'split', limit: 20 });
  scene.provider.rows = scaled(scene.provider.rows, 0.25, '2024-11-29');
  scene.setTime('2024-11-29T15:00:00Z');
  await scene.read({ adjustment: 'split', limit: 20 });
  const { bars } = await scene.read(old);
  const last = scene.provider.rows.find(({ timestamp }) => timestamp === Date.parse('2021-06-30'));
  assert.equal(bars.columns.close.at(-1), last?.close);
});

forEachDatabase('a provider that fails', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  scene.provider.fault = 'UNAVAILABLE';
  const failure = { name: 'ProviderError', fault: 'UNAVAILABLE' };
  await assert.rejects(scene.read(), failure);
  scene.provider.fault = null;
  await scene.read();
  await scene.read({ adjustment: 'split' });
  scene.provider.fault = 'UNAVAILABLE';
  assert.equal(timesOf(await scene.read()).at(-1), '2024-11-27', 'the store has everything');
  scene.setTime('2024-11-29T15:00:00Z');
  assert.equal(timesOf(await scene.read()).at(-1), '2024-11-27');
  await assert.rejects(scene.read({ adjustment: 'split' }), failure, 'a check that is due is not left out');
  scene.setTime('2024-11-29T18:00:00Z');
  await assert.rejects(scene.read(), failure, 'a new day is missing');
  const unsettled = { end: '2024-11-27', limit: 5 };
  assert.equal(
    timesOf(await scene.read(unsettled)).at(-1),
    '2024-11-26',
    'days that may change are served as they are',
  );
  await assert.rejects(scene.read({ ...unsettled, adjustment: 'split' }), failure);
  assert.equal(timesOf(await scene.read({ end: '2024-11-26' })).at(-1), '2024-11-25', 'old days can still be read');
  // A failure after the disagreement keeps what is stored, and nothing of it is served.
  scene.provider.fault = null;
  scene.provider.rows = scaled(scene.provider.rows, 0.5, '2025-01-01');
  const isSecond = () => scene.provider.requests.length % 2 === 0;
  scene.provider.requests.length = 0;
  scene.provider.takeRequests();
  scene.provider.onRequest = () => {
    scene.provider.fault = isSecond() ? 'TIMEOUT' : null;
  };
  await assert.rejects(scene.read(), { name: 'ProviderError', fault: 'TIMEOUT' });
  scene.provider.onRequest = () => {};
  scene.provider.fault = null;
  const { bars } = await scene.read();
  assert.equal(
    bars.columns.close.at(-1),
    scene.provider.rows.find(({ timestamp }) => timestamp === bars.timestamps.at(-1))?.close,
  );
});

forEachDatabase('names the rows that were dropped again', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  const rows = scene.provider.rows;
  scene.provider.rows = rows.map((row) => {
    if (row.timestamp === Date.parse('2024-11-20')) return { ...row, low: -1 };
    if (row.timestamp === Date.parse('2024-10-21')) return { ...row, volume: Number.NaN };
    return row;
  });
  scene.provider.rows.push({ ...barAt(0), timestamp: '2024-11-27' });
  const first = await scene.read();
  assert.deepEqual(first.dropped, { not_positive: 1, not_a_number: 1 });
  assert.deepEqual((await scene.read()).dropped, first.dropped);
  assert.equal(first.bars.timestamps.length, 100);
  assert.deepEqual((await scene.read({ limit: 20 })).dropped, { not_positive: 1 });
  assert.deepEqual((await scene.read({ limit: 2 })).dropped, {});
  // Rows that only this request did not want are not remembered.
  const unbounded = [...rows.slice(-60), { ...barAt('2024-11-05'), volume: -1 }];
  Object.assign(scene.provider, { fetchPage: async () => ({ bars: unbounded, olderToken: null }) });
  const bounded = { symbol: 'ALL', start: '2024-10-15', end: '2024-11-20' };
  for (let i = 0; i < 2; i++) assert.deepEqual((await scene.read(bounded)).dropped, { negative_volume: 1 });
});

forEachDatabase('damaged bars are read again and never served', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  const before = await scene.read();
  await sql`UPDATE bar_chunk SET data = set_byte(data, 40, (get_byte(data, 40) + 1) % 256)`.execute(database.query());
  scene.provider.takeRequests();
  assert.deepEqual(await scene.read(), before);
  assert.deepEqual([scene.provider.takeRequests(), scene.logged], [1, ['stored bars are damaged and are read again']]);
  assert.equal(await scene.countRequests(), 0);
  // The bytes of another chunk are valid but in the wrong place.
  await scene.read({ limit: 400 });
  await sql`UPDATE bar_chunk SET data = (SELECT data FROM bar_chunk ORDER BY starts_at DESC LIMIT 1)`.execute(
    database.query(),
  );
  scene.provider.takeRequests();
  assert.equal(timesOf(await scene.read({ end: '2023-12-30', limit: 5 })).at(-1), '2023-12-29');
  assert.equal(scene.provider.takeRequests(), 1);
  assert.deepEqual(await scene.read({ limit: 100 }), before);
  await scene.read({ limit: 400 });
  // A damaged chunk that only the check of adjusted prices needs.
  const old = { adjustment: 'split', end: '2023-06-01', limit: 20 } as const;
  await scene.read({ adjustment: 'split', limit: 400 });
  await scene.read(old);
  await sql`UPDATE bar_chunk SET data = '' WHERE starts_at >= '2024-01-01'`.execute(database.query());
  scene.logged.length = 0;
  scene.setTime('2024-11-29T15:00:00Z');
  assert.equal(timesOf(await scene.read(old)).at(-1), '2023-05-31');
  assert.deepEqual(scene.logged, ['stored bars are damaged and are read again']);
  assert.equal(timesOf(await scene.read({ adjustment: 'split' })).at(-1), '2024-11-27');
});
