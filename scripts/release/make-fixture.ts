import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { INTERFACE_VERSION } from '../../src/contract/index.ts';
import { ENGINE_VERSION } from '../../src/engine/index.ts';
import { readVersion } from '../../src/platform/index.ts';
import { emptyPostgres, type Service, startService, temporaryFolder } from '../../test/support/cli/service.ts';
import { FORECASTS } from '../../test/support/forecasts/forecast-service.ts';
import { startReceiver } from '../../test/support/notifications/receiver.ts';
import type { DatabaseKind } from '../../test/support/platform/database.ts';
import { MAX_BODY, type RecordedResponse, type ReleaseExpected } from '../../test/upgrade/expected.ts';
import { REQUEST_ID } from '../../test/upgrade/fixture-client.ts';
import { dumpPostgres } from './dump-postgres.ts';
import { digestOfMigrations } from './fixture-files.ts';
import { listReads, type Read } from './list-reads.ts';
import { packFolder } from './pack-folder.ts';
import { runRecurringJobs } from './run-recurring-jobs.ts';
import { runScene } from './scene/index.ts';
import { runJson, Scene } from './scene/scene.ts';
import { addLargeFile } from './scene/workspaces.ts';

/** What this build stored on one kind of database. */
export interface MadeFixture {
  readonly expected: ReleaseExpected;
  /** The data folder or the dump of the database, not compressed. */
  readonly data: Buffer;
  /** A backup of the embedded database, which is encrypted and therefore cannot be compressed. */
  readonly backup: Buffer | null;
}

/** Runs the scene on a new service, starts the service again, and records its responses. */
export async function makeFixture(kind: DatabaseKind, backupKeyFile: string): Promise<MadeFixture> {
  await using open = new AsyncDisposableStack();
  const data = temporaryFolder();
  open.defer(() => rmSync(data, { recursive: true, force: true }));
  const database = kind === 'postgres' ? { databaseUrl: open.use(await emptyPostgres()).url } : {};
  const receiver = open.use(await startReceiver());
  const start = async (more = {}) => {
    const environment = { ALMANAC_OUTBOUND_ALLOW: '127.0.0.0/8', ...more };
    return open.use(await startService({ data, ...database, environment }));
  };

  const first = await start();
  const scene = new Scene(first);
  const accepted = await runScene(scene, receiver);
  await stop(first);
  await runRecurringJobs(first.environment, first.url);
  const backup = kind === 'pglite' ? await backUp(first, backupKeyFile) : null;

  const second = await start({ PORT: String(first.port) });
  // The backup does not have it, because its content would be in two files of the fixture.
  if (kind === 'pglite') await addLargeFile(scene);
  // From now on, so that no email waits for its minute while a test reads.
  await scene.send('session', 'PATCH', '/v1/me/notifications', { outcomes: true });
  const answers = [];
  for (const read of listReads(scene)) answers.push(await record(scene, read));
  await stop(second);
  const written = new Date();

  const ledger = await runJson<ReleaseExpected['ledger']>(['ledger', 'check'], first.environment);
  const checked = await runJson<ReleaseExpected['check']>(['check', '--json'], first.environment);
  const completed = scene.forecasts.get('completed')?.id;
  const { fingerprint } = JSON.parse(answers.find(({ path }) => path === `${FORECASTS}/${completed}`)?.body ?? '').data;
  const expected: ReleaseExpected = {
    written_at: written.toISOString(),
    build: readVersion(),
    interface: INTERFACE_VERSION,
    engine: ENGINE_VERSION,
    migrations: digestOfMigrations(),
    site_url: first.url,
    ...accepted,
    forecasts: Object.fromEntries([...scene.forecasts].map(([name, { id }]) => [name, id])),
    fingerprint,
    callers: scene.callers,
    demo_key: first.key,
    ledger,
    check: checked,
    answers,
  };
  const packed = database.databaseUrl === undefined ? await packFolder(data) : await dumpPostgres(database.databaseUrl);
  return { expected, data: packed, backup };
}

async function stop(service: Service): Promise<void> {
  const { code, stderr } = await service.stop();
  if (code !== 0) throw new Error(`The service ended with ${code}: ${stderr.slice(-2_000)}`);
}

async function backUp({ environment }: Service, keyFile: string): Promise<Buffer> {
  const folder = temporaryFolder();
  try {
    const file = join(folder, 'almanac.backup');
    await runJson(['backup', file, '--key-file', keyFile], environment);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function record(scene: Scene, { caller, path }: Read): Promise<RecordedResponse> {
  const headers = { 'x-request-id': REQUEST_ID, ...scene.headersOf(caller) };
  const response = await fetch(`${scene.service.url}/api${path}`, { headers });
  const body = await response.text();
  const { status } = response;
  if (status >= 500) throw new Error(`${caller}: GET ${path}: ${status} ${body}`);
  if (Buffer.byteLength(body) <= MAX_BODY) return { caller, path, status, body };
  return { caller, path, status, sha256: createHash('sha256').update(body).digest('hex') };
}
