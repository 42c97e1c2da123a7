// Measures what the service carries, from small reads to forecasts, and where it bends first. The service has one core;
// PostgreSQL and this process have another one.
//
//   npm run -s bench:load [-- --short] [--only requests,reads,mixed,workers,sleepers,queue]
//
// Needs TEST_DATABASE_URL and taskset, and is meaningful only on an idle machine with at least two cores.

import { availableParallelism, cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatTable } from '../format-table.ts';
import { smallRequest } from '../jobs/small-request.ts';
import { formatStatuses, type Requests, sendAll, sendAtRate } from './drivers.ts';
import { measureMixedLoad } from './mixed-load.ts';
import { openPinnedScene, type PinnedScene } from './pinned-scene.ts';
import { call, createWorkspace, get, history, post, search, uploads } from './requests.ts';
import { readRowSizes } from './row-sizes.ts';
import type { ServerCost } from './server-cost.ts';
import { measurePinnedWorkers, measureSleepers } from './workers.ts';

const MIN_READS_PER_SECOND = 1_200;
const MAX_READ_P99_MS = 25;
const MIN_TWO_WORKERS = 1.8;
const MIN_LINEAR = 0.9;
const SLEEP_MS = 200;
const CONNECTIONS = 16;
/** Fewer than the slots of an enterprise account. */
const FORECASTS = 30;

const PARTS = ['requests', 'reads', 'mixed', 'workers', 'sleepers', 'queue'];
const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, only: { type: 'string', default: PARTS.join() } },
});
const parts = values.only.split(',');
const unknown = parts.find((part) => !PARTS.includes(part));
if (unknown !== undefined) throw new Error(`There is no part '${unknown}'. Choose from ${PARTS.join(', ')}.`);
if (process.env.TEST_DATABASE_URL === undefined) throw new Error('TEST_DATABASE_URL must name a PostgreSQL server.');
const share = values.short ? 0.2 : 1;
let isMissed = false;

console.log(
  `${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}\n`,
);
if (parts.includes('requests') || parts.includes('reads')) {
  await using scene = await openPinnedScene();
  const access = get('/api/v1/me/access');
  // The first requests compile code.
  await sendAll(scene, access, 4_000, CONNECTIONS);
  if (parts.includes('reads')) await measureReads(scene, access);
  if (parts.includes('requests')) await measureRequests(scene, access);
}
if (parts.includes('mixed')) await measureMixedLoad(share);
if (parts.includes('workers')) await measureTwoWorkers();
if (parts.includes('sleepers')) await measureLinearity();
if (parts.includes('queue')) await measureQueue();
process.exitCode = isMissed ? 1 : 0;

/** Prints a figure, and a note if it misses its bar. */
function row(label: string, figure: string, keeps: boolean): void {
  isMissed ||= !keeps;
  console.log(`${label.padEnd(52)} ${figure}${keeps ? '' : '  MISSED'}`);
}

async function measureReads(scene: PinnedScene, access: Requests): Promise<void> {
  const most = await sendAll(scene, access, Math.round(20_000 * share), CONNECTIONS);
  row(
    'small authenticated reads a second',
    `${most.perSecond.toFixed(0)} (p50 ${ms(most.p50)}, p99 ${ms(most.p99)}; at least ${MIN_READS_PER_SECOND})`,
    most.perSecond >= MIN_READS_PER_SECOND,
  );
  const half = MIN_READS_PER_SECOND / 2;
  const steady = await sendAtRate(scene, access, { perSecond: half, seconds: 20 * share, connections: CONNECTIONS });
  row(
    `p99 at ${half} a second`,
    `${ms(steady.p99)} (p50 ${ms(steady.p50)}; below ${MAX_READ_P99_MS} ms)`,
    steady.p99 < MAX_READ_P99_MS,
  );
}

async function measureRequests(scene: PinnedScene, access: Requests): Promise<void> {
  const header = ['request', 'a second', 'p50 ms', 'p99 ms', 'CPU ms', 'of PostgreSQL', 'statements', 'statuses'];
  const rows = [header];
  const measure = async (name: string, requests: Requests, count: number, connections = CONNECTIONS) => {
    await sendAll(scene, requests, Math.ceil(count / 20), connections);
    const cpu = scene.readCpu();
    const statements = await scene.countStatements();
    const offset = Math.ceil(count / 20);
    const figures = await sendAll(scene, (i) => requests(i + offset), count, connections);
    const used = scene.readCpu();
    rows.push([
      name,
      ...[figures.perSecond, figures.p50, figures.p99].map((value) => value.toFixed(1)),
      ...[used.service - cpu.service, used.server - cpu.server].map((seconds) =>
        ((1_000 * seconds) / count).toFixed(2),
      ),
      (((await scene.countStatements()) - statements) / count).toFixed(1),
      formatStatuses(figures),
    ]);
  };
  const count = (requests: number): number => Math.round(requests * share);
  await measure('read the own access', access, count(10_000));
  await measure('search', search, count(2_000));
  await measure('daily history of an index, 500 rows', history, count(500));
  await measure(
    'estimate a forecast',
    (i) => post('/api/v1/ensemble-forecasts/estimate', smallRequest(i)),
    count(1_000),
  );
  const completed = await measureForecasts(scene);
  await measure('list forecasts', get('/api/v1/ensemble-forecasts'), count(2_000));
  await measure('read a completed forecast', get(`/api/v1/ensemble-forecasts/${completed}`), count(2_000));
  const workspace = await createWorkspace(scene);
  await measure('upload 2,000 rows of CSV (30 kB)', uploads(workspace), count(100), 4);
  console.log(`\n${formatTable(rows)}\n`);
  const sizes = await readRowSizes(scene.database, FORECASTS);
  console.log(
    `${formatTable([['table', 'rows', 'bytes a row'], ...sizes.map((size) => [size.table, String(size.rows), size.bytesPerRow.toFixed(0)])])}\n`,
  );
}

/** Creates forecasts and waits for them. Returns the id of one. */
async function measureForecasts(scene: PinnedScene): Promise<string> {
  const create = (i: number) => post('/api/v1/ensemble-forecasts', smallRequest(i));
  const began = performance.now();
  const figures = await sendAll(scene, create, FORECASTS, 4);
  for (;;) {
    const { status, data } = await call(scene, get('/api/v1/ensemble-forecasts?status=completed&limit=50')(0));
    const list = (data as { items?: { forecast_id: string }[]; forecasts?: { forecast_id: string }[] }) ?? {};
    const found = list.items ?? list.forecasts ?? [];
    if (status !== 200) throw new Error(`The list was answered ${status}.`);
    if (found.length >= FORECASTS) {
      const seconds = (performance.now() - began) / 1_000;
      console.log(
        `${FORECASTS} small forecasts of 4 callers: created with p50 ${ms(figures.p50)} and p99 ${ms(figures.p99)} while others run, ${(FORECASTS / seconds).toFixed(1)} completed a second, ${formatStatuses(figures)}`,
      );
      return found[0]?.forecast_id ?? '';
    }
    await sleep(50);
  }
}

async function measureTwoWorkers(): Promise<void> {
  const jobs = Math.round(240 * share);
  const one = await measurePinnedWorkers(1, jobs);
  const two = await measurePinnedWorkers(2, jobs);
  row(
    'two workers, each on a core, against one',
    `${(two / one).toFixed(2)}x (${one.toFixed(1)} and ${two.toFixed(1)} forecasts a second; at least ${MIN_TWO_WORKERS}x)`,
    two / one >= MIN_TWO_WORKERS,
  );
}

async function measureLinearity(): Promise<void> {
  let alone = 0;
  for (const workers of [1, 2, 4, 8]) {
    const { perSecond } = await measureSleepers(workers, Math.round((40 + 120 * share) * workers), SLEEP_MS);
    if (workers === 1) alone = perSecond;
    const ratio = perSecond / (workers * alone);
    row(
      `${workers} workers with an engine that sleeps ${SLEEP_MS} ms`,
      `${perSecond.toFixed(1)} forecasts a second, ${ratio.toFixed(2)} of linear (at least ${MIN_LINEAR})`,
      ratio >= MIN_LINEAR,
    );
  }
}

/** Measures the database alone: the engines of eight workers take a millisecond. */
async function measureQueue(): Promise<void> {
  const jobs = Math.round(1_200 * share);
  const { perSecond, creation, run } = await measureSleepers(8, jobs, 1);
  const formatCost = ({ cpuSeconds, logBytes }: ServerCost) =>
    `${((1_000 * cpuSeconds) / jobs).toFixed(2)} ms of CPU and ${(logBytes / jobs / 1_000).toFixed(0)} kB of log for each`;
  console.log(`\n8 workers with an engine that takes 1 ms: ${perSecond.toFixed(0)} forecasts a second`);
  console.log(`PostgreSQL, creating a forecast: ${formatCost(creation)}`);
  console.log(`PostgreSQL, running and completing it: ${formatCost(run)}`);
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
