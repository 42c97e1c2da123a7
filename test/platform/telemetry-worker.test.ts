import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { spawnAlmanac } from '../support/cli/almanac-process.ts';
import { openTestDatabase } from '../support/platform/database.ts';
import { readMetricsPage } from '../support/platform/metrics-page.ts';

const skip = process.env.TEST_DATABASE_URL === undefined && 'TEST_DATABASE_URL is not set';

test('serves a metrics page from a separate worker, which ends on SIGTERM', { skip }, async () => {
  await using fixture = await openTestDatabase('postgres', { migrations: MIGRATIONS, queue: true });
  const worker = spawnAlmanac('src/cli/almanac.ts', ['worker'], {
    DATABASE_URL: fixture.location.url ?? '',
    DATABASE_DIRECT_URL: fixture.location.directUrl ?? '',
    ALMANAC_METRICS: '127.0.0.1:0',
  });
  while (!worker.stderr().includes('worker ready')) await sleep(20);
  const page = /metrics are served at (http:\/\/\S+\/metrics)/.exec(worker.stderr())?.[1] ?? '';
  const { value } = readMetricsPage(await (await fetch(page)).text());
  assert.equal(value('almanac_queue_jobs_waiting', { queue: 'forecasts' }), 0);
  worker.child.kill('SIGTERM');
  const { code, signal } = await worker.ended;
  assert.deepEqual([code, signal], [0, null]);
});
