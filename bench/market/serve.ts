// One of the two servers of the bench, in a process of its own: `service`, over a provider with 50,000 bars, or `peer`,
// raw node:http that reads the same requests and sends bytes it was given.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildApi, identityOf, MIGRATIONS } from '../../src/compose.ts';
import { createLog, loadConfig } from '../../src/platform/index.ts';
import { makeAccount, withKey } from '../../test/support/callers.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { memoryProvider } from '../../test/support/memory-provider.ts';
import { minuteBars } from './minute-bars.ts';

const [role, kind] = process.argv.slice(2);
if (role === 'peer') servePeer();
else await serveService(kind === 'postgres' ? 'postgres' : 'pglite');

function servePeer(): void {
  const bodies = new Map<string, Buffer>();
  process.on('message', ({ format, body }: { format: string; body: string }) => {
    bodies.set(format, Buffer.from(body));
    process.send?.({ kept: format });
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { format } = JSON.parse(Buffer.concat(chunks).toString());
      const body = bodies.get(format) ?? Buffer.alloc(0);
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length }).end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

async function serveService(database: 'pglite' | 'postgres'): Promise<void> {
  const fixture = await openTestDatabase(database, { migrations: MIGRATIONS });
  const config = loadConfig({ NODE_ENV: 'production', ALMANAC_RATE_PRO: '1000000', ALMANAC_LOG_LEVEL: 'silent' });
  const identity = identityOf(fixture.database);
  const foundation = { config, log: createLog(config.logLevel), database: fixture.database, identity };
  const provider = memoryProvider({ rows: minuteBars(50_000), page: 50_000, frequencies: ['1min'] });
  const app = await buildApi(foundation, () => 'http://127.0.0.1', [provider]);
  const { id } = await makeAccount(identity, { password: null });
  const { authorization } = await withKey(identity, id);
  await app.listen({ host: '127.0.0.1', port: 0 });
  process.on('disconnect', async () => {
    await app.close();
    await fixture[Symbol.asyncDispose]();
  });
  process.send?.({ port: (app.server.address() as AddressInfo).port, authorization });
}
