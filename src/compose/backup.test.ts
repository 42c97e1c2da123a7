import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { emptyPostgres, temporaryFolder } from '../../test/support/cli/service.ts';
import {
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
} from '../../test/support/forecasts/forecast-service.ts';
import { testedKind } from '../../test/support/platform/database.ts';
import { loadTestConfig } from '../../test/support/platform/test-config.ts';
import {
  copyEmbeddedDatabase,
  type Database,
  openDatabase,
  openPostgresTables,
  removeEmbeddedCopy,
  systemClock,
} from '../platform/index.ts';
import { backUp, restoreBackup } from './backup.ts';
import { checkService } from './check-service.ts';

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));

test(`a backup during writes has one consistent state [${testedKind}]`, async () => {
  await using service = await openForecastService(testedKind);
  const writers = [startWriter(service), startWriter(service)];
  await Promise.all(writers.map(({ hasWritten }) => hasWritten));
  const atStart = await countForecasts(service.database);
  const copied = testedKind === 'postgres' ? await copyThroughFile(service) : await copyFiles(service);
  try {
    const written = await Promise.all(writers.map((writer) => writer.stop()));
    assert.ok(written.every((count) => count > 0));
    const { sound, findings, checked } = await checkService(copied.database);
    assert.deepEqual([sound, findings], [true, []]);
    assert.ok(checked.ledger > 0);
    const count = await countForecasts(copied.database);
    assert.ok(count >= atStart && count <= (await countForecasts(service.database)), `${count} forecasts`);
  } finally {
    await copied[Symbol.asyncDispose]();
  }
});

/** Creates and cancels forecasts until it is stopped. */
function startWriter(service: ForecastService) {
  const { promise: hasWritten, resolve } = Promise.withResolvers<void>();
  let isStopped = false;
  let written = 0;
  const run = (async () => {
    const caller = await service.account();
    while (!isStopped) {
      const { status, data, body } = await create(caller, { models: ['theta'], seed: written });
      assert.equal(status, 202, body);
      if (written % 2 === 0) await caller.request('POST', `${FORECASTS}/${data.forecast_id}/cancel`);
      else await caller.request('DELETE', `${FORECASTS}/${data.forecast_id}`);
      written += 1;
      if (written === 2) resolve();
    }
    return written;
  })();
  run.catch(resolve);
  return {
    hasWritten,
    stop: () => {
      isStopped = true;
      return run;
    },
  };
}

async function countForecasts(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM forecast`.execute(database.query());
  return rows[0]?.count ?? 0;
}

async function copyFiles({ database, location }: ForecastService): Promise<{ database: Database } & AsyncDisposable> {
  const dataFolder = location.folder ?? '';
  const copy = await copyEmbeddedDatabase(database, dataFolder);
  const opened = await openDatabase({ folder: copy.folder });
  return {
    database: opened,
    [Symbol.asyncDispose]: async () => {
      await opened.close();
      await removeEmbeddedCopy(dataFolder);
    },
  };
}

async function copyThroughFile({ location }: ForecastService): Promise<{ database: Database } & AsyncDisposable> {
  const path = join(folder, 'busy.backup');
  const key = { kind: 'file', bytes: randomBytes(32) } as const;
  const common = { path, key, isForced: false, signal: new AbortController().signal, onProgress: () => {} };
  {
    await using access = await openPostgresTables(location.directUrl ?? location.url ?? '', 'read');
    await backUp({ dataFolder: folder }, access, { ...common, clock: systemClock });
  }
  const target = await emptyPostgres();
  const config = loadTestConfig({ ALMANAC_DATA: join(folder, 'restored'), DATABASE_URL: target.url });
  await restoreBackup(config, { ...common, isDryRun: false, lockWaitMs: 0 });
  const database = await openDatabase({ url: target.url });
  return {
    database,
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await target[Symbol.asyncDispose]();
    },
  };
}
