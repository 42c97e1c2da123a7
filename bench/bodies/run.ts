// Measures what hostile bodies cost: how long the small reads of another caller take while one guest sends twelve bodies
// of 2 MB, three at a time, and how much CPU time the service spends on each.
//
//   npm run -s bench:bodies
//
// Starts the real service on the embedded database and sends real requests over loopback. Run it on an idle machine.

import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type HostileBody, hostileBodies, inlineBody } from '../../test/support/api/hostile-bodies.ts';
import { cpuSeconds } from '../api/process-cost.ts';
import { median, percentile } from '../api/statistics.ts';
import { formatTable } from '../format-table.ts';
import { type ServiceUnderTest, startServiceUnderTest, timeReads } from '../jobs/service-under-test.ts';
import type { Attack } from './attack-thread.ts';

const MAX_RATIO = 5;
const MAX_CPU_MS = 50;
const BODIES = 12;
const AT_A_TIME = 3;
const IDLE_MS = 5_000;
/** The rows of a valid request of 2 MB. */
const ROWS = 42_000;

console.log(
  `${process.platform} ${process.arch}, ${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)} before the start`,
);
await using tested = await startServiceUnderTest('pglite', { environment: { ALMANAC_RATE_GUEST: '100000' } });
const cookie = await openGuest(tested);
await spendCredits(tested, cookie);
const cases: HostileBody[] = [
  ...hostileBodies(),
  {
    name: `${ROWS} valid rows without credits`,
    path: '/v1/ensemble-forecasts',
    body: inlineBody(ROWS),
    statuses: [429],
  },
];
// The first large bodies start the threads that parse them, and the code is compiled.
for (const body of cases) await attack(tested, cookie, body, AT_A_TIME);
const idle = await watch(tested, () => sleep(IDLE_MS));
const rows = [['body', 'MB', 'status', 'CPU ms each', 'p50 ms', 'p99 ms', 'p99 / idle']];
rows.push(['none (idle)', '', '', '', idle.p50.toFixed(1), idle.p99.toFixed(1), '1.0']);
let isOver = false;
for (const body of cases) {
  const baseline = await idleCpu(tested);
  const began = performance.now();
  const before = cpuSeconds(tested.service.pid);
  let statuses: readonly number[] = [];
  const { p50, p99, reads } = await watch(tested, async () => {
    statuses = await attack(tested, cookie, body, BODIES);
  });
  const seconds = (performance.now() - began) / 1_000;
  // The reads of the other caller cost CPU time as well.
  const spent = cpuSeconds(tested.service.pid) - before - baseline.perRead * reads - baseline.perSecond * seconds;
  const cpuMs = Math.max(0, (1_000 * spent) / BODIES);
  const isWrong = statuses.some((status) => !body.statuses.includes(status));
  const ratio = p99 / idle.p99;
  // Valid rows must be parsed before it is known what they would cost.
  const isHostile = !body.statuses.includes(429);
  isOver ||= isWrong || (isHostile && (cpuMs > MAX_CPU_MS || ratio > MAX_RATIO));
  rows.push([
    body.name,
    (body.body.length / 1e6).toFixed(1),
    [...new Set(statuses)].join(' '),
    cpuMs.toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
    ratio.toFixed(1),
  ]);
}
console.log(formatTable(rows));
console.log(`Limits for hostile bodies: p99 below ${MAX_RATIO}x idle, at most ${MAX_CPU_MS} ms of CPU for each.`);
if (isOver) console.log('OVER THE LIMIT');
process.exitCode = isOver ? 1 : 0;

interface Figures {
  readonly p50: number;
  readonly p99: number;
  readonly reads: number;
}

/** Measures the small reads of another caller, one after the other, until `work` is done. */
async function watch(tested: ServiceUnderTest, work: () => Promise<void>): Promise<Figures> {
  const times = await timeReads(tested, work(), 2);
  const sorted = Float64Array.from(times).sort();
  return { p50: median(times), p99: percentile(sorted, 0.99), reads: times.length };
}

/** Measures the CPU seconds of one small read, and those that an idle service spends per second. */
async function idleCpu(tested: ServiceUnderTest): Promise<{ readonly perRead: number; readonly perSecond: number }> {
  const atRest = cpuSeconds(tested.service.pid);
  await sleep(500);
  const perSecond = (cpuSeconds(tested.service.pid) - atRest) / 0.5;
  const before = cpuSeconds(tested.service.pid);
  const { reads } = await watch(tested, () => sleep(500));
  return { perRead: Math.max(0, cpuSeconds(tested.service.pid) - before - perSecond / 2) / reads, perSecond };
}

/** Sends a body several times, three at a time. Returns the statuses of the responses. */
function attack(
  { service }: ServiceUnderTest,
  guest: string,
  { path, body, isAnonymous }: HostileBody,
  count: number,
): Promise<readonly number[]> {
  const data: Attack = {
    url: `${service.url}/api${path}`,
    headers: { 'content-type': 'application/json', ...(isAnonymous ? {} : { cookie: guest }) },
    body: Buffer.from(body),
    count,
    atATime: AT_A_TIME,
  };
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./attack-thread.ts', import.meta.url), { workerData: data });
    thread.once('message', resolve).once('error', reject);
  });
}

async function openGuest({ service }: ServiceUnderTest): Promise<string> {
  const response = await fetch(`${service.url}/api/v1/guest-sessions`, { method: 'POST' });
  await response.arrayBuffer();
  const [cookie] = response.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`The guest session was refused with ${response.status}.`);
  return cookie.split(';')[0] ?? '';
}

/** Uses all credits of the guest, so that a valid request is refused. Nothing runs while the bodies are measured. */
async function spendCredits({ service }: ServiceUnderTest, guest: string): Promise<void> {
  const headers = { 'content-type': 'application/json', cookie: guest };
  for (const rows of [40_000, 20_000, 5_000, 1_000, 200, 40, 12]) {
    for (;;) {
      const body = inlineBody(rows);
      const response = await fetch(`${service.url}/api/v1/ensemble-forecasts`, { method: 'POST', headers, body });
      const { data } = (await response.json()) as { data?: { forecast_id: string } };
      if (response.status === 429) break;
      if (data === undefined) throw new Error(`The forecast was refused with ${response.status}.`);
      for (let status = ''; status !== 'completed'; await sleep(20)) {
        const read = await fetch(`${service.url}/api/v1/ensemble-forecasts/${data.forecast_id}`, { headers });
        status = ((await read.json()) as { data: { status: string } }).data.status;
        if (status === 'failed') throw new Error('The forecast failed.');
      }
    }
  }
}
