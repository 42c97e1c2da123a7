import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type InFlight, requestInFlight } from '../support/api/request-in-flight.ts';
import { callAlmanac, spawnAlmanac, spawnOnTerminal } from '../support/cli/almanac-process.ts';
import { preparedFolder, type Service, startService, temporaryFolder } from '../support/cli/service.ts';

/** A stop that is held up takes half of this, which is longer than a test may take. */
const LONG_SHUTDOWN = { ALMANAC_SHUTDOWN_SECONDS: '600' };

let signIns = 0;

test('creates a folder, an account and a key at the first start, and finds them at the second', async () => {
  const folder = temporaryFolder();
  using _removed = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
  const data = join(folder, 'data');

  await using first = await startService({ data, environment: LONG_SHUTDOWN });
  const [site, key, , curl = '', ...rest] = first.stdout().trimEnd().split('\n');
  assert.match(site ?? '', /^Almanac is ready at http:\/\/127\.0\.0\.1:\d+ /);
  assert.match(key ?? '', /^API key: alm_pat_[0-9A-Za-z]{49}$/);
  assert.deepEqual(rest, []);
  assert.equal(permissions(data), 0o700);
  assert.equal(permissions(join(data, 'demo-api-key')), 0o600);
  assert.equal(permissions(join(data, 'control.json')), 0o600);
  assert.match(first.stderr(), /^(\{"level":\d+,.*\}\n)+$/, 'piped, the log is JSON');

  assert.ok(curl.startsWith('curl '));
  const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
  assert.equal(JSON.parse(stdout).data.user.email, 'demo@almanac.local');
  const { code } = await callAlmanac(['user', 'create', 'kept@example.org'], first.environment);
  assert.equal(code, 0);
  assert.equal((await first.fetch('/api/v1/me/access')).status, 200); // its connection stays open, idle
  const silent = connect(first.port, '127.0.0.1').resume();
  const cut = new Promise((resolve) => silent.once('close', resolve));
  await new Promise((resolve) => silent.once('connect', resolve));
  // As when its launcher ends.
  await assertStopsWithRequestsInFlight(first, () => first.disconnect());
  await cut;

  await using second = await startService({ data, environment: LONG_SHUTDOWN });
  assert.equal(second.key, first.key);
  const again = await callAlmanac(['user', 'create', 'kept@example.org'], second.environment);
  assert.match(again.stderr, /already an account with the address kept@example\.org/);

  const third = await spawnAlmanac('src/main.ts', [], { ALMANAC_DATA: data, PORT: '0' }).ended;
  assert.deepEqual([third.code, third.stdout], [1, '']);
  assert.match(third.stderr, new RegExp(`^almanac: The database in .* is in use by process ${second.pid}\\. .*\\n$`));
  assert.equal((await second.fetch('/api/v1/me/access')).status, 200);
  await assertStopsWithRequestsInFlight(second, () => second.signal('SIGTERM'));
});

const hasTerminals = spawnSync('script', ['--version']).status === 0;

test('logs readable lines on a terminal, prints the key last and stops on Ctrl-C, also pressed twice', {
  skip: !hasTerminals && 'the program "script" of util-linux is not installed',
}, async () => {
  await using prepared = await preparedFolder();
  const { child, stdout, ended } = spawnOnTerminal('src/main.ts', {
    PORT: '0',
    ALMANAC_DATA: prepared.data,
    ...LONG_SHUTDOWN,
  });
  await until(() => /\ncurl .*\r\n$/.test(stdout()), 60_000);
  const lines = stdout().trimEnd().split('\r\n');
  const [site = '', key = '', tryIt, curl = ''] = lines.slice(-4);
  assert.match(site, /^Almanac is ready at http:\/\/127\.0\.0\.1:\d+ /);
  assert.match(key, /^API key: alm_pat_[0-9A-Za-z]{49}$/);
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
  // Twice: people press it twice, and it also arrives from the launcher.
  const pressTwice = async () => {
    child.stdin?.write('\u0003');
    await until(() => stdout().includes('stopping'));
    child.stdin?.write('\u0003');
  };
  await assertFinishesRequests(/http:\/\/\S+/.exec(site)?.[0] ?? '', pressTwice, stdout);
  const { code, stdout: all } = await ended;
  assert.equal(code, 0);
  assert.equal(all.match(/stopping/g)?.length, 1);
  assert.match(all, /INFO {2}stopping reason="SIGINT"\r\n/);
  assert.match(all, /INFO {2}stopped\r\n$/);
});

/** Stops the service while requests are in flight, and checks how the process ends. */
async function assertStopsWithRequestsInFlight(service: Service, stop: () => void): Promise<void> {
  const data = service.environment.ALMANAC_DATA ?? '';
  await assertFinishesRequests(service.url, stop, service.stderr);
  const { code, signal, stderr } = await service.ended;
  assert.deepEqual({ code, signal }, { code: 0, signal: null });
  assert.equal(stderr.match(/"stopping"/g)?.length, 1);
  assert.match(stderr, /"stopped"\}\n$/);
  assert.doesNotMatch(stderr, /"level":(40|50|60)/);
  assert.ok(!existsSync(join(data, 'control.json')));
  assert.ok(!existsSync(join(data, 'almanac.pid')), 'the folder is free');
}

/** Stops a service while requests are in flight. They get complete replies, and no new connection is accepted. */
async function assertFinishesRequests(url: string, stop: () => unknown, log: () => string): Promise<void> {
  const upload = await startSignIn(url);
  const hashing = await Promise.all([1, 2].map(() => startSignIn(url)));
  const hashed = hashing.map((request) => request.finish());
  await stop();
  await until(() => log().includes('stopping'));
  await assertRefusesConnections(Number(new URL(url).port));
  const replies = await Promise.all([...hashed, upload.finish()]);
  for (const { status, headers, body } of replies) {
    assert.equal(status, 401);
    assert.equal(JSON.parse(body).error.request_id, headers['x-request-id']);
  }
  assert.equal(replies.at(-1)?.headers.connection, 'close');
}

/** Starts a sign-in for another account each time: attempts at one account are limited. */
function startSignIn(url: string): Promise<InFlight> {
  const body = { email: `unknown-${++signIns}@example.org`, password: 'a wrong password' };
  return requestInFlight(url, '/api/v1/sessions', body);
}

async function assertRefusesConnections(port: number): Promise<void> {
  await until(async () => {
    const socket = connect(port, '127.0.0.1');
    return new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
    }).finally(() => socket.destroy());
  });
}

async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`The condition was not met within ${timeoutMs} ms.`);
    await sleep(10);
  }
}

function permissions(path: string): number {
  return statSync(path).mode & 0o777;
}
