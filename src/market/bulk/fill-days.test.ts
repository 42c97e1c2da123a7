import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  FILL_OPTIONS,
  type FillProtocol,
  type FillScene,
  openFillScene,
  symbolAt,
} from '../../../test/support/market/fill-scene.ts';
import { createHistory, parseDay } from '../../../test/support/market/market-history.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { type Reply, sendAnswer, sendHtml, sendJson } from '../../../test/support/platform/wire-server.ts';
import { licensesWithout } from '../../access/index.ts';
import { assignSymbols } from './assign-symbols.ts';
import type { FillContext } from './fill-run.ts';
import { readFillProgress } from './read-fill-progress.ts';
import { formatDay } from './session-day.ts';

/** Wednesday, 2024-03-27, before Good Friday. */
const SESSION = '2024-03-27';
const SCENE = { session: SESSION, lastSession: '2024-04-12', symbols: 20, sessions: 20, maxSymbols: 5 };
const ALL = Array.from({ length: 20 }, (_, i) => symbolAt(i));

async function assertStored(scene: FillScene, symbols: readonly string[] = ALL): Promise<void> {
  for (const symbol of symbols) {
    const [stored, expected] = [await scene.readCloses(symbol), scene.expectedCloses(symbol)];
    assert.equal(stored.length >= expected.length, true, `${symbol}: ${stored.length} of ${expected.length}`);
    assert.deepEqual(stored.slice(-expected.length).map(round), expected.map(round), symbol);
  }
}

const round = (price: number) => Number(price.toPrecision(9));

for (const protocol of ['alpaca', 'massive'] satisfies FillProtocol[]) {
  const isBySymbols = protocol === 'alpaca';
  const open = (fixture: Parameters<typeof openFillScene>[0]) => openFillScene(fixture, protocol, SCENE);
  const test: typeof forEachDatabase = (name, options, body) => forEachDatabase(`${protocol}: ${name}`, options, body);

  test(
    'fills the store, does nothing afterward, and adds one session with few requests',
    FILL_OPTIONS,
    async (fixture) => {
      await using scene = await openFillScene(fixture, protocol, {
        ...SCENE,
        symbols: 40,
        sessions: 30,
        maxSymbols: 10,
      });
      const first = await scene.fill();
      assert.deepEqual([first.outcome, first.requests.length], ['completed', isBySymbols ? 4 : 30]);
      if (!isBySymbols) assert.deepEqual(first.requests.slice(0, 2), ['2024-03-27', '2024-03-26'], 'newest first');
      await assertStored(scene);
      assert.deepEqual(await scene.fill(), { outcome: 'idle', requests: [] });
      scene.setTime('2024-03-28T20:29:00Z');
      assert.deepEqual(await scene.fill(), { outcome: 'idle', requests: [] }, 'within the lag');

      scene.closeSession('2024-03-28');
      const second = await scene.fill();
      assert.equal(second.outcome, 'completed');
      // The last settled session and the one that settles now are compared.
      if (isBySymbols) {
        assert.deepEqual(
          second.requests.map((request) => request.slice(-10)),
          Array(4).fill('2024-03-22'),
        );
      } else assert.deepEqual(second.requests, ['2024-03-25', '2024-03-28']);
      await assertStored(scene);
      const state = (await readFillProgress(fixture.database)).get(protocol) ?? assert.fail();
      assert.deepEqual(
        [state.session, state.completed_session, state.last_fault, state.done, state.unit],
        ['2024-03-28', '2024-03-28', null, state.total, isBySymbols ? 'symbols' : 'dates'],
      );
    },
  );

  test('continues after an abort and asks nothing twice', FILL_OPTIONS, async (fixture) => {
    await using scene = await open(fixture);
    const stop = new AbortController();
    const atRequest = isBySymbols ? 2 : 13;
    for (let i = 0; i < atRequest; i++) scene.server.script.push(sendAnswer);
    scene.server.script.push(() => stop.abort());
    await assert.rejects(scene.fill(stop.signal), { name: 'AbortError' });
    const state = (await readFillProgress(fixture.database)).get(protocol) ?? assert.fail();
    assert.deepEqual([state.done, state.total], isBySymbols ? [10, 20] : [13, 20]);
    const { outcome, requests } = await scene.fill();
    assert.deepEqual([outcome, requests.length], ['completed', isBySymbols ? 2 : 7]);
    await assertStored(scene);
  });

  test('continues on the next day after an abort', FILL_OPTIONS, async (fixture) => {
    await using scene = await open(fixture);
    const stop = new AbortController();
    for (let i = 0; i < (isBySymbols ? 2 : 13); i++) scene.server.script.push(sendAnswer);
    scene.server.script.push(() => stop.abort());
    await assert.rejects(scene.fill(stop.signal), { name: 'AbortError' });
    scene.closeSession('2024-03-28');
    const { outcome, requests } = await scene.fill();
    // By date: one to compare, the new one, and 6 older ones.
    assert.deepEqual([outcome, requests.length], ['completed', isBySymbols ? 4 : 8]);
    await assertStored(scene);
  });

  test('compares prices before older ones are added on another day', FILL_OPTIONS, async (fixture) => {
    await using scene = await open(fixture);
    const stop = new AbortController();
    for (let i = 0; i < (isBySymbols ? 2 : 13); i++) scene.server.script.push(sendAnswer);
    scene.server.script.push(() => stop.abort());
    await assert.rejects(scene.fill(stop.signal), { name: 'AbortError' });
    // Before the open of the day from which a split applies.
    const split = scene.histories.find(({ symbol }) => symbol === 'SAC') ?? assert.fail();
    split.splits = [{ date: parseDay('2024-03-28'), ratio: 4 }];
    scene.setTime('2024-03-28T12:00:00Z');
    const { outcome, requests } = await scene.fill();
    assert.equal(outcome, 'completed');
    if (!isBySymbols) assert.deepEqual([requests[0], requests[1], requests.length], ['2024-03-27', 'SAC', 9]);
    if (!isBySymbols) assert.equal((await scene.readCloses('SAC')).length, 20);
  });

  test('reads a symbol alone whose overlap disagrees', FILL_OPTIONS, async (fixture) => {
    await using scene = await open(fixture);
    await scene.fill();
    const split = scene.histories.find(({ symbol }) => symbol === 'SAC') ?? assert.fail();
    split.splits = [{ date: parseDay('2024-03-28'), ratio: 4 }];
    const corrected = scene.histories.find(({ symbol }) => symbol === 'SAD') ?? assert.fail();
    corrected.days = corrected.days.map((bar) =>
      bar.timestamp === parseDay('2024-03-25') ? { ...bar, close: bar.low } : bar,
    );
    scene.closeSession('2024-03-28');
    const { outcome, requests } = await scene.fill();
    assert.deepEqual([outcome, requests.length], ['completed', (isBySymbols ? 4 : 2) + 2]);
    assert.deepEqual(
      requests.filter((request) => request.length === 3),
      ['SAC', 'SAD'],
    );
    await assertStored(scene);
  });

  test('stores nothing of a failed reply, and continues after an outage', FILL_OPTIONS, async (fixture) => {
    await using scene = await open(fixture);
    for (const [minute, reply] of [sendHtml, sendJson({ message: 'no' }, 401)].entries()) {
      scene.server.script.push(sendAnswer, ...Array<Reply>(200).fill(reply));
      assert.equal((await scene.fill()).outcome, 'failed');
      assert.notEqual((await readFillProgress(fixture.database)).get(protocol)?.last_fault, null);
      scene.server.script.length = 0;
      for (const symbol of ALL) {
        const [stored, expected] = [await scene.readCloses(symbol), scene.expectedCloses(symbol)];
        assert.deepEqual(stored, stored.length === 0 ? [] : expected.slice(-stored.length));
      }
      // The breaker is closed again.
      scene.setTime(`2024-03-27T22:${minute}0:00Z`);
    }
    const { outcome } = await scene.fill();
    assert.equal(outcome, 'completed');
    await assertStored(scene);
    assert.equal((await readFillProgress(fixture.database)).get(protocol)?.last_fault, null);
  });

  test('follows the listing: new symbols are read, delisted ones keep their history', FILL_OPTIONS, async (fixture) => {
    await using scene = await open(fixture);
    await scene.fill();
    const before = await scene.readCloses('SAB');
    const delisted = scene.histories.find(({ symbol }) => symbol === 'SAB') ?? assert.fail();
    delisted.status = 'delisted';
    delisted.days = delisted.days.filter(({ timestamp }) => timestamp <= parseDay(SESSION));
    const { lastSession: to } = SCENE;
    scene.histories.push(createHistory({ symbol: 'NEW', from: '2024-01-02', to }));
    scene.histories.push(createHistory({ symbol: 'IPO', from: '2024-03-28', to }));
    await scene.refreshListing();
    scene.closeSession('2024-03-28');
    const { requests } = await scene.fill();
    if (isBySymbols) assert.equal(requests.length, 5);
    else assert.deepEqual(requests, ['2024-03-25', '2024-03-28', 'IPO', 'NEW']);
    assert.deepEqual(await scene.readCloses('SAB'), before);
    await assertStored(scene, ['SAA', 'NEW', 'IPO']);
    scene.closeSession('2024-04-01');
    // Good Friday has no session. The dates that are read have no bar of IPO to compare.
    assert.equal((await scene.fill()).requests.length, isBySymbols ? 5 : 3);
    await assertStored(scene, ['SAA', 'NEW', 'IPO']);
  });

  test('does not take a day without a trade for an error', FILL_OPTIONS, async (fixture) => {
    await using scene = await open(fixture);
    const dropDays = (symbol: string, ...dates: readonly string[]) => {
      const history = scene.histories.find((one) => one.symbol === symbol) ?? assert.fail();
      history.days = history.days.filter(
        ({ timestamp }) => !dates.includes(new Date(timestamp).toISOString().slice(0, 10)),
      );
    };
    dropDays('SAA', '2024-03-27', '2024-03-26');
    dropDays('SAB', '2024-03-28');
    dropDays('SAC', '2024-03-25');
    await scene.fill();
    await assertStored(scene);
    for (const session of ['2024-03-28', '2024-04-01', '2024-04-02', '2024-04-03']) {
      scene.closeSession(session);
      assert.equal((await scene.fill()).outcome, 'completed', session);
      await assertStored(scene);
    }
  });

  test('reads several sessions after the service was off', FILL_OPTIONS, async (fixture) => {
    await using scene = await open(fixture);
    await scene.fill();
    scene.closeSession('2024-04-08');
    const { requests } = await scene.fill();
    if (isBySymbols) assert.equal(requests.length, 4);
    else {
      const [again, sessions] = [
        ['2024-03-25', '2024-03-26', '2024-03-27'],
        ['28', '01', '02', '03', '04', '05', '08'],
      ];
      assert.deepEqual(requests, [...again, ...sessions.map((day) => `2024-${day === '28' ? '03' : '04'}-${day}`)]);
    }
    await assertStored(scene);
  });

  test('waits for the close of a half day, and for bars that are not published', FILL_OPTIONS, async (fixture) => {
    await using scene = await openFillScene(fixture, protocol, {
      ...SCENE,
      session: '2024-11-27',
      lastSession: '2024-11-29',
    });
    await scene.fill();
    scene.setTime('2024-11-28T22:00:00Z');
    assert.deepEqual(await scene.fill(), { outcome: 'idle', requests: [] }, 'a holiday');
    scene.setTime('2024-11-29T18:29:00Z');
    assert.deepEqual(await scene.fill(), { outcome: 'idle', requests: [] });
    scene.setTime('2024-11-29T18:30:00Z');
    const days = scene.histories.map(({ days }) => days);
    for (const history of scene.histories) history.days = history.days.slice(0, -1);
    assert.equal((await scene.fill()).outcome, 'unpublished');
    for (const [i, history] of scene.histories.entries()) history.days = days[i] ?? assert.fail();
    assert.equal((await scene.fill()).outcome, 'completed');
    await assertStored(scene);
  });

  test('two workers at once do not read the same bars', FILL_OPTIONS, async (fixture) => {
    await using scene = await open(fixture);
    const [one, other] = await Promise.all([scene.fill(), scene.fill()]);
    assert.deepEqual([one.outcome, other.outcome].sort(), ['completed', 'idle']);
    await setImmediate();
    assert.equal(scene.server.requests.filter(({ path }) => /bars|grouped/.test(path)).length, isBySymbols ? 4 : 20);
    await assertStored(scene);
  });
}

forEachDatabase(
  'fills the session before while the plan does not include the latest one',
  FILL_OPTIONS,
  async (fixture) => {
    await using scene = await openFillScene(fixture, 'massive', { ...SCENE, plan: 'end_of_day', sessions: 5 });
    const { outcome, requests } = await scene.fill();
    assert.deepEqual([outcome, requests.length, requests[1]], ['completed', 6, '2024-03-26']);
    scene.setTime('2024-03-28T05:00:00Z');
    assert.deepEqual((await scene.fill()).requests, ['2024-03-22', '2024-03-27']);
  },
);

forEachDatabase('reads late bars again for an hour after the close', FILL_OPTIONS, async (fixture) => {
  await using scene = await openFillScene(fixture, 'alpaca', SCENE);
  await scene.fill();
  const [late, quiet] = scene.histories;
  assert.ok(late && quiet);
  const { days } = late;
  const isOther = ({ timestamp }: (typeof days)[number]) => timestamp !== parseDay('2024-03-28');
  late.days = days.filter(isOther);
  quiet.days = quiet.days.filter(isOther);
  scene.setTime('2024-03-28T20:30:00Z');
  assert.equal((await scene.fill()).outcome, 'unpublished');
  late.days = days;
  scene.setTime('2024-03-28T20:40:00Z');
  assert.deepEqual(await scene.fill(), { outcome: 'unpublished', requests: ['SAA..SAB 2024-03-25'] });
  await assertStored(scene, ['SAA']);
  scene.setTime('2024-03-28T21:00:00Z');
  assert.deepEqual(await scene.fill(), { outcome: 'completed', requests: ['SAB..SAB 2024-03-25'] });
});

forEachDatabase('compares symbols that are rarely traded with one request for many', FILL_OPTIONS, async (fixture) => {
  await using scene = await openFillScene(fixture, 'massive', SCENE);
  const without = (symbols: readonly string[], ...dates: readonly string[]) => {
    for (const history of scene.histories.filter(({ symbol }) => symbols.includes(symbol))) {
      history.days = history.days.filter(({ timestamp }) => !dates.includes(formatDay(timestamp)));
    }
  };
  without(['SAA', 'SAB', 'SAC', 'SAD'], '2024-03-25');
  without(['SAE'], '2024-03-25', '2024-03-26', '2024-03-27');
  without(['SAF'], '2024-03-25', '2024-03-28');
  await scene.fill();
  const split = scene.histories.find(({ symbol }) => symbol === 'SAD') ?? assert.fail();
  split.splits = [{ date: parseDay('2024-03-28'), ratio: 4 }];
  scene.closeSession('2024-03-28');
  const { requests } = await scene.fill();
  assert.deepEqual(requests, ['2024-03-25', '2024-03-28', '2024-03-27', 'SAD', 'SAE']);
  await assertStored(scene);
});

forEachDatabase('reads all dates again if most stored bars are gone', FILL_OPTIONS, async (fixture) => {
  await using scene = await openFillScene(fixture, 'massive', { ...SCENE, sessions: 8 });
  await scene.fill();
  await sql`DELETE FROM bar_series WHERE symbol <> 'SAA'`.execute(fixture.database.query());
  scene.closeSession('2024-03-28');
  // Reading 19 symbols alone would need more requests.
  const { outcome, requests } = await scene.fill();
  assert.deepEqual([outcome, requests.length, requests[2]], ['completed', 10, '2024-03-28']);
  await assertStored(scene);
});

forEachDatabase('reads a symbol from the first provider that lists it', FILL_OPTIONS, async (fixture) => {
  await using alpaca = await openFillScene(fixture, 'alpaca', SCENE);
  await using massive = await openFillScene(fixture, 'massive', { ...SCENE, symbols: 25 });
  const providers = [alpaca.provider, massive.provider];
  const count = async (context: FillContext) => {
    const assigned = [...(await assignSymbols(context)).values()].map(({ id }) => id);
    return providers.map(({ id }) => assigned.filter((one) => one === id).length);
  };
  const context = { ...alpaca.context, providers };
  assert.deepEqual(await count(context), [20, 5]);
  assert.deepEqual(await count({ ...context, providers: providers.toReversed() }), [0, 25]);
  assert.deepEqual(await count({ ...context, licenses: licensesWithout(['alpaca market data terms']) }), [0, 25]);
  await sql`UPDATE market_listing SET version = 0 WHERE provider = 'alpaca'`.execute(fixture.database.query());
  assert.deepEqual(await count(context), [25, 0], 'a listing that was never read');
});
