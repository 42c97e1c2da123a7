import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type InFlight, requestInFlight } from '../support/api/request-in-flight.ts';
import { runAlmanac, spawnAlmanac } from '../support/cli/almanac-process.ts';
import { type Service, startService, temporaryFolder } from '../support/cli/service.ts';

/** Whatever holds a stop up would do so for half of this, so that it cannot be taken for a slow machine. */
const PATIENT = { ALMANAC_SHUTDOWN_SECONDS: '180' };

let signIns = 0;

/** One folder for the whole file: each start opens what the one before it left. */
const folder = temporaryFolder();
const data = join(folder, 'data');
after(() => rmSync(folder, { recursive: true, force: true }));

let firstKey = '';

test('the first start makes a folder, an account and a key, and prints a curl line that works; SIGTERM stops it', async () => {
  await using service = await startService({ data, environment: PATIENT });
  const [site, key, , curl = '', ...rest] = service.stdout().trimEnd().split('\n');
  assert.match(site ?? '', /^Almanac is ready at http:\/\/127\.0\.0\.1:\d+ /);
  assert.match(key ?? '', /^API key: alm_pat_[0-9A-Za-z]{49}$/);
  assert.deepEqual(rest, []);
  assert.equal(mode(data), 0o700);
  assert.equal(mode(join(data, 'demo-api-key')), 0o600);
  assert.equal(mode(join(data, 'control.json')), 0o600);

  assert.ok(curl.startsWith('curl '));
  const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
  assert.equal(JSON.parse(stdout).data.user.email, 'demo@almanac.local');

  firstKey = service.key;
  const { code } = await runAlmanac(['user', 'create', 'kept@example.org'], service.environment);
  assert.equal(code, 0);
  await stopsWithRequestsInFlight(service, () => service.signal('SIGTERM'));
});

test('the second start finds all that the first one made, and refuses a third one beside it; SIGINT stops it', async () => {
  await using service = await startService({ data, environment: PATIENT });
  assert.equal(service.key, firstKey);
  const again = await runAlmanac(['user', 'create', 'kept@example.org'], service.environment);
  assert.match(again.stderr, /kept@example\.org exists already/);

  const refused = await spawnAlmanac('src/main.ts', [], { ALMANAC_DATA: data, PORT: '0' }).ended;
  assert.equal(refused.code, 1);
  assert.equal(refused.stdout, '');
  assert.match(
    refused.stderr,
    new RegExp(`^almanac: The database in .* is in use by process ${service.pid}\\. .*\\n$`),
  );
  assert.equal((await service.fetch('/api/v1/me/access')).status, 200);

  await stopsWithRequestsInFlight(service, () => service.signal('SIGINT'));
});

test('SIGINT twice in quick succession stops it once', async () => {
  await using service = await startService({ data, environment: PATIENT });
  await stopsWithRequestsInFlight(service, () => {
    service.signal('SIGINT');
    service.signal('SIGINT');
  });
});

test('the loss of the launcher stops it, and no open connection holds it up', async () => {
  await using service = await startService({ data, environment: PATIENT });
  assert.equal((await service.fetch('/api/v1/me/access')).status, 200); // its connection stays open, idle
  const silent = connect(service.port, '127.0.0.1').resume();
  const cut = new Promise((resolve) => silent.once('close', resolve));
  await new Promise((resolve) => silent.once('connect', resolve));
  await stopsWithRequestsInFlight(service, () => service.disconnect());
  await cut;
});

/** Tells the service to stop while it has requests in flight: they get their whole answers, nobody else gets in. */
async function stopsWithRequestsInFlight(service: Service, order: () => void): Promise<void> {
  const upload = await signInInFlight(service);
  const hashing = await Promise.all([1, 2, 3, 4].map(() => signInInFlight(service)));
  const hashed = hashing.map((request) => request.finish());
  const began = performance.now();
  order();
  await until(() => service.stderr().includes('"stopping"'));
  await refusesConnections(service.port);
  const answers = await Promise.all([...hashed, upload.finish()]);
  for (const { status, headers, body } of answers) {
    assert.equal(status, 401);
    assert.equal(JSON.parse(body).error.request_id, headers['x-request-id']);
  }
  assert.equal(answers.at(-1)?.headers.connection, 'close');
  const { code, signal, stderr } = await service.ended;
  assert.deepEqual({ code, signal }, { code: 0, signal: null });
  assert.ok(performance.now() - began < 60_000, 'not held up until a deadline');
  assert.equal(stderr.match(/"stopping"/g)?.length, 1);
  assert.match(stderr, /"stopped"\}\n$/);
  assert.doesNotMatch(stderr, /"level":(40|50|60)/);
  assert.ok(!existsSync(join(data, 'control.json')));
  assert.ok(!existsSync(join(data, 'almanac.pid')), 'the folder was let go');
}

/** Each as somebody else: guesses at one account are limited. */
function signInInFlight({ url }: Service): Promise<InFlight> {
  const body = { email: `nobody-${++signIns}@example.org`, password: 'a password of nobody' };
  return requestInFlight(url, '/api/v1/sessions', body);
}

async function refusesConnections(port: number): Promise<void> {
  await until(async () => {
    const socket = connect(port, '127.0.0.1');
    return new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
    }).finally(() => socket.destroy());
  });
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('waited in vain');
    await sleep(10);
  }
}

function mode(path: string): number {
  return statSync(path).mode & 0o777;
}
