// A service of another build: this one with another version of the engine and more migrations.
//
//   node test/upgrade/build-process.ts ENGINE [NAME=SQL…]
//
// Each named migration is marked compatible. The process prints the origin of its API when it is ready.

import { sql } from 'kysely';
import { closeApp, listen } from '../../src/cli/serve/listen.ts';
import { runUntilStopped } from '../../src/cli/serve/run-until-stopped.ts';
import { buildApi, createFoundation, MIGRATIONS, startWorker } from '../../src/compose/index.ts';
import { checkpointFolders, openEngineBundles, openModelCheckpoints } from '../../src/compute/index.ts';
import { createLog, migrate, openDatabase, type SchemaMigration } from '../../src/platform/index.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';

const [present = '', ...statements] = process.argv.slice(2);
const added = statements.map((statement): [string, SchemaMigration] => {
  const [name = '', text = ''] = statement.split('=', 2);
  return [name, { compatible: true, up: async (db) => void (await sql.raw(text).execute(db)) }];
});

const config = loadTestConfig(process.env as Record<string, string>);
const log = createLog('info');
await runUntilStopped(config, log, async (open, hurry) => {
  const database = await openDatabase({ url: config.databaseUrl as string, poolSize: 5 });
  open.defer(() => database.close());
  await migrate(database, [...MIGRATIONS, { domain: 'next', migrations: Object.fromEntries(added) }], { log });
  const engines = openEngineBundles({ present });
  const checkpoints = openModelCheckpoints(checkpointFolders(config.dataFolder), { log, engines });
  const foundation = createFoundation({ config, log, database, checkpoints });
  let siteUrl = '';
  const worker = await startWorker(foundation, { siteUrl: () => siteUrl });
  open.defer(() => worker.stop({ timeoutMs: 20_000, hurry }));
  const app = await buildApi(foundation, { siteUrl: () => siteUrl, queue: worker.queue });
  open.defer(() => closeApp(app, 20_000, hurry));
  siteUrl = await listen(app, { host: '127.0.0.1', port: 0 });
  process.stdout.write(`${siteUrl}\n`);
});
if (process.connected) process.disconnect();
