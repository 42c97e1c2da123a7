import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { explainError } from '../../src/cli/explain-error.ts';
import { refuseTakenPort, resolveAddress } from '../../src/cli/serve/listen.ts';
import { ConfigError } from '../../src/platform/index.ts';
import { type Ending, type Environment, spawnAlmanac } from '../support/cli/almanac-process.ts';
import { assertFails, assertFailure, resultOf } from '../support/cli/command-result.ts';
import { preparedFolder, startService, temporaryFolder } from '../support/cli/service.ts';
import { assertStopsWithRequestsInFlight, LONG_SHUTDOWN } from '../support/cli/stop-in-flight.ts';
import { startCollector } from '../support/platform/collector.ts';

const folder = temporaryFolder();
const data = join(folder, 'data');
after(() => rmSync(folder, { recursive: true, force: true }));

const BEHIND_A_PROXY = { SITE_URL: 'https://almanac.example', ALMANAC_TRUSTED_PROXIES: 'loopback' };

/** Starts the service in a process of its own, which is expected to fail and is ended if it does not. */
async function startAndFail(environment: Environment): Promise<Ending> {
  const { child, ended } = spawnAlmanac('src/main.ts', [], { PORT: '0', ALMANAC_DATA: data, ...environment });
  const deadline = setTimeout(() => child.kill('SIGKILL'), 30_000);
  const ending = await ended;
  clearTimeout(deadline);
  return ending;
}

test('reports a wrong setting in one line, and creates nothing', async () => {
  const bad: [Environment, RegExp][] = [
    [{ PORT: '70000' }, /^almanac: PORT must be a whole number from 0 to 65535\.$/m],
    [{ ALMANAC_LOG_LEVEL: 'loud' }, /^almanac: ALMANAC_LOG_LEVEL must be one of /],
    [{ HOST: '0.0.0.0' }, /^almanac: SITE_URL must be the https origin of your TLS proxy when HOST is 0\.0\.0\.0/],
    [{ HOST: '0.0.0.0', SITE_URL: 'https://almanac.example' }, /^almanac: ALMANAC_TRUSTED_PROXIES must list /],
    [
      { SITE_URL: 'http://almanac.example', ALMANAC_TRUSTED_PROXIES: 'loopback' },
      /^almanac: SITE_URL must be the https origin of your TLS proxy when SITE_URL is http:\/\/almanac\.example: /,
    ],
    [
      { SITE_URL: 'https://almanac.example' },
      /^almanac: ALMANAC_TRUSTED_PROXIES must list your TLS proxy \(.*\) when SITE_URL is https:\/\/almanac\.example: /,
    ],
    [
      { HOST: 'not.a.host.invalid' },
      /^almanac: HOST not\.a\.host\.invalid cannot be resolved to an address\. Set HOST /,
    ],
  ];
  for (const [environment, message] of bad) {
    await assertFails({ PORT: '0', ALMANAC_DATA: data, ...environment }, 1, message, 'serve');
  }
  assert.ok(!existsSync(data));
});

test('reports in one line that the database cannot be opened, and creates nothing', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const bad: [Environment, RegExp][] = [
    [{ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, /^almanac: DATABASE_URL names a server that cannot be reached: /],
    [{ ALMANAC_DATA: join(file, 'data') }, /^almanac: ALMANAC_DATA cannot be used: ENOTDIR/],
  ];
  for (const [environment, message] of bad) {
    await assertFails({ ALMANAC_DATA: data, ...environment }, 1, message, 'migrate');
  }
  assert.ok(!existsSync(data));
});

test('reports in one line that an address cannot be used, before anything is created', async () => {
  // The start below fails at this check.
  const elsewhere = { host: '192.0.2.1', port: 0 };
  await assert.rejects(refuseTakenPort(elsewhere), (error) => {
    assert.ok(error instanceof ConfigError);
    assert.equal(explainError(error), 'HOST 192.0.2.1 is not an address of this machine.');
    return true;
  });
  // A start whose other settings are complete runs this check first.
  await assert.rejects(resolveAddress({ host: 'not.a.host.invalid', port: 0 }), {
    name: 'ConfigError',
    message: /^HOST not\.a\.host\.invalid cannot be resolved to an address\. /,
  });
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  // In its own process, because a start that has begun also ends the process.
  const ending = await startAndFail({ PORT: String(port) });
  assertFailure(ending, 1, new RegExp(`^almanac: PORT ${port} is taken\\. `));
  assert.ok(!existsSync(data));
  server.close();
});

test('refuses a separate worker without PostgreSQL', async () => {
  await assertFails({ ALMANAC_DATA: data }, 1, /^almanac: DATABASE_URL must be set for a separate worker/, 'worker');
  assert.ok(!existsSync(data));
});

test('explains a malformed command line in one line, and creates nothing', async () => {
  const environment = { ALMANAC_DATA: data };
  const malformed: [RegExp, ...string[]][] = [
    [/Unknown command "user delete"\. See: almanac --help/, 'user', 'delete', 'a@example.org'],
    [/Usage: almanac user administrator EMAIL on\|off$/m, 'user', 'administrator', 'a@example.org'],
    [/Usage: almanac user remove EMAIL$/m, 'user', 'remove'],
    [/Unknown option '--admin'\. Usage: almanac user create EMAIL /, 'user', 'create', 'a@example.org', '--admin'],
    [/Usage: almanac key create EMAIL /, 'key', 'create'],
    [/Usage: almanac screener run --session DATE /, 'screener', 'run'],
    [/--preview must be JSON, such as /, 'screener', 'run', '--session', '2018-03-05', '--preview', 'rsi'],
    [/argument is ambiguous\. Usage: almanac user create/, 'user', 'create', 'a@b.cd', '--password', '-secret-'],
  ];
  for (const [message, ...args] of malformed) await assertFails(environment, 2, message, ...args);
  const invalid: [RegExp, ...string[]][] = [
    [/email: Invalid email address/, 'user', 'create', 'not an address'],
    [/plan: Invalid option/, 'user', 'create', 'a@example.org', '--plan', 'gold'],
    [/scopes\[1\]: Invalid option/, 'key', 'create', 'a@example.org', '--scopes', 'account:read,everything'],
    [/expires: /, 'key', 'create', 'a@example.org', '--expires', 'tomorrow'],
  ];
  for (const [message, ...args] of invalid) await assertFails(environment, 1, message, ...args);
  assert.ok(!existsSync(data));
});

const PASSWORD = 'correct horse battery staple 7';

test('a public service on a loopback HOST has no demonstration account and refuses the key of an earlier one', async () => {
  await using prepared = await preparedFolder();
  const local = { ALMANAC_DATA: prepared.data };
  await resultOf(
    local,
    'user',
    'create',
    'demo@almanac.local',
    '--plan',
    'pro',
    '--administrator',
    '--verified',
    '--password',
    PASSWORD,
  );
  const { key } = await resultOf(local, 'key', 'create', 'demo@almanac.local');
  await using service = await startService({ data: prepared.data, environment: BEHIND_A_PROXY });
  assert.equal(service.key, '');
  assert.match(service.stderr(), /The credentials of demo@almanac\.local are refused, .*`almanac user create EMAIL`/);
  const port = /"Server listening at http:\/\/127\.0\.0\.1:(\d+)"/.exec(service.stderr())?.[1];
  const ask = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}/api/v1/me/access`, { headers });
  const authorization = `Bearer ${key}`;
  assert.equal((await ask({ authorization })).status, 400, 'plain HTTP');
  const refused = await ask({ authorization, 'x-forwarded-proto': 'https' });
  assert.equal(refused.status, 401);
  assert.equal(((await refused.json()) as { error: { code: string } }).error.code, 'UNAUTHENTICATED');
  const signIn = (email: string) =>
    fetch(`http://127.0.0.1:${port}/api/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-proto': 'https' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
  assert.equal((await signIn('demo@almanac.local')).status, 401);
  const ann = ['ann@example.org', '--verified', '--password', PASSWORD];
  const other = await resultOf(service.environment, 'user', 'create', ...ann);
  assert.equal((await signIn('ann@example.org')).status, 201);
  assert.equal(other.email, 'ann@example.org');
});

// All checks share one service, because starting it takes longer than the rest.
test('a service beyond loopback starts, serves and stops on SIGTERM, although its trace collector hangs', async (t) => {
  await using collector = await startCollector(() => {});
  await using prepared = await preparedFolder();
  await using service = await startService({
    data: prepared.data,
    environment: {
      HOST: '0.0.0.0',
      ...BEHIND_A_PROXY,
      ...LONG_SHUTDOWN,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      ALMANAC_METRICS: '127.0.0.1:0',
    },
  });
  const port = /"Server listening at http:\/\/127\.0\.0\.1:(\d+)"/.exec(service.stderr())?.[1];
  const proxied = { 'x-forwarded-proto': 'https' };
  const ask = (path: string, headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}${path}`, { headers });

  await t.test('creates no account beyond loopback, prints no key, and refuses plain HTTP', async () => {
    assert.match(service.stdout(), /^Almanac is ready at https:\/\/almanac\.example \(.*\)\n$/);
    assert.ok(!existsSync(join(prepared.data, 'demo-api-key')));
    await assertFails(service.environment, 1, /no account has the address/i, 'key', 'create', 'demo@almanac.local');
    const plain = await ask('/api/openapi.json', {});
    assert.equal(plain.status, 400);
    const throughProxy = await ask('/api/openapi.json', proxied);
    assert.equal(throughProxy.status, 200);
    await Promise.all([plain.text(), throughProxy.text()]);
  });

  await resultOf(service.environment, 'user', 'create', 'ann@example.org', '--plan', 'pro', '--verified');
  const { key } = await resultOf(service.environment, 'key', 'create', 'ann@example.org');
  assert.equal((await ask('/api/v1/me/access', { ...proxied, authorization: `Bearer ${key}` })).status, 200);
  const page = /metrics are served at (http:\/\/127\.0\.0\.1:\d+\/metrics)/.exec(service.stderr())?.[1] ?? '';
  assert.match(await (await fetch(page)).text(), /^almanac_queue_jobs_waiting\{queue="forecasts"\} 0$/m);
  assert.equal((await ask('/metrics', proxied)).status, 404, 'not on the public port');
  const reached = { url: `http://127.0.0.1:${port}`, headers: proxied };
  await assertStopsWithRequestsInFlight(service, () => service.signal('SIGTERM'), reached);
});
