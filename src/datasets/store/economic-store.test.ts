import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { datasetMigrations } from '../migrations/index.ts';
import { createEconomicStore, removeOldReplies, type StoreContext } from './economic-store.ts';

const OPTIONS = { migrations: [datasetMigrations] };
const REQUEST = { provider: 'fred', seriesId: 'GDP', what: { dimensions: {}, vintage: null } };
const MINUTES = 60_000;
const HOURS = 60 * MINUTES;

/** A store with a clock that the test sets, a listed update, and a count of the fetches. */
function openStore({ database }: Pick<TestDatabase, 'database'>) {
  const state = { now: Date.parse('2026-03-02T10:00:00Z'), update: null as string | null, fetches: 0, warnings: 0 };
  const context: StoreContext = {
    database,
    clock: { now: () => new Date(state.now) },
    log: { warn: () => void state.warnings++ } as unknown as StoreContext['log'],
    lastUpdateOf: async () => state.update,
  };
  const fetch = async () => ({ fetched: ++state.fetches });
  return { ...createEconomicStore(context), state, fetch, context };
}

forEachDatabase('answers the same request from the store for six hours', OPTIONS, async (fixture) => {
  const { read, state, fetch } = openStore(fixture);
  assert.deepEqual(await read(REQUEST, fetch), { fetched: 1 });
  assert.deepEqual(await read({ ...REQUEST, what: { vintage: null, dimensions: {} } }, fetch), { fetched: 1 });
  state.now += 6 * HOURS - 1;
  assert.deepEqual(await read(REQUEST, fetch), { fetched: 1 });
  state.now += 1;
  assert.deepEqual(await read(REQUEST, fetch), { fetched: 2 });
  state.now -= 2 * HOURS;
  assert.deepEqual(await read(REQUEST, fetch), { fetched: 3 }, 'after the clock was set back');
});

forEachDatabase('tells requests apart by provider, series and what is read', OPTIONS, async (fixture) => {
  const { read, state, fetch } = openStore(fixture);
  await read(REQUEST, fetch);
  await read({ ...REQUEST, provider: 'ecb' }, fetch);
  await read({ ...REQUEST, seriesId: 'GDPC1' }, fetch);
  await read({ ...REQUEST, what: { dimensions: {}, vintage: '2020-01-31' } }, fetch);
  assert.equal(state.fetches, 4);
});

forEachDatabase(
  'fetches again when the listing states a later update than at the last time',
  OPTIONS,
  async (fixture) => {
    const { read, state, fetch } = openStore(fixture);
    state.update = '2026-03-01T00:00:00.000Z';
    await read(REQUEST, fetch);
    await read(REQUEST, fetch);
    assert.equal(state.fetches, 1);
    state.update = '2026-03-02T00:00:00.000Z';
    await read(REQUEST, fetch);
    await read(REQUEST, fetch);
    assert.equal(state.fetches, 2);
    state.update = null;
    await read(REQUEST, fetch);
    assert.equal(state.fetches, 2);
  },
);

forEachDatabase('shares one fetch, which continues if a caller aborts', OPTIONS, async (fixture) => {
  const { read, state } = openStore(fixture);
  const { promise, resolve } = Promise.withResolvers<object>();
  const fetch = () => {
    state.fetches++;
    return promise;
  };
  const controller = new AbortController();
  const aborted = read(REQUEST, fetch, controller.signal);
  const other = read(REQUEST, fetch);
  controller.abort(new Error('the caller left'));
  await assert.rejects(aborted, /the caller left/);
  resolve({ rows: 3 });
  assert.deepEqual(await other, { rows: 3 });
  assert.equal(state.fetches, 1);
  await assert.rejects(read(REQUEST, fetch, controller.signal), /the caller left/);
});

forEachDatabase('does not store failures', OPTIONS, async (fixture) => {
  const { read, fetch } = openStore(fixture);
  await assert.rejects(
    read(REQUEST, async () => Promise.reject(new Error('it failed'))),
    /it failed/,
  );
  assert.deepEqual(await read(REQUEST, fetch), { fetched: 1 });
});

forEachDatabase('remembers for a minute that a series is absent or its reply unusable', OPTIONS, async (fixture) => {
  const { context, state, fetch } = openStore(fixture);
  const { read } = createEconomicStore({ ...context, isLasting: (error) => error instanceof TypeError });
  const other = { ...REQUEST, seriesId: 'GNP' };
  assert.equal(await read(REQUEST, async () => null), null);
  await assert.rejects(
    read(other, async () => Promise.reject(new TypeError('an unusable reply'))),
    /unusable/,
  );
  state.now += 59_999;
  assert.equal(await read(REQUEST, fetch), null);
  await assert.rejects(read(other, fetch), /unusable/);
  assert.equal(state.fetches, 0);
  state.now += 1;
  assert.deepEqual(await read(REQUEST, fetch), { fetched: 1 });
  assert.deepEqual(await read(other, fetch), { fetched: 2 });
});

forEachDatabase('requests again what is stored damaged, and logs it', OPTIONS, async (fixture) => {
  const { read, state, fetch } = openStore(fixture);
  await read(REQUEST, fetch);
  await sql`UPDATE economic_store SET body = set_byte(body, length(body) - 1, 255 - get_byte(body, length(body) - 1))`.execute(
    fixture.database.query(),
  );
  assert.deepEqual(await read(REQUEST, fetch), { fetched: 2 });
  assert.equal(state.warnings, 1);
});

forEachDatabase('removes outdated replies, and the oldest beyond the size', OPTIONS, async (fixture) => {
  const { read, state, context } = openStore(fixture);
  const keys = async () => {
    const { rows } = await sql<{ provider: string }>`SELECT provider FROM economic_store ORDER BY read_at`.execute(
      fixture.database.query(),
    );
    return rows.map(({ provider }) => provider);
  };
  for (const provider of ['a', 'b', 'c', 'd']) {
    state.now += 7 * HOURS;
    await read({ ...REQUEST, provider }, async () => ({ provider }));
  }
  state.now += 5 * HOURS;
  await removeOldReplies(context);
  assert.deepEqual(await keys(), ['b', 'c', 'd']);
  const { rows } = await sql<{ bytes: number }>`SELECT max(length(body))::int AS bytes FROM economic_store`.execute(
    fixture.database.query(),
  );
  await removeOldReplies(context, { maxBytes: 2 * (rows[0]?.bytes ?? 0) });
  assert.deepEqual(await keys(), ['c', 'd']);
});

forEachDatabase('fetches again what is older than a caller accepts', OPTIONS, async (fixture) => {
  const { read, state, fetch } = openStore(fixture);
  await read(REQUEST, fetch);
  state.now += 5 * MINUTES - 1;
  assert.deepEqual(await read(REQUEST, fetch, undefined, 5 * MINUTES), { fetched: 1 });
  state.now += 1;
  const concurrent = [read(REQUEST, fetch), read(REQUEST, fetch, undefined, 5 * MINUTES)];
  assert.deepEqual(await Promise.all(concurrent), [{ fetched: 1 }, { fetched: 2 }]);
  assert.deepEqual(await read(REQUEST, fetch), { fetched: 2 });
});
