import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createQueryRunner, type QueryRunnerOptions } from './query-runner.ts';

const folder = mkdtempSync(join(tmpdir(), 'almanac-child-lifetime-'));
const tempFolder = join(folder, 'temp');
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs until it is interrupted, with all threads of DuckDB. */
const ENDLESS = 'SELECT 1 AS t, count(*) AS v FROM range(10000000) a, range(10000000) b';
const TRIVIAL = 'SELECT 1 AS t, 2.5 AS v';
const query = (sql: string) => ({ sql, parameters: [], files: [], threads: 2 }) as const;

/** A service that runs a short query and, if its argument is given, an endless one. */
const service = join(folder, 'service.mjs');
writeFileSync(
  service,
  `import { createQueryRunner } from ${JSON.stringify(new URL('./query-runner.ts', import.meta.url).href)};
  const runner = createQueryRunner({ tempFolder: ${JSON.stringify(tempFolder)}, log: console });
  await runner.run(${JSON.stringify(query(TRIVIAL))});
  if (process.argv[2] === 'endless') runner.run(${JSON.stringify(query(ENDLESS))});
  console.log('ready');`,
);

function startService(...args: string[]) {
  const flags = ['--disable-warning=ExperimentalWarning'];
  return spawn(process.execPath, [...flags, service, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Returns the fields of the status of a process from its state on; none if it has ended. */
function readStatus(pid: number | string): string[] {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) ? (readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? []) : [];
}

function findChild(parent: number | undefined): number {
  const found = readdirSync('/proc').find((name) => /^\d+$/.test(name) && readStatus(name)[1] === String(parent));
  assert.ok(found !== undefined, 'the child runs');
  return Number(found);
}

const hasEnded = (pid: number) => ['Z', undefined].includes(readStatus(pid)[0]);
const cpuTime = (pid: number) => Number(readStatus(pid)[11]);

async function waitUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) await sleep(5);
}

test('an idle child does not keep its service alive, and ends with it', async () => {
  const parent = startService();
  await once(parent.stdout, 'data');
  const [code] = await once(parent, 'exit');
  assert.equal(code, 0);
  await waitUntil(() => readdirSync(tempFolder).length === 0);
});

test('a child whose service is killed ends during its query', async () => {
  const parent = startService('endless');
  await once(parent.stdout, 'data');
  const child = findChild(parent.pid);
  const before = cpuTime(child);
  await waitUntil(() => cpuTime(child) > before + 5);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await waitUntil(() => hasEnded(child));
  assert.deepEqual(readdirSync(tempFolder), []);
});

test('a running query is interrupted by its signal, and the child stays; closing interrupts it and ends the child', async () => {
  const log = { warn: (...details: unknown[]) => assert.fail(JSON.stringify(details)) };
  const options = { tempFolder, log: log as unknown as QueryRunnerOptions['log'] };
  const runner = createQueryRunner({ ...options, graceMs: 60_000 });
  await runner.run(query(TRIVIAL));
  const child = findChild(process.pid);
  const controller = new AbortController();
  const running = runner.run(query(ENDLESS), controller.signal);
  const before = cpuTime(child);
  await waitUntil(() => cpuTime(child) > before + 5);
  controller.abort(new Error('canceled'));
  await assert.rejects(running, /canceled/);
  assert.deepEqual((await runner.run(query(TRIVIAL))).values, Float64Array.of(2.5));
  assert.equal(findChild(process.pid), child);
  const [last] = await Promise.allSettled([runner.run(query(ENDLESS)), runner.close()]);
  assert.equal(last.status === 'rejected' && last.reason.code, 'UNAVAILABLE');
  assert.ok(hasEnded(child));
  assert.deepEqual(readdirSync(tempFolder), []);
});
