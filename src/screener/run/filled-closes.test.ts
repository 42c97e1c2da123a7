import assert from 'node:assert/strict';
import { type FillProtocol, type FillScene, openFillScene, symbolAt } from '../../../test/support/market/fill-scene.ts';
import { createHistory } from '../../../test/support/market/market-history.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { type Reply, sendAnswer, sendJson } from '../../../test/support/platform/wire-server.ts';
import { makeFilter } from '../../../test/support/screener/filters.ts';
import { openRunScene, type RunScene } from '../../../test/support/screener/run-scene.ts';
import { createIdentityContext, MIGRATIONS } from '../../compose/index.ts';
import { createAccount } from '../../identity/index.ts';
import { systemClock } from '../../platform/index.ts';
import { runDueSessions } from './run-due.ts';

const OPTIONS = { migrations: MIGRATIONS };
const SESSION = '2024-03-27';
const NEXT = '2024-03-28';
const SYMBOLS = 20;
const ALL = Array.from({ length: SYMBOLS }, (_, i) => symbolAt(i));

interface Scene extends AsyncDisposable {
  readonly market: FillScene;
  readonly screener: RunScene;
  /** Attempts to run the due sessions. Returns the requests for bars that were sent, and how the run of a session is. */
  run(session?: string): Promise<{ readonly requests: number; readonly state: string | undefined; missing: number }>;
}

async function openScene(fixture: TestDatabase, protocol: FillProtocol): Promise<Scene> {
  const market = await openFillScene(fixture, protocol, {
    session: SESSION,
    lastSession: '2024-04-05',
    symbols: SYMBOLS,
    sessions: protocol === 'alpaca' ? 400 : 15,
    maxSymbols: 5,
  });
  const { context } = market;
  const { clock, directory, storeBytes, log } = context;
  const screener = openRunScene(fixture, [market.provider], undefined, {
    clock,
    barStore: { storeBytes, log },
    ...(directory && { directory }),
  });
  const account = await createAccount(createIdentityContext({ database: fixture.database, clock: systemClock }), {
    email: 'a@example.com',
    verified: true,
  });
  await makeFilter(fixture.database, account.id);
  await makeFilter(fixture.database, account.id, { universe: ['SAA', 'UNL'] });
  return {
    market,
    screener,
    run: async (session = SESSION) => {
      const before = market.server.requests.length;
      await runDueSessions(screener.context);
      const run = await screener.readRun(session);
      const requests = market.server.requests.length - before;
      return { requests, state: run?.state, missing: run?.missing.length ?? 0 };
    },
    [Symbol.asyncDispose]: () => market[Symbol.asyncDispose](),
  };
}

/** Fails the fill after some requests. */
async function failFill({ market }: Scene, after: number): Promise<void> {
  const refuse: Reply = sendJson({ message: 'no' }, 401);
  market.server.script.push(...Array<Reply>(after).fill(sendAnswer), ...Array<Reply>(50).fill(refuse));
  assert.equal((await market.fill()).outcome, 'failed');
  market.server.script.length = 0;
}

for (const protocol of ['alpaca', 'massive'] satisfies FillProtocol[]) {
  forEachDatabase(
    `${protocol}: a run waits for the bulk read and asks for no listed symbol`,
    OPTIONS,
    async (fixture) => {
      await using scene = await openScene(fixture, protocol);
      // The listing does not have the other symbol of the filter, so it is not requested either.
      assert.deepEqual(await scene.run(), { requests: 0, state: 'waiting', missing: SYMBOLS });
      await failFill(scene, 2);
      const { state, missing } = await scene.run();
      assert.equal(state, 'waiting');
      // Bars of a few dates are not enough for the metrics.
      assert.equal(missing, protocol === 'alpaca' ? SYMBOLS / 2 : SYMBOLS);
      await scene.market.fill();
      assert.deepEqual(await scene.run(), { requests: 0, state: 'completed', missing: 0 });
      assert.deepEqual(await scene.screener.readSymbols(SESSION), ALL);
    },
  );

  forEachDatabase(`${protocol}: an earlier session waits for a provider that fails`, OPTIONS, async (fixture) => {
    await using scene = await openScene(fixture, protocol);
    await scene.market.fill();
    assert.equal((await scene.run()).state, 'completed');
    scene.market.closeSession(NEXT);
    await failFill(scene, 0);
    assert.equal((await scene.run(NEXT)).state, 'waiting');
    scene.market.closeSession('2024-04-01');
    await failFill(scene, 0);
    assert.deepEqual((await scene.run(NEXT)).state, 'waiting');
    scene.market.setTime('2024-04-01T22:30:00Z');
    assert.equal((await scene.market.fill()).outcome, 'completed');
    await scene.run();
    assert.deepEqual(scene.screener.completed, [SESSION, `${NEXT} past`, '2024-04-01']);
    assert.deepEqual(await scene.screener.readSymbols(NEXT), ALL);
  });

  forEachDatabase(
    `${protocol}: a delisted symbol of a filter is read with one request, once the listing has it`,
    OPTIONS,
    async (fixture) => {
      await using scene = await openScene(fixture, protocol);
      const delisted = createHistory({ symbol: 'UNL', from: '2022-01-03', to: '2024-04-05', status: 'delisted' });
      await scene.market.fill();
      // The listing of the provider was read before.
      scene.market.histories.push(delisted);
      assert.equal((await scene.run()).requests, 0);
      assert.deepEqual(await scene.screener.readSymbols(SESSION), ALL);
      await scene.market.refreshListing();
      scene.market.closeSession(NEXT);
      await scene.market.fill();
      assert.equal((await scene.run(NEXT)).requests, 1);
      assert.deepEqual(await scene.screener.readSymbols(NEXT), [...ALL, 'UNL']);
      assert.equal((await scene.market.readCloses('UNL')).length, 400, 'it is stored');
    },
  );
}
