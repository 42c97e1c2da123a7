import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFails, resultOf } from '../support/cli/command-result.ts';
import { emptyPostgres, type Service, startService } from '../support/cli/service.ts';
import { dailyPoints } from '../support/forecasts/forecast-service.ts';
import { skipPgBouncer, startPgBouncer } from '../support/platform/pgbouncer.ts';
import { runAt } from '../support/platform/run-at.ts';

const PASSWORD = 'hunter2';
const FORECASTS = '/api/v1/ensemble-forecasts';

test('services share one database through PgBouncer in transaction mode', { skip: skipPgBouncer }, async (t) => {
  await using database = await emptyPostgres();
  // Fewer connections than the pools of both services, so that their transactions share them.
  await using pooler = await startPgBouncer({ poolSize: 2 });
  const direct = withPassword(database.url);
  const pooled = pooler.urlOf(direct);
  const environment = { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct, ALMANAC_FIT_THREADS: '1' };

  await t.test('the command line names what is missing or wrong, without a password', async () => {
    const refusals: [Record<string, string>, RegExp][] = [
      [{ DATABASE_DIRECT_URL: '' }, /DATABASE_URL leads to a pooler in transaction mode\. Set DATABASE_DIRECT_URL /],
      [{ DATABASE_DIRECT_URL: pooled.replace('postgres:', 'postgresql:') }, /DATABASE_DIRECT_URL leads to a pooler/],
      [
        { DATABASE_DIRECT_URL: withPassword(process.env.TEST_DATABASE_URL as string) },
        /leads to the database "postgres", but/,
      ],
      [
        { DATABASE_DIRECT_URL: `postgres://postgres:${PASSWORD}@127.0.0.1:1/none` },
        /DATABASE_DIRECT_URL names a server that cannot be reached: /,
      ],
    ];
    for (const [changed, message] of refusals) {
      const others = { ...environment, ...changed };
      await assertFails(others, 1, new RegExp(`^(?!.*${PASSWORD})almanac: .*${message.source}`), 'migrate');
    }
  });

  await t.test('migrate prepares an empty database', async () => {
    assert.deepEqual(await resultOf(environment, 'migrate'), { migrated: true, database: 'postgres' });
  });

  const [one, two] = await Promise.all([startService({ environment }), startService({ environment })]);
  await using first = one;
  await using second = two;

  await t.test('a forecast that one service creates is watched to its result at the other', async () => {
    const created = await first.fetch(
      FORECASTS,
      post({ source: { type: 'inline', points: dailyPoints() }, horizon: 3, models: ['theta'] }),
    );
    assert.equal(created.status, 202);
    const id = (await readData(created)).forecast_id;
    const events = await (await second.fetch(`${FORECASTS}/${id}/events`)).text();
    assert.match(events, /event: completed/);
    const forecast = await readData(await second.fetch(`${FORECASTS}/${id}`));
    assert.equal(forecast.status, 'completed');
  });

  await t.test('requests of both services share the connections of the pooler', async () => {
    const read = (service: Service) => service.fetch('/api/v1/me/access', { key: first.key });
    const responses = await Promise.all(Array.from({ length: 40 }, (_, i) => read(i % 2 === 0 ? first : second)));
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    const counts = await runAt(
      direct,
      `select application_name as name, count(*)::int, count(*) filter (where query like 'LISTEN%' or query like '%pg_listening_channels%')::int as listening
       from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() group by 1 order by 1`,
    );
    const [pool, queue] = counts as [{ name: string; count: number }, { name: string; listening: number }];
    assert.equal(pool.name, 'almanac');
    assert.ok(pool.count <= 2, `${pool.count} connections of the pooler`);
    assert.deepEqual([queue.name, queue.listening], ['almanac-queue', 2]);
  });

  await t.test('log no error and no password', async () => {
    for (const service of [first, second]) {
      assert.equal((await service.stop()).code, 0);
      assert.doesNotMatch(service.stderr(), /"level":(40|50|60)/);
      assert.doesNotMatch(service.stderr() + service.stdout(), new RegExp(PASSWORD));
    }
  });
});

/** The servers of tests need no password, so that any can be part of an address. */
function withPassword(url: string): string {
  const changed = new URL(url);
  changed.password ||= PASSWORD;
  return changed.href;
}

function post(body: object): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function readData(response: Response): Promise<Record<string, unknown>> {
  return ((await response.json()) as { readonly data: Record<string, unknown> }).data;
}
