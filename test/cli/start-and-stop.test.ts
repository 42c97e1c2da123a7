import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { openDatabase } from '../../src/platform/index.ts';
import { callAlmanac, spawnAlmanac, spawnOnTerminal } from '../support/cli/almanac-process.ts';
import { startService, temporaryFolder } from '../support/cli/service.ts';
import {
  assertFinishesRequests,
  assertStopsWithRequestsInFlight,
  LONG_SHUTDOWN,
  until,
} from '../support/cli/stop-in-flight.ts';
import { startLongForecast } from '../support/forecasts/long-forecast.ts';

const hasTerminals = spawnSync('script', ['--version']).status === 0;

// All subtests share one folder, because only the first start creates a database, which takes most of the time.
test('starts in one folder', async (t) => {
  const folder = temporaryFolder();
  using _removed = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
  const data = join(folder, 'data');
  const environment = { PORT: '0', ALMANAC_DATA: data, ALMANAC_FIT_THREADS: '1', ...LONG_SHUTDOWN };
  let firstKey = '';

  await t.test('repeats a first start that was killed, in a folder that only its owner can read', async () => {
    const unfinished = join(data, 'database.unfinished');
    const { child, ended } = spawnAlmanac('src/main.ts', [], environment);
    // The files are copied within milliseconds, so the kill may come before or after the copy.
    const hasBegun = () => existsSync(unfinished) || existsSync(join(data, 'database'));
    await until(() => hasBegun() || child.exitCode !== null, 60_000);
    child.kill('SIGKILL');
    assert.equal((await ended).signal, 'SIGKILL');
    rmSync(join(data, 'database'), { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    writeFileSync(join(unfinished, 'PG_VERSION'), '18\n'); // as a kill in the middle would leave it
    assert.equal(permissions(data), 0o700);
    chmodSync(data, 0o755); // as if another user had created it
  });

  await t.test('creates a folder, an account and a key at the first start', async () => {
    await using first = await startService({ data, environment: LONG_SHUTDOWN });
    const [site, key, , curl = '', ...rest] = first.stdout().trimEnd().split('\n');
    assert.match(site ?? '', /^Almanac is ready at http:\/\/127\.0\.0\.1:\d+ /);
    assert.match(key ?? '', /^API key: alm_pat_[0-9A-Za-z]{49}$/);
    firstKey = first.key;
    assert.deepEqual(rest, []);
    assert.equal(permissions(join(data, 'database')), 0o700);
    assert.ok(!existsSync(join(data, 'database.unfinished')));
    assert.equal(permissions(join(data, 'demo-api-key')), 0o600);
    assert.equal(permissions(join(data, 'control.json')), 0o600);
    assert.match(first.stderr(), /^(\{"level":\d+,.*\}\n)+$/, 'piped, the log is JSON');

    assert.ok(curl.startsWith('curl '));
    const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
    assert.equal(JSON.parse(stdout).data.user.email, 'demo@almanac.local');
    const { code } = await callAlmanac(['user', 'create', 'kept@example.org'], first.environment);
    assert.equal(code, 0);

    const another = await spawnAlmanac('src/main.ts', [], environment).ended;
    assert.deepEqual([another.code, another.stdout], [1, '']);
    assert.match(
      another.stderr,
      new RegExp(`^almanac: The database in .* is in use by process ${first.pid}\\. .*\\n$`),
    );
    assert.equal((await first.fetch('/api/v1/me/access')).status, 200); // its connection stays open, idle
    const silent = connect(first.port, '127.0.0.1').resume();
    const cut = new Promise((resolve) => silent.once('close', resolve));
    await new Promise((resolve) => silent.once('connect', resolve));
    // As if its launcher had ended.
    await assertStopsWithRequestsInFlight(first, () => first.disconnect());
    await cut;
  });

  await t.test(
    'uses them at the second start, logs readable lines on a terminal, and returns a forecast at a second Ctrl-C',
    {
      skip: !hasTerminals && 'the program "script" of util-linux is not installed',
    },
    async () => {
      const { child, stdout, ended } = spawnOnTerminal('src/main.ts', environment);
      using _killed = { [Symbol.dispose]: () => child.kill('SIGKILL') };
      await until(() => /\ncurl .*\r\n$/.test(stdout()), 60_000);
      const lines = stdout().trimEnd().split('\r\n');
      const [site = '', key, tryIt, curl = ''] = lines.slice(-4);
      assert.match(site, /^Almanac is ready at http:\/\/127\.0\.0\.1:\d+ /);
      assert.equal(key, `API key: ${firstKey}`);
      assert.equal(tryIt, 'Try it:');
      assert.match(curl, /^curl -s -H "Authorization: Bearer alm_pat_/);
      const log = lines.slice(0, -4);
      assert.ok(
        log.some((line) => /^\d\d:\d\d:\d\d INFO {2}Server listening at http:/.test(line)),
        stdout(),
      );
      assert.ok(
        log.every((line) => /^\d\d:\d\d:\d\d (INFO |WARN ) \S/.test(line)),
        stdout(),
      );
      const again = await callAlmanac(['user', 'create', 'kept@example.org'], environment);
      assert.match(again.stderr, /already an account with the address kept@example\.org/);
      const url = /http:\/\/\S+/.exec(site)?.[0] ?? '';
      await startLongForecast(url, firstKey);
      const pressCtrlC = () => child.stdin?.write('\u0003');
      await assertFinishesRequests({ url, log: stdout }, pressCtrlC);
      await until(() => stdout().includes('stop again (Ctrl-C) to return running jobs to their queues'));
      await until(() => stdout().includes('INFO  waiting at most 300 s for 1 running job queues=["forecasts"]\r\n'));
      pressCtrlC();
      const { code, stdout: all } = await ended;
      assert.equal(code, 0, all);
      assert.equal(all.match(/INFO {2}stopping reason="SIGINT"\r\n/g)?.length, 1);
      assert.match(all, /INFO {2}stopping without waiting reason="SIGINT"\r\n(.*\r\n)?.* INFO {2}stopped\r\n$/);
      assert.deepEqual(await readForecastJobs(data), ['created']);
    },
  );
});

async function readForecastJobs(folder: string): Promise<string[]> {
  const database = await openDatabase({ folder });
  try {
    const jobs = sql<{ state: string }>`SELECT state::text FROM queue.job WHERE name LIKE 'forecasts/%'`;
    return (await jobs.execute(database.query())).rows.map(({ state }) => state);
  } finally {
    await database.close();
  }
}

function permissions(path: string): number {
  return statSync(path).mode & 0o777;
}
