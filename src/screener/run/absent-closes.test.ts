import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BulkProvider, barOf, barsEndingAt, bulkProvider } from '../../../test/support/market/bulk-provider.ts';
import { memoryProvider } from '../../../test/support/market/memory-provider.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { deleteRuns, makeFilter } from '../../../test/support/screener/filters.ts';
import { openRunScene, type RunScene } from '../../../test/support/screener/run-scene.ts';
import { MINUTE_MS } from '../../calendar/index.ts';
import { createIdentityContext, MIGRATIONS } from '../../compose/index.ts';
import { createAccount } from '../../identity/index.ts';
import { ProviderError, systemClock } from '../../platform/index.ts';
import { runDueSessions } from './run-due.ts';
import { waitDeadline } from './run-session.ts';

const OPTIONS = { migrations: MIGRATIONS };
const [TUESDAY, WEDNESDAY, THURSDAY] = ['2024-03-26', '2024-03-27', '2024-03-28'] as const;

/** Creates a provider with bars up to a session: closes of 5, and 20 at the last one. */
function createProvider(session: string, symbols: readonly string[], maxSymbols = 100): BulkProvider {
  const provider = bulkProvider(
    Object.fromEntries(symbols.map((symbol) => [symbol, barsEndingAt(session, [...Array(25).fill(5), 20])])),
  );
  Object.assign(provider.bulk, { maxSymbols });
  return provider;
}

let accounts = 0;
async function makeOwnFilter({ database }: TestDatabase, universe?: string[]) {
  const { id } = await createAccount(createIdentityContext({ database, clock: systemClock }), {
    email: `a${++accounts}@example.com`,
    verified: true,
  });
  return makeFilter(database, id, universe && { universe });
}

/** Runs the due sessions in the evening of a session. */
async function runEvening(scene: RunScene, session: string, time = '20:30'): Promise<void> {
  scene.setTime(`${session}T${time}:00Z`);
  await runDueSessions(scene.context);
}

async function describeRun(scene: RunScene, session: string) {
  const run = await scene.readRun(session);
  return run && `${run.state} ${run.missing.join(',')}`;
}

/** Makes every request for a bad symbol fail. */
function failFor(provider: BulkProvider, isBad: (symbol: string) => boolean, fault: ProviderError['fault']) {
  const { fetchDays } = provider.bulk;
  const failing: typeof fetchDays = async (query, ...rest) => {
    if (query.symbols.some(isBad)) throw new ProviderError('alpaca', fault);
    return fetchDays(query, ...rest);
  };
  Object.assign(provider.bulk, { fetchDays: failing });
}

forEachDatabase(
  'waits after a day without bars for the symbols that were traded before it',
  OPTIONS,
  async (fixture) => {
    const alpaca = createProvider(TUESDAY, ['A', 'B', 'C']);
    const scene = openRunScene(fixture, [alpaca]);
    const filter = await makeOwnFilter(fixture);
    await runEvening(scene, TUESDAY);
    await runEvening(scene, WEDNESDAY);
    assert.equal(await describeRun(scene, WEDNESDAY), 'waiting A,B,C');
    const addBars = (symbol: string) => {
      for (const session of [WEDNESDAY, THURSDAY]) alpaca.bars.get(symbol)?.push(barOf(Date.parse(session), 20));
    };
    addBars('A');
    await runEvening(scene, THURSDAY);
    assert.equal(await describeRun(scene, THURSDAY), 'waiting B,C');
    addBars('B');
    addBars('C');
    await runEvening(scene, THURSDAY, '20:40');
    assert.deepEqual(await scene.readMatches(filter.id, THURSDAY), ['A', 'B!', 'C!']);
  },
);

forEachDatabase(
  'waits for symbols with recent metrics, even if replies and lists leave them out',
  OPTIONS,
  async (fixture) => {
    const alpaca = createProvider(WEDNESDAY, ['A', 'B', 'C']);
    const { fetchDays, listSymbols } = alpaca.bulk;
    const scene = openRunScene(fixture, [alpaca]);
    await makeOwnFilter(fixture);
    await runEvening(scene, TUESDAY);
    const onlyA: typeof fetchDays = async (...request) => {
      const page = await fetchDays(...request);
      return { ...page, bars: new Map([...page.bars].filter(([symbol]) => symbol === 'A')) };
    };
    Object.assign(alpaca.bulk, { fetchDays: onlyA });
    await runEvening(scene, WEDNESDAY);
    assert.equal(await describeRun(scene, WEDNESDAY), 'waiting B,C');
    for (const listed of [['A'], []]) {
      Object.assign(alpaca.bulk, { listSymbols: async () => listed });
      await runEvening(scene, WEDNESDAY, '20:40');
      assert.equal(await describeRun(scene, WEDNESDAY), 'waiting B,C');
    }
    Object.assign(alpaca.bulk, { fetchDays, listSymbols });
    await runEvening(scene, WEDNESDAY, '20:50');
    assert.equal(await describeRun(scene, WEDNESDAY), 'completed ');
  },
);

for (const fault of ['NOT_FOUND', 'REJECTED', 'MALFORMED'] as const) {
  forEachDatabase(`loses no close over invalid symbols of a filter: ${fault}`, OPTIONS, async (fixture) => {
    const good = Array.from({ length: 40 }, (_, i) => `S${i}`);
    for (const maxSymbols of [1, 2, 100]) {
      const alpaca = createProvider(WEDNESDAY, good, maxSymbols);
      failFor(alpaca, (symbol) => symbol.startsWith('A^'), fault);
      const scene = openRunScene(fixture, [alpaca]);
      await makeOwnFilter(fixture, ['A^1', 'A^2', 'A^3', 'S1']);
      await deleteRuns(fixture.database);
      await runEvening(scene, WEDNESDAY);
      assert.equal(await describeRun(scene, WEDNESDAY), 'completed ', `${maxSymbols} per request`);
      assert.equal((await scene.readSymbols(WEDNESDAY)).length, 40);
    }
  });
}

forEachDatabase('waits only an hour for a symbol that only filters list', OPTIONS, async (fixture) => {
  const alpaca = createProvider(WEDNESDAY, ['A', 'OWN']);
  Object.assign(alpaca.bulk, { listSymbols: async () => ['A'] });
  const scene = openRunScene(fixture, [alpaca]);
  const filter = await makeOwnFilter(fixture, ['A']);
  await makeOwnFilter(fixture, ['OWN']);
  await runEvening(scene, TUESDAY);
  alpaca.bars.get('OWN')?.pop();
  await runEvening(scene, WEDNESDAY, '20:59');
  assert.equal(await describeRun(scene, WEDNESDAY), 'waiting ');
  await runEvening(scene, WEDNESDAY, '21:00');
  assert.equal(await describeRun(scene, WEDNESDAY), 'completed ');
  assert.deepEqual(await scene.readMatches(filter.id, WEDNESDAY), ['A!']);
});

forEachDatabase('runs later sessions even if an earlier one fails', OPTIONS, async (fixture) => {
  const alpaca = createProvider(WEDNESDAY, ['A', 'B']);
  alpaca.bars.get('B')?.pop();
  const scene = openRunScene(fixture, [alpaca]);
  await makeOwnFilter(fixture);
  await runEvening(scene, WEDNESDAY);
  const { fetchDays } = alpaca.bulk;
  const broken: typeof fetchDays = async (query, ...rest) => {
    if (query.end === Date.parse(THURSDAY)) throw new TypeError('unexpected');
    return fetchDays(query, ...rest);
  };
  Object.assign(alpaca.bulk, { fetchDays: broken });
  for (const symbol of ['A', 'B']) {
    for (const session of [THURSDAY, '2024-04-05']) alpaca.bars.get(symbol)?.push(barOf(Date.parse(session), 20));
  }
  await runEvening(scene, THURSDAY);
  assert.equal(await describeRun(scene, THURSDAY), 'completed ');
  assert.equal((await scene.readRun(WEDNESDAY))?.state, 'waiting');
  // After a week the session counts as missed.
  await runEvening(scene, '2024-04-05');
  assert.equal((await scene.readRun(WEDNESDAY))?.state, 'missed');
});

test('waits long for many missing closes, and an hour for a few among thousands', () => {
  const session = Date.parse(WEDNESDAY);
  const close = Date.parse('2024-03-27T20:00:00Z');
  const wait = (closes: number, shared: number, others = 0, waitMinutes = 720) => {
    const deadline = waitDeadline({ session, closes, missing: { shared, others }, waitMinutes });
    return (deadline - close) / MINUTE_MS;
  };
  assert.equal(wait(8_000, 0), Number.NEGATIVE_INFINITY);
  assert.equal(wait(7_920, 80), 60);
  assert.equal(wait(7_919, 81), 720);
  assert.equal(wait(1, 1), 720);
  assert.equal(wait(0, 0, 1), 60);
  assert.equal(wait(7_920, 80, 0, 30), 30);
});

forEachDatabase(
  'waits equally long for all symbols when a provider cannot list its symbols',
  OPTIONS,
  async (fixture) => {
    const alpaca = createProvider(WEDNESDAY, ['A', 'OWN']);
    Object.assign(alpaca.bulk, { listSymbols: async () => ['A'] });
    const other = memoryProvider({
      id: 'massive',
      rows: [],
      fails: () => new ProviderError('massive', 'NOT_FOUND'),
    });
    const scene = openRunScene(fixture, [alpaca, other]);
    await makeOwnFilter(fixture, ['OWN']);
    await runEvening(scene, TUESDAY);
    const own = alpaca.bars.get('OWN')?.pop() ?? assert.fail();
    // The run does not wait for a symbol that may not exist.
    failFor(alpaca, (symbol) => symbol.startsWith('A^'), 'MALFORMED');
    await makeOwnFilter(fixture, ['A^1']);
    await runEvening(scene, WEDNESDAY, '23:00');
    assert.equal(await describeRun(scene, WEDNESDAY), 'waiting OWN');
    alpaca.bars.get('OWN')?.push(own);
    await runEvening(scene, WEDNESDAY, '23:10');
    assert.equal(await describeRun(scene, WEDNESDAY), 'completed ');
  },
);

forEachDatabase(
  'keeps a symbol that only one filter lists out of the results of other filters',
  OPTIONS,
  async (fixture) => {
    const alpaca = createProvider(WEDNESDAY, ['A', 'ALIAS']);
    Object.assign(alpaca.bulk, { listSymbols: async () => ['A'] });
    const scene = openRunScene(fixture, [alpaca]);
    const [all, own] = [await makeOwnFilter(fixture), await makeOwnFilter(fixture, ['ALIAS', 'A'])];
    await runEvening(scene, WEDNESDAY);
    assert.deepEqual(await scene.readMatches(all.id, WEDNESDAY), ['A!']);
    assert.deepEqual(await scene.readMatches(own.id, WEDNESDAY), ['A!', 'ALIAS!']);
  },
);

forEachDatabase(
  'reads a new symbol despite a long list of invalid ones, with few requests',
  OPTIONS,
  async (fixture) => {
    for (const [fault, maxSymbols] of [
      ['MALFORMED', 1],
      ['MALFORMED', 100],
      ['NOT_FOUND', 100],
    ] as const) {
      const alpaca = createProvider(WEDNESDAY, ['A', 'NEW'], maxSymbols);
      Object.assign(alpaca.bulk, { listSymbols: async () => ['A'] });
      let requests = 0;
      failFor(alpaca, (symbol) => symbol.startsWith('BAD'), fault);
      const { fetchDays } = alpaca.bulk;
      const counted: typeof fetchDays = async (...request) => {
        requests += 1;
        return fetchDays(...request);
      };
      Object.assign(alpaca.bulk, { fetchDays: counted });
      const scene = openRunScene(fixture, [alpaca]);
      await deleteRuns(fixture.database);
      await makeOwnFilter(
        fixture,
        Array.from({ length: 500 }, (_, i) => `BAD${i}`),
      );
      const filter = await makeOwnFilter(fixture, ['NEW']);
      await runEvening(scene, WEDNESDAY);
      assert.deepEqual(await scene.readMatches(filter.id, WEDNESDAY), ['NEW!'], `${fault} ${maxSymbols}`);
      assert.ok(requests < 250, `${requests} requests`);
    }
  },
);

forEachDatabase('waits up to a week for a failed provider in an earlier session', OPTIONS, async (fixture) => {
  const alpaca = createProvider('2024-04-05', ['A', 'B']);
  const scene = openRunScene(fixture, [alpaca]);
  const filter = await makeOwnFilter(fixture);
  await runEvening(scene, TUESDAY);
  alpaca.fault = 'RATE_LIMITED';
  await runEvening(scene, THURSDAY);
  assert.deepEqual(
    [await describeRun(scene, WEDNESDAY), await describeRun(scene, THURSDAY)],
    ['waiting A,B', 'waiting A,B'],
  );
  alpaca.fault = null;
  await runEvening(scene, THURSDAY, '20:40');
  assert.deepEqual(
    [await describeRun(scene, WEDNESDAY), await describeRun(scene, THURSDAY)],
    ['completed ', 'completed '],
  );
  assert.deepEqual(scene.completed, [TUESDAY, `${WEDNESDAY} past`, THURSDAY]);
  assert.equal((await scene.readMatches(filter.id, THURSDAY)).length, 0);
  alpaca.fault = 'UNREACHABLE';
  await runEvening(scene, '2024-04-01');
  await runEvening(scene, '2024-04-08');
  assert.equal((await scene.readRun('2024-04-01'))?.state, 'waiting');
  await runEvening(scene, '2024-04-09');
  assert.equal((await scene.readRun('2024-04-01'))?.state, 'missed');
});

forEachDatabase('loses no session when the clock was ahead for a moment', OPTIONS, async (fixture) => {
  const alpaca = createProvider(THURSDAY, ['A']);
  const scene = openRunScene(fixture, [alpaca]);
  await runEvening(scene, TUESDAY);
  const { fetchDays } = alpaca.bulk;
  const noBars: typeof fetchDays = async () => ({ bars: new Map(), nextToken: null });
  Object.assign(alpaca.bulk, { fetchDays: noBars });
  await runEvening(scene, '2024-04-03');
  assert.equal((await scene.readRun(WEDNESDAY))?.state, 'missed');
  Object.assign(alpaca.bulk, { fetchDays });
  await runEvening(scene, WEDNESDAY);
  await runEvening(scene, THURSDAY);
  assert.deepEqual(scene.completed, [TUESDAY, WEDNESDAY, THURSDAY]);
});
