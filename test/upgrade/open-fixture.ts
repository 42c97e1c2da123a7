import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { Client } from 'pg';
import { MINUTE_MS } from '../../src/calendar/index.ts';
import { buildApi, openFoundation, startWorker } from '../../src/compose/index.ts';
import { createLog, type Database } from '../../src/platform/index.ts';
import { emptyPostgres } from '../support/cli/service.ts';
import type { DatabaseKind } from '../support/platform/database.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';
import { setClock } from './clock.ts';
import { type Expected, FIXTURE, readExpected } from './expected.ts';

/** The current build on a copy of the data that an earlier build wrote. */
export interface OpenFixture extends AsyncDisposable {
  readonly expected: Expected;
  readonly app: FastifyInstance;
  readonly database: Database;
  readonly folder: string;
}

/** Rate limits are not the subject of these tests. */
const UNLIMITED = Object.fromEntries(
  ['ANONYMOUS', 'GUEST', 'FREE', 'PRO', 'ENTERPRISE'].map((name) => [`ALMANAC_RATE_${name}`, '1000000']),
);

/** Restores a fixture and starts the service and its worker on it, as `npm start` does. */
export async function openFixture(kind: DatabaseKind): Promise<OpenFixture> {
  const expected = readExpected(kind);
  await using opening = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'almanac-upgrade-test-'));
  opening.defer(() => rmSync(folder, { recursive: true, force: true }));
  if (kind === 'pglite') unpackFolder(folder);
  const url = kind === 'postgres' ? { DATABASE_URL: await restoreDump(opening) } : {};
  opening.defer(setClock(new Date(Date.parse(expected.written_at) + MINUTE_MS)));

  const config = loadTestConfig({ NODE_ENV: 'test', ...UNLIMITED, ALMANAC_DATA: folder, ...url });
  const foundation = await openFoundation(config, createLog('silent'));
  opening.defer(() => foundation.database.close());
  const siteUrl = () => expected.site_url;
  const worker = await startWorker(foundation, { siteUrl });
  opening.defer(() => worker.stop({ timeoutMs: 1_000 }));
  const app = await buildApi(foundation, { siteUrl, queue: worker.queue });
  opening.defer(() => app.close());
  await app.ready();
  const opened = opening.move();
  return { expected, app, database: foundation.database, folder, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

export function readPacked(name: string): Buffer {
  return brotliDecompressSync(readFileSync(join(FIXTURE, name)));
}

/** Unpacks a line of JSON that lists folders and files, followed by their contents. Equal files share one content. */
export function unpackFolder(folder: string): void {
  const packed = readPacked('data-folder.br');
  const head = packed.indexOf('\n');
  const { folders, files } = JSON.parse(packed.toString('utf8', 0, head)) as {
    readonly folders: readonly string[];
    readonly files: readonly (readonly [path: string, offset: number, size: number])[];
  };
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true, mode: 0o700 });
  const contents = packed.subarray(head + 1);
  for (const [path, offset, size] of files) {
    writeFileSync(join(folder, path), contents.subarray(offset, offset + size), { mode: 0o600 });
  }
}

async function restoreDump(opening: AsyncDisposableStack): Promise<string> {
  const { url } = opening.use(await emptyPostgres());
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(readPacked('postgres.sql.br').toString('utf8'));
  } finally {
    await client.end();
  }
  return url;
}
