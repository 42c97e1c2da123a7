// One of the servers of the bench, in its own process. `service` is the service with a provider of 50,000 bars. `peer`
// is raw node:http that reads the same requests and sends prepared bytes. `guarded` is the same, but looks up the key
// first.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildApi, createFoundation, createIdentityContext, MIGRATIONS } from '../../src/compose/index.ts';
import { authenticateKey } from '../../src/identity/index.ts';
import { createLog, systemClock } from '../../src/platform/index.ts';
import { makeAccount, withKey } from '../../test/support/identity/callers.ts';
import { memoryProvider } from '../../test/support/market/memory-provider.ts';
import { openTestDatabase } from '../../test/support/platform/database.ts';
import { loadTestConfig } from '../../test/support/platform/test-config.ts';
import { minuteBars } from './minute-bars.ts';

const [role, kind] = process.argv.slice(2);
const database = kind === 'postgres' ? 'postgres' : 'pglite';
if (role === 'service') await serveService();
else await servePeer(role === 'guarded');

async function openAccount() {
  const fixture = await openTestDatabase(database, { migrations: MIGRATIONS });
  process.on('disconnect', () => fixture[Symbol.asyncDispose]());
  const identity = createIdentityContext({ database: fixture.database, clock: systemClock });
  const { id } = await makeAccount(identity, { password: null });
  const { authorization } = await withKey(identity, id);
  return { database: fixture.database, identity, authorization };
}

async function servePeer(isGuarded: boolean): Promise<void> {
  const account = isGuarded ? await openAccount() : null;
  const bodies = new Map<string, Buffer>();
  process.on('message', ({ format, body }: { format: string; body: string }) => {
    bodies.set(format, Buffer.from(body));
    process.send?.({ kept: format });
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const key = request.headers.authorization?.slice('Bearer '.length) ?? '';
      if (account && !(await authenticateKey(account.identity, key))) return response.writeHead(401).end();
      const { format } = JSON.parse(Buffer.concat(chunks).toString());
      const body = bodies.get(format) ?? Buffer.alloc(0);
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length }).end(body);
    });
  });
  process.on('disconnect', () => server.close());
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port, authorization: account?.authorization });
  });
}

async function serveService(): Promise<void> {
  const { authorization, ...opened } = await openAccount();
  const config = loadTestConfig({ NODE_ENV: 'production', ALMANAC_RATE_PRO: '1000000', ALMANAC_LOG_LEVEL: 'silent' });
  const provider = memoryProvider({ rows: minuteBars(50_000), page: 50_000, frequencies: ['1min'] });
  const log = createLog(config.logLevel);
  const foundation = createFoundation({ config, log, database: opened.database });
  const app = await buildApi(foundation, { siteUrl: () => 'http://127.0.0.1', providers: [provider] });
  process.on('disconnect', () => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  process.send?.({ port: (app.server.address() as AddressInfo).port, authorization });
}
