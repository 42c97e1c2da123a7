import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { dailyBars } from '../../../test/support/market/memory-provider.ts';
import { barAt, storeProvider, storeScene, timesOf } from '../../../test/support/market/store-provider.ts';
import { countStatements } from '../../../test/support/platform/counted-database.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { futureTimestamps } from '../../calendar/index.ts';
import { marketMigrations } from '../migrations/index.ts';

const OPTIONS = { migrations: [marketMigrations] };

forEachDatabase('500 days need one request, and the same question none and one statement', OPTIONS, async (fixture) => {
  const { database, statements } = countStatements(fixture.database);
  const scene = storeScene(database, storeProvider(dailyBars('2020-01-02', '2024-11-27')), '2024-11-27T21:00:00Z');
  const first = await scene.read({ limit: 500 });
  assert.equal(scene.provider.takeRequests(), 1);
  assert.equal(first.bars.timestamps.length, 500);
  assert.deepEqual([first.reachedStart, first.completeFrom], [false, first.bars.timestamps[0]]);
  const before = statements();
  assert.deepEqual(await scene.read({ limit: 500 }), first);
  assert.deepEqual([scene.provider.takeRequests(), statements() - before], [0, 1]);
  assert.equal(timesOf(await scene.read({ limit: 3 })).join(), '2024-11-25,2024-11-26,2024-11-27');
  assert.equal(await scene.countRequests({ limit: 510 }), 0, 'a slightly longer question needs no request');
});

forEachDatabase('requests nothing until a new session has closed', OPTIONS, async ({ database }) => {
  const scene = storeScene(
    database,
    storeProvider(dailyBars('2024-01-02', '2024-12-31')),
    // The Wednesday before Thanksgiving.
    '2024-11-27T21:00:00Z',
  );
  assert.equal(await scene.countRequests(), 1);
  for (const time of ['2024-11-28T12:00Z', '2024-11-28T22:00Z', '2024-11-29T17:59Z']) {
    scene.setTime(time);
    assert.equal(await scene.countRequests(), 0, time);
  }
  // The session of Friday closes early.
  scene.setTime('2024-11-29T18:00:00Z');
  assert.equal(await scene.countRequests(), 1);
  assert.equal(timesOf(await scene.read({ limit: 1 })).join(), '2024-11-29');
  for (const time of ['2024-11-30T18:00Z', '2024-12-01T23:00Z', '2024-12-02T20:59Z']) {
    scene.setTime(time);
    assert.equal(await scene.countRequests(), 0, time);
  }
  scene.setTime('2024-12-02T21:00:00Z');
  assert.equal(await scene.countRequests(), 1);
});

forEachDatabase('follows the clock change, minute by minute', OPTIONS, async ({ database }) => {
  const minutes = futureTimestamps(
    { frequency: '1min', kind: 'exchange', hours: 'extended' },
    START_OF_NOVEMBER,
    3_000,
  );
  const scene = storeScene(database, storeProvider(Array.from(minutes, (time) => barAt(time))), '2024-11-01T20:00:10Z');
  const frequency = '1min';
  assert.equal(await scene.countRequests({ frequency }), 1);
  scene.setTime('2024-11-01T20:00:50Z');
  assert.equal(await scene.countRequests({ frequency }), 0);
  scene.setTime('2024-11-01T20:01:00Z');
  assert.equal(await scene.countRequests({ frequency }), 1);
  scene.setTime('2024-11-02T00:00:00Z');
  assert.equal(await scene.countRequests({ frequency }), 1);
  // On Monday the extended hours begin at 09:00 UTC instead of 08:00.
  for (const time of ['2024-11-03T12:00Z', '2024-11-04T08:30Z', '2024-11-04T09:00Z']) {
    scene.setTime(time);
    assert.equal(await scene.countRequests({ frequency }), 0, time);
  }
  scene.setTime('2024-11-04T09:01:00Z');
  assert.equal(await scene.countRequests({ frequency }), 1);
  assert.equal(timesOf(await scene.read({ frequency, limit: 2 })).join(), '2024-11-01T23:59,2024-11-04T09:00');
});

const START_OF_NOVEMBER = Date.parse('2024-11-01T08:00Z');

forEachDatabase('waits for the delay of the provider, also for one that it reports late', OPTIONS, async (fixture) => {
  const provider = storeProvider(dailyBars('2024-01-02', '2024-12-31'));
  provider.delayMinutes = 15;
  const scene = storeScene(fixture.database, provider, '2024-11-26T21:20:00Z');
  assert.equal(await scene.countRequests(), 1);
  scene.setTime('2024-11-27T21:14:00Z');
  assert.equal(await scene.countRequests(), 0);
  assert.equal(timesOf(await scene.read({ limit: 1 })).join(), '2024-11-26');
  scene.setTime('2024-11-27T21:15:00Z');
  assert.equal(await scene.countRequests(), 1);

  const late = storeProvider([barAt('2024-11-27T14:30Z'), barAt('2024-11-27T14:45Z'), barAt('2024-11-27T14:50Z')]);
  late.onRequest = () => {
    late.delayMinutes = 15;
  };
  const minutes = storeScene(fixture.database, late, '2024-11-27T15:00:00Z');
  const options = { frequency: '1min', symbol: 'LATE' } as const;
  assert.equal(timesOf(await minutes.read(options)).join(), '2024-11-27T14:30', '14:45 has not ended 15 minutes ago');
  assert.equal(late.takeRequests(), 1);
  minutes.setTime('2024-11-27T15:06:00Z');
  assert.equal(timesOf(await minutes.read(options)).at(-1), '2024-11-27T14:50');
});

forEachDatabase('days of currencies are UTC days, and the weekend has none', OPTIONS, async ({ database }) => {
  const days = futureTimestamps({ frequency: '1D', kind: 'currency' }, Date.parse('2024-10-31'), 40);
  const provider = storeProvider(
    Array.from(days, (time) => barAt(time)),
    'currency',
  );
  const scene = storeScene(database, provider, '2024-11-15T23:59:00Z');
  assert.equal(timesOf(await scene.read({ limit: 1 })).join(), '2024-11-14');
  scene.setTime('2024-11-16T00:00:00Z');
  assert.equal(timesOf(await scene.read({ limit: 1 })).join(), '2024-11-15');
  scene.setTime('2024-11-17T23:00:00Z');
  assert.equal(await scene.countRequests({ limit: 1 }), 0);
  scene.setTime('2024-11-18T00:00:00Z');
  assert.equal(timesOf(await scene.read({ limit: 1 })).join(), '2024-11-17');
  // Adjusted prices of currencies are those of every day, so they need no check.
  assert.equal(await scene.countRequests({ adjustment: 'all' }), 1);
  scene.setTime('2024-11-18T23:00:00Z');
  assert.equal(await scene.countRequests({ adjustment: 'all' }), 0);
});

forEachDatabase(
  'a day that is missing is requested again after a minute, then less often',
  OPTIONS,
  async (fixture) => {
    const rows = dailyBars('2024-01-02', '2024-11-27');
    const scene = storeScene(fixture.database, storeProvider(rows.slice(0, -1)), '2024-11-27T21:00:05Z');
    assert.equal(timesOf(await scene.read({ limit: 1 })).join(), '2024-11-26');
    scene.provider.takeRequests();
    const counts: Record<string, number> = {};
    for (const time of ['21:00:50', '21:01:05', '21:01:50', '21:02:10', '21:03:00', '21:04:20', '21:05:00']) {
      scene.setTime(`2024-11-27T${time}Z`);
      counts[time] = await scene.countRequests({ limit: 1 });
    }
    assert.deepEqual(Object.values(counts), [0, 1, 0, 1, 0, 1, 0], JSON.stringify(counts));
    scene.provider.fault = 'UNAVAILABLE';
    scene.setTime('2024-11-27T22:00:00Z');
    assert.equal(timesOf(await scene.read({ limit: 1 })).join(), '2024-11-26', 'the stored days are served');
    scene.provider.fault = null;
    scene.provider.rows = rows;
    assert.equal(timesOf(await scene.read({ limit: 1 })).join(), '2024-11-27');
  },
);

forEachDatabase('a delisted symbol is rarely requested', OPTIONS, async ({ database }) => {
  const scene = storeScene(database, storeProvider(dailyBars('2024-01-02', '2024-06-28')), '2024-11-27T15:00:00Z');
  const day = { limit: 10 };
  const minute = { frequency: '1min', limit: 10 } as const;
  assert.equal(await scene.countRequests(day), 1);
  scene.provider.rows = [barAt('2024-06-28T19:59Z')];
  assert.equal(timesOf(await scene.read(minute)).join(), '2024-06-28T19:59');
  let requests = 0;
  for (let minutes = 5; minutes <= 180; minutes += 5) {
    scene.setTime(new Date(Date.parse('2024-11-27T15:00Z') + minutes * 60_000).toISOString());
    requests += (await scene.countRequests(minute)) + (await scene.countRequests(day));
  }
  assert.equal(requests, 3);
});

forEachDatabase('knows that a history has a beginning', OPTIONS, async ({ database }) => {
  const scene = storeScene(database, storeProvider(dailyBars('2024-09-03', '2024-11-27')), '2024-11-27T21:00:00Z');
  const first = await scene.read({ limit: 500 });
  assert.deepEqual([first.reachedStart, first.completeFrom], [true, Number.NEGATIVE_INFINITY]);
  assert.equal(scene.provider.takeRequests(), 1);
  assert.deepEqual(await scene.read({ limit: 500 }), first);
  assert.equal((await scene.read({ limit: 500, start: '2020-01-01' })).reachedStart, true);
  const limited = await scene.read({ limit: first.bars.timestamps.length - 1 });
  assert.deepEqual([limited.reachedStart, limited.completeFrom], [false, limited.bars.timestamps[0]]);
  assert.deepEqual((await scene.read({ end: '2023-01-01' })).bars.timestamps.length, 0);
  assert.equal(scene.provider.takeRequests(), 0);
  Object.assign(scene.provider, { earliest: Date.parse('2016-01-01') });
  assert.equal(await scene.countRequests({ symbol: 'OLD', end: '2015-01-01' }), 0);
});

forEachDatabase('a symbol without bars is not stored', OPTIONS, async ({ database }) => {
  const scene = storeScene(database, storeProvider([]), '2024-11-27T21:00:00Z');
  const nothing = await scene.read();
  assert.deepEqual([nothing.bars.timestamps.length, nothing.reachedStart], [0, true]);
  assert.equal(await scene.countRequests(), 1);
  scene.provider.rows = dailyBars('2024-11-01', '2024-11-27');
  assert.equal((await scene.read()).bars.timestamps.length, 19);
});

forEachDatabase('start bounds a question and what is known of the series', OPTIONS, async ({ database }) => {
  const scene = storeScene(database, storeProvider(dailyBars('2020-01-02', '2024-11-27')), '2024-11-27T21:00:00Z');
  const bounded = await scene.read({ start: '2024-11-01' });
  assert.deepEqual(
    [bounded.bars.timestamps.length, bounded.reachedStart, bounded.completeFrom, scene.provider.takeRequests()],
    [19, true, Date.parse('2024-11-01'), 1],
  );
  assert.equal(await scene.countRequests({ start: '2024-11-15' }), 0);
  assert.equal(await scene.countRequests({ limit: 19 }), 0);
  const longer = await scene.read({ start: '2024-10-01', limit: 1_000 });
  assert.equal(scene.provider.takeRequests(), 1);
  assert.deepEqual([longer.bars.timestamps.length, longer.reachedStart], [42, true]);
  assert.equal(scene.provider.requests.at(-1)?.end, Date.parse('2024-11-01') + 1, 'the oldest stored bar is compared');
  assert.equal(await scene.countRequests({ start: '2024-11-28' }), 0);
});

forEachDatabase('an earlier instant selects the bars that had ended then', OPTIONS, async ({ database }) => {
  const scene = storeScene(database, storeProvider(dailyBars('2020-01-02', '2024-11-27')), '2024-11-27T21:00:00Z');
  await scene.read({ limit: 200 });
  scene.provider.takeRequests();
  const last = async (at: string) => timesOf(await scene.read({ at, end: at, limit: 1 })).join();
  assert.equal(await last('2024-11-26T20:59:00Z'), '2024-11-25');
  assert.equal(await last('2024-11-26T21:00:00Z'), '2024-11-26');
  assert.equal(timesOf(await scene.read({ at: '2024-11-26T15:00Z', limit: 1 })).join(), '2024-11-25');
  assert.equal(scene.provider.takeRequests(), 0);
  // A question that ends among unsettled days reads up to the newest one.
  const cold = { symbol: 'COLD', at: '2024-11-26T15:00Z', end: '2024-11-26T15:00Z' };
  assert.equal(timesOf(await scene.read({ ...cold, limit: 1 })).join(), '2024-11-25');
  assert.equal(timesOf(await scene.read({ symbol: 'COLD', limit: 1 })).join(), '2024-11-27');
  assert.equal(scene.provider.takeRequests(), 1);
});

forEachDatabase('keeps ranges apart that do not touch', OPTIONS, async ({ database }) => {
  const scene = storeScene(database, storeProvider(dailyBars('2005-01-03', '2024-11-27')), '2024-11-27T21:00:00Z');
  const old = { end: '2010-07-01', limit: 50 };
  assert.equal(await scene.countRequests(old), 1);
  assert.equal(await scene.countRequests({ limit: 50 }), 1);
  assert.equal(await scene.countRequests(old), 0);
  assert.equal(await scene.countRequests({ limit: 50 }), 0);
  // The hole between the ranges is not complete.
  const hole = await scene.read({ end: '2015-01-01', limit: 10 });
  assert.deepEqual([timesOf(hole).at(-1), scene.provider.takeRequests()], ['2014-12-31', 1]);
  const all = await scene.read({ start: '2009-01-01', limit: 10_000 });
  assert.deepEqual(
    [all.bars.timestamps.length, all.reachedStart],
    [dailyBars('2009-01-02', '2024-11-27').length, true],
  );
  scene.provider.takeRequests();
  assert.equal(await scene.countRequests({ start: '2009-01-01', limit: 10_000 }), 0);
  const { rows } = await sql`SELECT jsonb_array_length(coverage->'ranges') AS ranges FROM bar_series`.execute(
    database.query(),
  );
  assert.deepEqual(rows, [{ ranges: 1 }], 'the ranges have become one');
});

forEachDatabase('a long pause leaves a hole if too many bars lie in between', OPTIONS, async ({ database }) => {
  const provider = storeProvider(
    Array.from({ length: 58 * 1_440 }, (_, i) => barAt(Date.parse('2024-10-01') + i * 60_000)),
    'plain',
  );
  const scene = storeScene(database, provider, '2024-10-02T12:00:00Z');
  const frequency = '1min';
  await scene.read({ frequency, limit: 600 });
  scene.setTime('2024-11-27T12:00:00Z');
  await scene.read({ frequency, limit: 600 });
  assert.ok((provider.requests.at(-1)?.limit ?? 0) < 1_000);
  const before = { frequency, end: '2024-10-02T12:00Z', limit: 100 } as const;
  // The bars of the first read were not settled, so they are read again.
  assert.equal((await scene.read(before)).bars.timestamps.length, 100);
  provider.takeRequests();
  assert.equal(await scene.countRequests(before), 0);
  const across = await scene.read({ frequency, end: '2024-10-03T12:00Z', limit: 1_440 });
  assert.equal(across.bars.timestamps.length, 1_440);
  assert.equal((across.bars.timestamps[1_439] ?? 0) - (across.bars.timestamps[0] ?? 0), 1_439 * 60_000);
});

forEachDatabase(
  'stops at the pages that one read may request, and continues with the next read',
  OPTIONS,
  async (fixture) => {
    const provider = storeProvider(dailyBars('2020-01-02', '2024-11-27'));
    Object.assign(provider, { pageRows: 10, maxPagesPerRead: 3 });
    const scene = storeScene(fixture.database, provider, '2024-11-27T21:00:00Z');
    const first = await scene.read({ limit: 100 });
    assert.deepEqual([first.bars.timestamps.length, first.reachedStart, provider.takeRequests()], [30, false, 3]);
    assert.equal(first.completeFrom, first.bars.timestamps[0]);
    const second = await scene.read({ limit: 100 });
    assert.deepEqual([second.bars.timestamps.length, provider.takeRequests()], [59, 3]);
  },
);

forEachDatabase('keeps all bars of the files that were read', OPTIONS, async ({ database }) => {
  const days = dailyBars('2015-01-02', '2024-11-27');
  const provider = storeProvider([]);
  const fetchPage: typeof provider.fetchPage = async (query, token) => {
    provider.requests.push(query);
    // One file holds the days of one year.
    const year = token === null ? new Date(query.end - 1).getUTCFullYear() : Number(token);
    const inYear = days.filter(({ timestamp }) => new Date(Number(timestamp)).getUTCFullYear() === year);
    return { bars: inYear, olderToken: year > 2015 ? String(year - 1) : null, from: Date.UTC(year, 0, 1) };
  };
  const scene = storeScene(database, Object.assign(provider, { fetchPage }), '2024-11-27T21:00:00Z');
  assert.equal((await scene.read({ limit: 500 })).bars.timestamps.length, 500);
  assert.equal(provider.takeRequests(), 3);
  assert.equal((await scene.read({ limit: 700 })).bars.timestamps.length, 700);
  assert.equal(provider.takeRequests(), 0, 'the rest of 2022 was in the third file');
  const all = await scene.read({ limit: 5_000 });
  assert.deepEqual([all.bars.timestamps.length, all.reachedStart], [days.length, true]);
  assert.deepEqual(all.dropped, {});
  assert.equal(provider.takeRequests(), 8, 'from 2022 to 2015: the oldest stored day is compared');
  assert.equal(await scene.countRequests({ limit: 5_000 }), 0);
});
