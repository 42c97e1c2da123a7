import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openFoundation } from '../../src/compose/index.ts';
import { SCOPES } from '../../src/contract/index.ts';
import { ENGINE_VERSION } from '../../src/engine/index.ts';
import { checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import { createAccount, createApiKey } from '../../src/identity/index.ts';
import { createLog, type Database } from '../../src/platform/index.ts';
import { type Environment, spawnAlmanac } from '../support/cli/almanac-process.ts';
import { emptyPostgres, temporaryFolder } from '../support/cli/service.ts';
import { FORECASTS, inlineRequest, waitFor } from '../support/forecasts/forecast-service.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';

const skip = process.env.TEST_DATABASE_URL === undefined && 'TEST_DATABASE_URL is not set';

/** A running process of one build. */
interface Build {
  readonly url: string;
  readonly stderr: () => string;
  stop(): Promise<void>;
  kill(): void;
}

async function startBuild(environment: Environment, engine: string, ...migrations: string[]): Promise<Build> {
  const { child, stdout, stderr, ended } = spawnAlmanac(
    'test/upgrade/build-process.ts',
    [engine, ...migrations],
    environment,
  );
  const url = await Promise.race([
    waitFor(
      async () => stdout(),
      (text) => text.endsWith('\n'),
    ),
    ended.then(() => assert.fail(`the build ${engine} did not start: ${stderr().slice(-2_000)}`)),
  ]);
  const stop = async () => {
    child.kill('SIGTERM');
    const { code } = await ended;
    assert.equal(code, 0, stderr().slice(-2_000));
  };
  return { url: url.trim(), stderr, stop, kill: () => child.kill('SIGKILL') };
}

/** Sends requests to the builds in turn, as a load balancer does, and repeats those that get 503. */
class Balancer {
  readonly builds: Build[] = [];
  readonly #key: string;
  #sent = 0;

  constructor(key: string) {
    this.#key = key;
  }

  /** Every build that was started. */
  readonly started: Build[] = [];

  add(build: Build): void {
    this.builds.push(build);
    this.started.push(build);
  }

  /** Stops a build as a rolling upgrade does: it gets no more requests first. */
  async stop(build: Build): Promise<void> {
    this.builds.splice(this.builds.indexOf(build), 1);
    await build.stop();
  }

  async send<Data>(path: string, init: RequestInit = {}): Promise<Data> {
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json', ...init.headers };
    for (;;) {
      const build = this.builds[this.#sent++ % this.builds.length] as Build;
      const response = await fetch(`${build.url}/api${path}`, { ...init, headers });
      if (response.status === 503) {
        assert.ok(response.headers.has('retry-after'));
        await response.text();
        await sleep(50);
        continue;
      }
      const text = await response.text();
      assert.ok(response.ok, `${init.method ?? 'GET'} ${path}: ${response.status} ${text}`);
      return JSON.parse(text).data;
    }
  }
}

interface Ended {
  readonly status: string;
  readonly checkpoints: Readonly<Record<string, string>>;
  readonly fingerprint: { readonly engine: string };
}

test('two builds share a database during a rolling upgrade under load', { skip }, async () => {
  await using server = await emptyPostgres();
  const data = temporaryFolder();
  const environment = {
    DATABASE_URL: server.url,
    ALMANAC_DATA: data,
    ALMANAC_RATE_ENTERPRISE: '1000000',
    ALMANAC_FIT_THREADS: '1',
  };
  let balancer: Balancer | undefined;
  const { database, identity } = await openFoundation(loadTestConfig(environment), createLog('warn'));
  try {
    const { id } = await createAccount(identity, { email: 'rolling@example.org', plan: 'enterprise', verified: true });
    const { key } = await createApiKey(identity, { accountId: id, name: 'rolling', scopes: SCOPES });
    balancer = new Balancer(key);
    await upgradeUnderLoad(environment, database, balancer);
    assert.ok(isLedgerSound(await checkLedger(database)));
  } finally {
    for (const build of balancer?.started ?? []) build.kill();
    await database.close();
    rmSync(data, { recursive: true, force: true });
  }
});

async function upgradeUnderLoad(environment: Environment, database: Database, balancer: Balancer): Promise<void> {
  const created: string[] = [];
  const create = async () => {
    const init = {
      method: 'POST',
      body: JSON.stringify(inlineRequest()),
      headers: { 'idempotency-key': randomUUID() },
    };
    const { forecast_id } = await balancer.send<{ forecast_id: string }>(FORECASTS, init);
    created.push(forecast_id);
    return forecast_id;
  };
  const waitForEnd = (id: string) =>
    waitFor(
      () => balancer.send<Ended>(`${FORECASTS}/${id}`),
      ({ status }) => status === 'completed' || status === 'failed',
    );
  let isOver = false;
  const load = async () => {
    while (!isOver) await waitForEnd(await create());
  };
  const completeMore = async (count: number) => {
    const target = created.length + count;
    await waitFor(
      async () => created.length,
      (length) => length >= target,
    );
  };

  const before = await startBuild(environment, ENGINE_VERSION);
  balancer.add(before);
  const running = Promise.all([load(), load(), load()]);
  await Promise.race([running, completeMore(3)]);
  // Builds before it select all columns of this table.
  const addColumn = '0001-notes=ALTER TABLE forecast ADD COLUMN note text';
  const after = await startBuild(environment, 'next', addColumn);
  balancer.add(after);
  await Promise.race([running, completeMore(6)]);
  const restarted = await startBuild(environment, ENGINE_VERSION);
  assert.match(restarted.stderr(), /next\/0001-notes.*a newer build migrated the database/);
  balancer.add(restarted);
  await balancer.stop(before);
  // More than the last workers of the previous build can start, so that the new build completes the rest.
  balancer.builds.splice(balancer.builds.indexOf(after), 1);
  await Promise.all(Array.from({ length: 8 }, create));
  balancer.builds.push(after);
  await balancer.stop(restarted);
  isOver = true;
  await running;

  const engines = new Set<string>();
  for (const id of created) {
    const { status, checkpoints, fingerprint } = await waitForEnd(id);
    assert.equal(status, 'completed', id);
    assert.deepEqual(Object.values(checkpoints), Array(2).fill(`engine-${fingerprint.engine}`));
    engines.add(fingerprint.engine);
  }
  assert.deepEqual([...engines].toSorted(), [ENGINE_VERSION, 'next'].toSorted());
  const { rows } = await sql<{ name: string }>`
    SELECT DISTINCT name FROM queue.job WHERE name LIKE 'forecasts%' AND state < 'completed'`.execute(database.query());
  assert.deepEqual(rows, []);
  await balancer.stop(after);
}
