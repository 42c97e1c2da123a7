import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as requestHttp } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { MAX_CSV_BYTES } from '../../src/contract/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { listenOnLoopback } from '../support/api/http.ts';
import { makeAccount, withKey } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { personalWorkspace } from '../support/workspaces/workspaces.ts';
import { ROOT, readEnvironmentFile } from './manifests.ts';

const CADDY = '/usr/bin/caddy';
const NAME = 'almanac.example.org';
const caddyfile = readFileSync(join(ROOT, 'deploy/caddy/Caddyfile'), 'utf8');
const skip = existsSync(CADDY) ? false : 'caddy is not installed';

let fixture: TestDatabase;
let api: TestApi;
let proxy: RunningProxy;
let credentials: Readonly<Record<string, string>>;
let uploads: string;
/** Ends the stream of the test, which stays open until then. */
let endStream: () => void;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database, readEnvironmentFile('deploy/systemd/almanac.env.example'), (app) => {
    app.get('/seen', async ({ ip, protocol, host }) => ({ ip, protocol, host }));
    app.get('/events', async (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
      endStream = () => reply.raw.end('data: last\n\n');
    });
  });
  const account = await makeAccount(api.identity);
  credentials = await withKey(api.identity, account.id);
  uploads = `/api/v1/workspaces/${(await personalWorkspace(fixture.database, account.id)).slug}/csv?name=x.csv`;
  const port = await listenOnLoopback(api.app);
  if (!skip) proxy = await startProxy(port);
});
after(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

interface RunningProxy extends AsyncDisposable {
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly authority: string;
}

/** Runs Caddy with the committed file, on free ports and with certificates of its own authority. */
async function startProxy(servicePort: number): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-caddy-test-'));
  const [httpPort, httpsPort] = await Promise.all([findFreePort(), findFreePort()]);
  const options = ['admin off', 'local_certs', 'skip_install_trust', 'default_bind 127.0.0.1'];
  options.push(`http_port ${httpPort}`, `https_port ${httpsPort}`, `storage file_system ${folder}`);
  const file = join(folder, 'Caddyfile');
  writeFileSync(
    file,
    `{\n${options.join('\n')}\n}\n${caddyfile.replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`)}`,
  );
  const process = spawn(CADDY, ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { HOME: folder },
  });
  let log = '';
  process.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const authority = join(folder, 'pki/authorities/local/root.crt');
  const certificate = join(folder, `certificates/local/${NAME}/${NAME}.crt`);
  while (!(existsSync(authority) && existsSync(certificate) && log.includes('serving initial configuration'))) {
    if (process.exitCode !== null) throw new Error(`caddy ended: ${log}`);
    await sleep(20);
  }
  return {
    httpPort,
    httpsPort,
    authority: readFileSync(authority, 'utf8'),
    [Symbol.asyncDispose]: async () => {
      await end(process);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : assert.fail('no address');
}

async function end(process: ChildProcess): Promise<void> {
  process.kill('SIGTERM');
  if (process.exitCode === null) await once(process, 'exit');
}

async function send(path: string, options: RequestOptions = {}, body?: string | Buffer): Promise<IncomingMessage> {
  const { httpsPort: port, authority: ca } = proxy;
  const outgoing = request({
    host: '127.0.0.1',
    port,
    servername: NAME,
    ca,
    path,
    ...options,
    headers: { host: NAME, ...options.headers },
  });
  // The connection can close while a body that was refused is still being sent.
  outgoing.on('error', () => {});
  const response = once(outgoing, 'response');
  outgoing.end(body);
  return (await response)[0];
}

test('the service sees the address of the client, whatever the client says about itself', { skip }, async () => {
  const forged = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http', forwarded: 'for=203.0.113.9' };
  const seen = JSON.parse(await text(await send('/seen', { headers: forged })));
  assert.deepEqual(seen, { ip: '127.0.0.1', protocol: 'https', host: NAME });
  const response = await send('/health/ready');
  assert.match(String(response.headers['strict-transport-security']), /^max-age=/);
});

test('http is redirected to https', { skip }, async () => {
  const outgoing = requestHttp({ host: '127.0.0.1', port: proxy.httpPort, path: '/docs?x=1', headers: { host: NAME } });
  const [response] = await once(outgoing.end(), 'response');
  assert.equal(response.statusCode, 308);
  assert.match(response.headers.location, new RegExp(`^https://${NAME}(:${proxy.httpsPort})?/docs\\?x=1$`));
});

test('an event arrives while its stream is open', { skip }, async () => {
  const response = await send('/events');
  const [first] = await once(response, 'data');
  assert.equal(String(first), 'data: first\n\n');
  endStream();
  assert.equal(await text(response), 'data: last\n\n');
});

test('the limit of an upload is that of the service', { skip }, async () => {
  const upload = (body: Buffer) =>
    send(uploads, { method: 'POST', headers: { ...credentials, 'content-type': 'text/csv' } }, body);
  const row = '2020-01-01,1\n';
  const accepted = await upload(Buffer.from(`date,value\n${row.repeat(100_000)}`));
  assert.equal(accepted.statusCode, 201, await text(accepted));
  const refused = await upload(Buffer.alloc(MAX_CSV_BYTES + 1, row));
  assert.equal(refused.statusCode, 413);
  assert.equal(JSON.parse(await text(refused)).error.code, 'TOO_LARGE');
});

test('the proxy closes idle connections before the service does', () => {
  const seconds = Number(/^\t+keepalive (\d+)s$/m.exec(caddyfile)?.[1]);
  assert.ok(seconds > 0 && seconds * 1000 < api.app.server.keepAliveTimeout, `${api.app.server.keepAliveTimeout}`);
});

test('the proxy forwards the origin of the example to the port of the service', () => {
  const { SITE_URL = '', ALMANAC_TRUSTED_PROXIES } = readEnvironmentFile('deploy/systemd/almanac.env.example');
  assert.ok(caddyfile.includes(`\n${new URL(SITE_URL).host} {\n`));
  assert.ok(caddyfile.includes('reverse_proxy 127.0.0.1:8080 '));
  assert.equal(ALMANAC_TRUSTED_PROXIES, 'loopback');
});
