import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type BulkProvider, barOf, barsEndingAt, bulkProvider } from '../../../test/support/market/bulk-provider.ts';
import { memoryProvider } from '../../../test/support/market/memory-provider.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { makeFilter } from '../../../test/support/screener/screener.ts';
import { type RunScene, runScene } from '../../../test/support/screener/screener-runs.ts';
import { identityOf, MIGRATIONS } from '../../compose/index.ts';
import { createAccount } from '../../identity/index.ts';
import { ProviderError } from '../../market/index.ts';
import { runDue } from './run-due.ts';
import { waitsUntil } from './waits-until.ts';

const OPTIONS = { migrations: MIGRATIONS };
const [TUESDAY, WEDNESDAY, THURSDAY] = ['2024-03-26', '2024-03-27', '2024-03-28'] as const;

/** Bars that end with a session: 5, and at the last 20. */
function provider(session: string, symbols: readonly string[], most = 100): BulkProvider {
  const made = bulkProvider(
    Object.fromEntries(symbols.map((symbol) => [symbol, barsEndingAt(session, [...Array(25).fill(5), 20])])),
  );
  Object.assign(made.bulk, { mostSymbols: most });
  return made;
}

let people = 0;
async function aFilter({ database }: TestDatabase, universe?: string[]) {
  const { id } = await createAccount(identityOf(database), { email: `p${++people}@example.com`, verified: true });
  return makeFilter(database, id, universe && { universe });
}

async function evening(scene: RunScene, session: string, time = '20:30'): Promise<void> {
  scene.at(`${session}T${time}:00Z`);
  await runDue(scene.context);
}

async function standing(scene: RunScene, session: string) {
  const run = await scene.run(session);
  return run && `${run.state} ${run.missing.join(',')}`;
}

async function forgetRuns({ database }: TestDatabase): Promise<void> {
  for (const table of ['daily_metrics', 'screener_result', 'screener_run'])
    await sql`DELETE FROM ${sql.table(table)}`.execute(database.query());
}

/** Refuses every question in which a symbol is. */
function refuse(made: BulkProvider, isBad: (symbol: string) => boolean, fault: ProviderError['fault']) {
  const { fetchDays } = made.bulk;
  const asked: typeof fetchDays = async (query, ...rest) => {
    if (query.symbols.some(isBad)) throw new ProviderError('alpaca', fault);
    return fetchDays(query, ...rest);
  };
  Object.assign(made.bulk, { fetchDays: asked });
}

forEachDatabase(
  'after a day without bars everybody is waited for who was traded before it',
  OPTIONS,
  async (fixture) => {
    const alpaca = provider(TUESDAY, ['A', 'B', 'C']);
    const scene = runScene(fixture, [alpaca]);
    const filter = await aFilter(fixture);
    await evening(scene, TUESDAY);
    await evening(scene, WEDNESDAY);
    assert.equal(await standing(scene, WEDNESDAY), 'waiting A,B,C');
    const fill = (symbol: string) => {
      for (const session of [WEDNESDAY, THURSDAY]) alpaca.bars.get(symbol)?.push(barOf(Date.parse(session), 20));
    };
    fill('A');
    await evening(scene, THURSDAY);
    assert.equal(await standing(scene, THURSDAY), 'waiting B,C');
    fill('B');
    fill('C');
    await evening(scene, THURSDAY, '20:40');
    assert.deepEqual(await scene.matches(filter.id, THURSDAY), ['A', 'B!', 'C!']);
  },
);

forEachDatabase(
  'who had numbers lately is waited for, whatever replies and lists leave out',
  OPTIONS,
  async (fixture) => {
    const alpaca = provider(WEDNESDAY, ['A', 'B', 'C']);
    const { fetchDays, symbols } = alpaca.bulk;
    const scene = runScene(fixture, [alpaca]);
    await aFilter(fixture);
    await evening(scene, TUESDAY);
    const cut: typeof fetchDays = async (...question) => {
      const page = await fetchDays(...question);
      return { ...page, bars: new Map([...page.bars].filter(([symbol]) => symbol === 'A')) };
    };
    Object.assign(alpaca.bulk, { fetchDays: cut });
    await evening(scene, WEDNESDAY);
    assert.equal(await standing(scene, WEDNESDAY), 'waiting B,C');
    for (const listed of [['A'], []]) {
      Object.assign(alpaca.bulk, { symbols: async () => listed });
      await evening(scene, WEDNESDAY, '20:40');
      assert.equal(await standing(scene, WEDNESDAY), 'waiting B,C');
    }
    Object.assign(alpaca.bulk, { fetchDays, symbols });
    await evening(scene, WEDNESDAY, '20:50');
    assert.equal(await standing(scene, WEDNESDAY), 'completed ');
  },
);

for (const fault of ['UNKNOWN_SYMBOL', 'MALFORMED'] as const) {
  forEachDatabase(`what one filter names costs nobody else a close: ${fault}`, OPTIONS, async (fixture) => {
    const good = Array.from({ length: 40 }, (_, i) => `S${i}`);
    for (const most of [1, 2, 100]) {
      const alpaca = provider(WEDNESDAY, good, most);
      refuse(alpaca, (symbol) => symbol.startsWith('A^'), fault);
      const scene = runScene(fixture, [alpaca]);
      await aFilter(fixture, ['A^1', 'A^2', 'A^3', 'S1']);
      await forgetRuns(fixture);
      await evening(scene, WEDNESDAY);
      assert.equal(await standing(scene, WEDNESDAY), 'completed ', `${most} at once`);
      assert.equal((await scene.metrics(WEDNESDAY)).length, 40);
    }
  });
}

forEachDatabase(
  'what only somebody’s filter names is waited for an hour, not for a night',
  OPTIONS,
  async (fixture) => {
    const alpaca = provider(WEDNESDAY, ['A', 'OWN']);
    Object.assign(alpaca.bulk, { symbols: async () => ['A'] });
    const scene = runScene(fixture, [alpaca]);
    const filter = await aFilter(fixture, ['A']);
    await aFilter(fixture, ['OWN']);
    await evening(scene, TUESDAY);
    alpaca.bars.get('OWN')?.pop();
    await evening(scene, WEDNESDAY, '20:59');
    assert.equal(await standing(scene, WEDNESDAY), 'waiting ');
    await evening(scene, WEDNESDAY, '21:00');
    assert.equal(await standing(scene, WEDNESDAY), 'completed ');
    assert.deepEqual(await scene.matches(filter.id, WEDNESDAY), ['A!']);
  },
);

forEachDatabase('an earlier session that cannot be run does not keep later ones from it', OPTIONS, async (fixture) => {
  const alpaca = provider(WEDNESDAY, ['A', 'B']);
  alpaca.bars.get('B')?.pop();
  const scene = runScene(fixture, [alpaca]);
  await aFilter(fixture);
  await evening(scene, WEDNESDAY);
  const { fetchDays } = alpaca.bulk;
  const broken: typeof fetchDays = async (query, ...rest) => {
    if (query.end === Date.parse(THURSDAY)) throw new TypeError('a bug');
    return fetchDays(query, ...rest);
  };
  Object.assign(alpaca.bulk, { fetchDays: broken });
  for (const symbol of ['A', 'B']) {
    for (const session of [THURSDAY, '2024-04-05']) alpaca.bars.get(symbol)?.push(barOf(Date.parse(session), 20));
  }
  await evening(scene, THURSDAY);
  assert.equal(await standing(scene, THURSDAY), 'completed ');
  assert.equal((await scene.run(WEDNESDAY))?.state, 'waiting');
  // After a week it is over.
  await evening(scene, '2024-04-05');
  assert.equal((await scene.run(WEDNESDAY))?.state, 'missed');
});

test('a run waits long for many, and for a few among thousands an hour', () => {
  const session = Date.parse(WEDNESDAY);
  const close = Date.parse('2024-03-27T20:00:00Z');
  const wait = (there: number, shared: number, others = 0, waitMinutes = 720) => {
    const until = waitsUntil({ session, there, waitedFor: { shared, others }, waitMinutes });
    return (until - close) / 60_000;
  };
  assert.equal(wait(8_000, 0), Number.NEGATIVE_INFINITY);
  assert.equal(wait(7_920, 80), 60);
  assert.equal(wait(7_919, 81), 720);
  assert.equal(wait(1, 1), 720);
  assert.equal(wait(0, 0, 1), 60);
  assert.equal(wait(7_920, 80, 0, 30), 30);
});

forEachDatabase(
  'where a provider cannot list its symbols, all are waited for as long as any',
  OPTIONS,
  async (fixture) => {
    const alpaca = provider(WEDNESDAY, ['A', 'OWN']);
    Object.assign(alpaca.bulk, { symbols: async () => ['A'] });
    const other = memoryProvider({
      id: 'massive',
      rows: [],
      fails: () => new ProviderError('massive', 'UNKNOWN_SYMBOL'),
    });
    const scene = runScene(fixture, [alpaca, other]);
    await aFilter(fixture, ['OWN']);
    await evening(scene, TUESDAY);
    const own = alpaca.bars.get('OWN')?.pop() ?? assert.fail();
    // But not for what may be no symbol at all.
    refuse(alpaca, (symbol) => symbol.startsWith('A^'), 'MALFORMED');
    await aFilter(fixture, ['A^1']);
    await evening(scene, WEDNESDAY, '23:00');
    assert.equal(await standing(scene, WEDNESDAY), 'waiting OWN');
    alpaca.bars.get('OWN')?.push(own);
    await evening(scene, WEDNESDAY, '23:10');
    assert.equal(await standing(scene, WEDNESDAY), 'completed ');
  },
);

forEachDatabase(
  'what only one filter names is in no other’s results, under whatever spelling',
  OPTIONS,
  async (fixture) => {
    const alpaca = provider(WEDNESDAY, ['A', 'ALIAS']);
    Object.assign(alpaca.bulk, { symbols: async () => ['A'] });
    const scene = runScene(fixture, [alpaca]);
    const [all, own] = [await aFilter(fixture), await aFilter(fixture, ['ALIAS', 'A'])];
    await evening(scene, WEDNESDAY);
    assert.deepEqual(await scene.matches(all.id, WEDNESDAY), ['A!']);
    assert.deepEqual(await scene.matches(own.id, WEDNESDAY), ['A!', 'ALIAS!']);
  },
);

forEachDatabase(
  'somebody’s long list keeps nobody’s new symbol from its bars, and asks little more',
  OPTIONS,
  async (fixture) => {
    for (const [fault, most] of [
      ['MALFORMED', 1],
      ['MALFORMED', 100],
      ['UNKNOWN_SYMBOL', 100],
    ] as const) {
      const alpaca = provider(WEDNESDAY, ['A', 'NEW'], most);
      Object.assign(alpaca.bulk, { symbols: async () => ['A'] });
      let questions = 0;
      refuse(alpaca, (symbol) => symbol.startsWith('BAD'), fault);
      const { fetchDays } = alpaca.bulk;
      const counted: typeof fetchDays = async (...question) => {
        questions += 1;
        return fetchDays(...question);
      };
      Object.assign(alpaca.bulk, { fetchDays: counted });
      const scene = runScene(fixture, [alpaca]);
      await forgetRuns(fixture);
      await aFilter(
        fixture,
        Array.from({ length: 500 }, (_, i) => `BAD${i}`),
      );
      const filter = await aFilter(fixture, ['NEW']);
      await evening(scene, WEDNESDAY);
      assert.deepEqual(await scene.matches(filter.id, WEDNESDAY), ['NEW!'], `${fault} ${most}`);
      assert.ok(questions < 250, `${questions} questions`);
    }
  },
);

forEachDatabase('a provider that fails holds an earlier session up, for a week at most', OPTIONS, async (fixture) => {
  const alpaca = provider('2024-04-05', ['A', 'B']);
  const scene = runScene(fixture, [alpaca]);
  const filter = await aFilter(fixture);
  await evening(scene, TUESDAY);
  alpaca.fault = 'RATE_LIMITED';
  await evening(scene, THURSDAY);
  assert.deepEqual([await standing(scene, WEDNESDAY), await standing(scene, THURSDAY)], ['waiting A,B', 'waiting A,B']);
  alpaca.fault = null;
  await evening(scene, THURSDAY, '20:40');
  assert.deepEqual([await standing(scene, WEDNESDAY), await standing(scene, THURSDAY)], ['completed ', 'completed ']);
  assert.deepEqual(scene.followed, [TUESDAY, `${WEDNESDAY} over`, THURSDAY]);
  assert.equal((await scene.matches(filter.id, THURSDAY)).length, 0);
  alpaca.fault = 'UNREACHABLE';
  await evening(scene, '2024-04-01');
  await evening(scene, '2024-04-08');
  assert.equal((await scene.run('2024-04-01'))?.state, 'waiting');
  await evening(scene, '2024-04-09');
  assert.equal((await scene.run('2024-04-01'))?.state, 'missed');
});

forEachDatabase('a clock that was ahead for a moment costs no session', OPTIONS, async (fixture) => {
  const alpaca = provider(THURSDAY, ['A']);
  const scene = runScene(fixture, [alpaca]);
  await evening(scene, TUESDAY);
  const { fetchDays } = alpaca.bulk;
  const early: typeof fetchDays = async () => ({ bars: new Map(), next: null });
  Object.assign(alpaca.bulk, { fetchDays: early });
  await evening(scene, '2024-04-03');
  assert.equal((await scene.run(WEDNESDAY))?.state, 'missed');
  Object.assign(alpaca.bulk, { fetchDays });
  await evening(scene, WEDNESDAY);
  await evening(scene, THURSDAY);
  assert.deepEqual(scene.followed, [TUESDAY, WEDNESDAY, THURSDAY]);
});

forEachDatabase('a stored filter that cannot be evaluated costs the others nothing', OPTIONS, async (fixture) => {
  const scene = runScene(fixture, [provider(WEDNESDAY, ['A'])]);
  const [bad, good] = [await aFilter(fixture), await aFilter(fixture)];
  const conditions = JSON.stringify([{ field: 'close', op: 'gt', value: 'sma_20 * 1.1' }]);
  await sql`UPDATE screener_filter SET conditions = ${conditions}::jsonb WHERE id = ${bad.id}`.execute(
    fixture.database.query(),
  );
  await evening(scene, WEDNESDAY);
  assert.deepEqual([await scene.matches(bad.id, WEDNESDAY), await scene.matches(good.id, WEDNESDAY)], [[], ['A!']]);
});
