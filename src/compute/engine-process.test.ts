import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { installGolden } from '../../test/support/compute/golden-checkpoint.ts';
import { monthlyRequest } from '../../test/support/forecasts/forecast-request.ts';
import { findChildren, hasEnded } from '../../test/support/platform/child-processes.ts';
import { CHILD_FLAGS } from '../platform/index.ts';
import { checkpointFolders, type Engine, type EngineOptions, startEngine } from './index.ts';

const LONG = monthlyRequest(400, 30, { season: 10, models: ['prophet', 'arima', 'ets'] });

/** Starts an engine and finds its process. */
async function startWithProcess(
  options: EngineOptions = {},
): Promise<AsyncDisposable & { engine: Engine; pid: number }> {
  const earlier = findChildren(process.pid);
  const engine = await startEngine({ threads: 1, ...options });
  const [pid = 0, ...others] = findChildren(process.pid).filter((child) => !earlier.includes(child));
  assert.deepEqual(others, []);
  return { engine, pid, [Symbol.asyncDispose]: () => engine.close() };
}

test('a crash of the process rejects its forecasts with the signal, and the next engine starts', async () => {
  for (const signal of ['SIGSEGV', 'SIGKILL'] as const) {
    await using broken = await startWithProcess();
    const refused = assert.rejects(broken.engine.forecast(LONG), new RegExp(`The engine has ended: ${signal}`));
    process.kill(broken.pid, signal);
    await refused;
    assert.equal(broken.engine.isOpen(), false);
    await assert.rejects(broken.engine.forecast(LONG), new RegExp(signal));
  }
  await using next = await startWithProcess();
  assert.equal((await next.engine.forecast(monthlyRequest(20, 3))).predictions.length, 3);
});

test('signals for the whole group leave the process to the service, which ends it', async () => {
  const { engine, pid } = await startWithProcess();
  const running = engine.forecast(monthlyRequest(60, 3));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
  assert.equal((await running).predictions.length, 3);
  await engine.close();
  assert.ok(hasEnded(pid));
});

test('the process has no keys or passwords, and all of its threads yield to those of the service', async () => {
  process.env.ALMANAC_TEST_SECRET = 'secret-of-the-service';
  try {
    await using started = await startWithProcess({ threads: 2 });
    await Promise.all([started.engine.forecast(monthlyRequest(60, 3)), started.engine.forecast(monthlyRequest(60, 3))]);
    const folder = `/proc/${started.pid}`;
    assert.doesNotMatch(readFileSync(`${folder}/environ`, 'latin1'), /secret-of-the-service/);
    // Field 19 of the status, counted from the state as field 3.
    const niceness = readdirSync(`${folder}/task`).map((thread) =>
      Number(readFileSync(`${folder}/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16]),
    );
    assert.ok(niceness.length > 4);
    assert.deepEqual([...new Set(niceness)], [10]);
    assert.equal(readFileSync(`${folder}/oom_score_adj`, 'utf8').trim(), '500');
  } finally {
    delete process.env.ALMANAC_TEST_SECRET;
  }
});

test('a process that does not respond is ended', async () => {
  await using stuck = await startWithProcess({ stuckSeconds: 1 });
  const refused = assert.rejects(stuck.engine.forecast(LONG), /The engine has not responded for 1 s/);
  process.kill(stuck.pid, 'SIGSTOP');
  await refused;
  assert.equal(stuck.engine.isOpen(), false);
  while (!hasEnded(stuck.pid)) await sleep(5);
});

test('onnxruntime sends no reports: it opens no file of its own for them', async (context) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'almanac-engine-process-'));
  context.after(() => rmSync(dataFolder, { recursive: true, force: true }));
  const toto = installGolden(dataFolder);
  await using started = await startWithProcess({ checkpoints: checkpointFolders(dataFolder) });
  const request = monthlyRequest(60, 3, { models: ['toto'] });
  await started.engine.forecast(request, { checkpoints: { toto } });
  const folder = `/proc/${started.pid}/fd`;
  const files = readdirSync(folder).map((fd) => readlinkSync(join(folder, fd)));
  assert.deepEqual(
    files.filter((file) => /mat-debug|DeveloperTools|onnxruntime\.db/.test(file)),
    [],
  );
  assert.match(readFileSync(`/proc/${started.pid}/environ`, 'latin1'), /ORT_DISABLE_TELEMETRY=1/);
});

test('the process ends with a service that was killed', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-engine-process-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const service = join(folder, 'service.mjs');
  writeFileSync(
    service,
    `import { startEngine } from ${JSON.stringify(new URL('./engine.ts', import.meta.url).href)};
    const engine = await startEngine({ threads: 1 });
    void engine.forecast(${JSON.stringify(LONG)});
    console.log('started');`,
  );
  const parent = spawn(process.execPath, [...CHILD_FLAGS, service], { stdio: ['ignore', 'pipe', 'inherit'] });
  context.after(() => parent.kill('SIGKILL'));
  await once(parent.stdout, 'data');
  const children = findChildren(parent.pid);
  assert.equal(children.length, 1);
  parent.kill('SIGKILL');
  while (!children.every(hasEnded)) await sleep(5);
});
