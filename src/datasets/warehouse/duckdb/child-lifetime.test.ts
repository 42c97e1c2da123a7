import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChildren, hasEnded, readCpuTime } from '../../../../test/support/platform/child-processes.ts';
import { createQueryRunner, type QueryRunnerOptions } from './query-runner.ts';

const folder = mkdtempSync(join(tmpdir(), 'almanac-child-lifetime-'));
const tempFolder = join(folder, 'temp');
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs until it is interrupted, with all threads of DuckDB. */
const ENDLESS = 'SELECT 1 AS t, count(*) AS v FROM range(10000000) a, range(10000000) b';
const TRIVIAL = 'SELECT 1 AS t, 2.5 AS v';
const query = (sql: string) => ({ sql, parameters: [], files: [], threads: 2 }) as const;

/**
 * A service that runs a short query in each of two children. When nothing keeps it alive, it begins an endless query in
 * one of them.
 */
const service = join(folder, 'service.mjs');
writeFileSync(
  service,
  `import { createQueryRunner } from ${JSON.stringify(new URL('./query-runner.ts', import.meta.url).href)};
  const runners = [1, 2].map(() => createQueryRunner({ tempFolder: ${JSON.stringify(tempFolder)}, log: console }));
  process.once('beforeExit', () => {
    runners[0].run(${JSON.stringify(query(ENDLESS))});
    console.log('nothing keeps it alive');
  });
  await Promise.all(runners.map((runner) => runner.run(${JSON.stringify(query(TRIVIAL))})));`,
);

async function waitUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) await sleep(5);
}

test('idle children do not keep their service alive; idle and busy ones end if it is killed', async (context) => {
  const flags = ['--disable-warning=ExperimentalWarning'];
  const parent = spawn(process.execPath, [...flags, service], { stdio: ['ignore', 'pipe', 'inherit'] });
  context.after(() => parent.kill('SIGKILL'));
  await once(parent.stdout, 'data');
  const children = findChildren(parent.pid);
  assert.equal(children.length, 2);
  const before = readCpuTime(children);
  await waitUntil(() => readCpuTime(children) > before + 5);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await waitUntil(() => children.every(hasEnded));
  assert.deepEqual(readdirSync(tempFolder), []);
});

test('a running query is interrupted by its signal, and the child stays; closing interrupts it and ends the child', async () => {
  const log = { warn: (...details: unknown[]) => assert.fail(JSON.stringify(details)) };
  const options = { tempFolder, log: log as unknown as QueryRunnerOptions['log'] };
  const runner = createQueryRunner({ ...options, graceMs: 60_000 });
  const earlier = findChildren(process.pid);
  await runner.run(query(TRIVIAL));
  const [child = 0, ...others] = findChildren(process.pid).filter((pid) => !earlier.includes(pid));
  assert.deepEqual(others, []);
  const controller = new AbortController();
  const running = runner.run(query(ENDLESS), controller.signal);
  const before = readCpuTime([child]);
  await waitUntil(() => readCpuTime([child]) > before + 5);
  controller.abort(new Error('canceled'));
  await assert.rejects(running, /canceled/);
  assert.deepEqual((await runner.run(query(TRIVIAL))).values, Float64Array.of(2.5));
  assert.ok(!hasEnded(child));
  const [last] = await Promise.allSettled([runner.run(query(ENDLESS)), runner.close()]);
  assert.equal(last.status === 'rejected' && last.reason.code, 'UNAVAILABLE');
  assert.ok(hasEnded(child));
  assert.deepEqual(readdirSync(tempFolder), []);
});
