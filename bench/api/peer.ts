// The peer: node:http and the database driver with nothing between them. For the same request, it runs the same
// statements as the service and sends the same bytes. It receives its instructions over the IPC channel.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { Pool } from 'pg';
import type { Recording, Statement } from './capture.ts';

export interface PeerInstructions {
  readonly recording: Recording;
  /** A PostgreSQL server, or the files of an embedded database that no other process has open. */
  readonly database: { readonly url: string } | { readonly files: string };
  readonly poolSize: number;
}

type Run = (statement: Statement) => Promise<unknown>;

process.once('message', async (instructions: PeerInstructions) => {
  const { requests, headers, body } = instructions.recording;
  const run = await open(instructions);
  let served = 0;
  const server = createServer(async (_request, response) => {
    for (const statement of requests[served++ % requests.length] ?? []) await run(statement);
    response.writeHead(200, headers).end(body);
  });
  server.keepAliveTimeout = 72_000;
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.once('disconnect', () => process.exit());

async function open({ database, poolSize }: PeerInstructions): Promise<Run> {
  if ('url' in database) {
    const pool = new Pool({ connectionString: database.url, max: poolSize });
    return ({ sql, parameters }) => pool.query(sql, parameters);
  }
  const pglite = await PGlite.create(database.files);
  return ({ sql, parameters }) => pglite.query(sql, parameters);
}
