import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { ErrorReply } from '../../../../test/support/datasets/bigquery-jobs.ts';
import { createBigqueryScene, describe, PROJECT, queryOf } from '../../../../test/support/datasets/bigquery-scene.ts';
import { forEachDatabase } from '../../../../test/support/platform/database.ts';
import type { Reply } from '../../../../test/support/platform/wire-server.ts';
import { type Database, outboundMigrations } from '../../../platform/index.ts';
import { snapshotMigrations } from '../../../snapshots/index.ts';
import { datasetMigrations } from '../../migrations/index.ts';
import { createBigqueryEngine } from './bigquery-engine.ts';
import { createDescribedTables } from './described-tables.ts';
import { createLimitedEngine } from './limited-engine.ts';

const OPTIONS = { migrations: [snapshotMigrations, datasetMigrations, outboundMigrations] };

/** Opens the limits over the engine of BigQuery, which sends its requests to a server on loopback. */
async function openScene(database: Database, { isGated = false } = {}) {
  await using open = new AsyncDisposableStack();
  const scene = open.use(await createBigqueryScene({ pageRows: 2 }));
  const { server, account } = scene;
  const clock = { now: () => new Date(scene.clock.now) };
  // With a database and without its own clients, the engine has the budget and the breaker of BigQuery.
  const gated = { clock, database, account, project: PROJECT, url: server.url };
  const engine = isGated ? open.use(createBigqueryEngine(gated)) : scene.engine;
  const described = createDescribedTables({ database, clock });
  const limited = createLimitedEngine(engine, { database, clock, mibPerDay: 1_000, log: { warn() {} }, described });
  const table = await describe(engine);
  let maxRows = 3;
  /** Reads rows that were not read before, as a source does. `prepare` runs between the dry run and the query. */
  async function read(prepare: () => unknown) {
    const query = queryOf(table, { maxRows: maxRows++ });
    const options = { accountId: 'acc_1' };
    const estimatedBytes = await limited.dryRun(table, query, options);
    await prepare();
    return limited.read(table, query, { ...options, estimatedBytes });
  }
  const kept = open.move();
  return {
    server,
    clock: scene.clock,
    read,
    /** Returns the number of reads that were counted since the last call. */
    async takeCounted(): Promise<number> {
      const { rows } = await sql`DELETE FROM warehouse_read RETURNING id`.execute(database.query());
      return rows.length;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Error replies with the number of requests after which the client stops, and the code of the fault. */
const FAILURES: readonly (readonly [status: number, reason: string, times: number, code: string])[] = [
  [403, 'accessDenied', 1, 'PROVIDER_FAILED'],
  [403, 'quotaExceeded', 1, 'PROVIDER_FAILED'],
  [429, 'rateLimitExceeded', 4, 'PROVIDER_FAILED'],
  [401, 'authError', 2, 'PROVIDER_FAILED'],
  [400, 'invalid', 1, 'PROVIDER_FAILED'],
  [400, 'invalidQuery', 1, 'UNPROCESSABLE'],
  [400, 'bytesBilledLimitExceeded', 1, 'UNPROCESSABLE'],
  [404, 'notFound', 1, 'NOT_FOUND'],
];
const repliesOf = ([status, reason, times]: (typeof FAILURES)[number]): Reply[] =>
  Array(times).fill(new ErrorReply(status, reason, 'failed').send);

forEachDatabase('a query that BigQuery refuses is taken back', OPTIONS, async ({ database }) => {
  await using scene = await openScene(database);
  const { server, read, takeCounted } = scene;
  for (const failure of FAILURES) {
    const [status, reason, times, code] = failure;
    await assert.rejects(
      read(() => {
        server.requests.length = 0;
        server.script.query.push(...repliesOf(failure));
      }),
      { code },
    );
    assert.equal(server.requests.filter(({ kind }) => kind === 'query').length, times);
    assert.equal(await takeCounted(), 0, `${status} ${reason}`);
  }
  await assert.rejects(
    read(() => {
      server.revokeTokens();
      server.script.token.push(new ErrorReply(400, 'invalid_grant', 'no', 'oauth').send);
    }),
    { code: 'PROVIDER_FAILED' },
  );
  assert.equal(await takeCounted(), 0, 'no token');
});

forEachDatabase('a query that may have run stays counted', OPTIONS, async ({ database }) => {
  await using scene = await openScene(database);
  const { server, read, takeCounted } = scene;
  const lost: Reply = (_request, response) => response.destroy();
  const unavailable = new ErrorReply(503, 'backendError', 'failed').send;
  for (const reply of [lost, unavailable]) {
    await assert.rejects(
      read(() => server.script.query.push(...Array<Reply>(4).fill(reply))),
      { code: 'PROVIDER_FAILED' },
    );
    assert.equal(await takeCounted(), 1);
  }
  assert.equal((await read(() => {})).times.length, 5);
  assert.equal(await takeCounted(), 1);
});

forEachDatabase('a query that has begun stays counted, whatever the later replies', OPTIONS, async ({ database }) => {
  await using scene = await openScene(database);
  const { server, read, takeCounted } = scene;
  // The result of a job that still runs, and the second page of one that has completed.
  for (const isHeld of [true, false]) {
    for (const failure of FAILURES) {
      const [status, reason, times] = failure;
      await assert.rejects(
        read(() => {
          server.isHeld = isHeld;
          server.requests.length = 0;
          server.script.results.push(...repliesOf(failure));
        }),
      );
      assert.equal(server.requests.filter(({ kind }) => kind === 'results').length, times);
      assert.equal(await takeCounted(), 1, `${status} ${reason}`);
    }
  }
});

forEachDatabase('a query that the open breaker keeps back is taken back', OPTIONS, async ({ database }) => {
  await using scene = await openScene(database, { isGated: true });
  const { server, clock, read, takeCounted } = scene;
  const openBreaker = async () => {
    const [since, until] = [new Date(clock.now), new Date(clock.now + 30_000)];
    await sql`UPDATE provider_state SET failures = 5, opened_at = ${since}, opened_until = ${until}`.execute(
      database.query(),
    );
    server.requests.length = 0;
  };
  await assert.rejects(read(openBreaker), { code: 'PROVIDER_FAILED', message: /gets no requests for a while/ });
  assert.deepEqual(server.requests, []);
  assert.equal(await takeCounted(), 0);
});
