import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Client } from 'pg';
import { MINUTE_MS } from '../../src/calendar/index.ts';
import { buildApi, openFoundation, startWorker } from '../../src/compose/index.ts';
import { createLog, type Database } from '../../src/platform/index.ts';
import { emptyPostgres } from '../support/cli/service.ts';
import type { DatabaseKind } from '../support/platform/database.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';
import { setClock } from './clock.ts';
import type { Expected } from './expected.ts';
import { type FixtureFolder, readPacked, unpackFolder } from './fixtures.ts';

/** The current build on a copy of the data that an earlier build wrote. */
export interface OpenFixture<Found extends Expected = Expected> extends AsyncDisposable {
  readonly expected: Found;
  readonly app: FastifyInstance;
  readonly database: Database;
  readonly folder: string;
}

/** Rate limits are not the subject of these tests. */
const UNLIMITED = Object.fromEntries(
  ['ANONYMOUS', 'GUEST', 'FREE', 'PRO', 'ENTERPRISE'].map((name) => [`ALMANAC_RATE_${name}`, '1000000']),
);

/** Restores a fixture and starts the service and its worker on it, as `npm start` does. */
export async function openFixture<Found extends Expected>(
  fixture: FixtureFolder,
  expected: Found,
  kind: DatabaseKind,
): Promise<OpenFixture<Found>> {
  await using opening = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'almanac-upgrade-test-'));
  opening.defer(() => rmSync(folder, { recursive: true, force: true }));
  if (kind === 'pglite') unpackFolder(fixture, folder);
  const url = kind === 'postgres' ? { DATABASE_URL: await restoreDump(fixture, opening) } : {};
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

async function restoreDump(fixture: FixtureFolder, opening: AsyncDisposableStack): Promise<string> {
  const { url } = opening.use(await emptyPostgres());
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(readPacked(fixture, 'postgres.sql.br').toString('utf8'));
  } finally {
    await client.end();
  }
  return url;
}
