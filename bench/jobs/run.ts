// Measures the cost of the queue: how long a forecast waits before it starts, how many jobs per second workers
// complete, how much more CPU time a job takes than a direct call of the engine, and how long API requests take while
// forecasts run.
//
//   npm run -s bench:jobs [-- --short] [--only pglite|postgres|workers]
//
// Runs on the embedded database, and also on PostgreSQL if TEST_DATABASE_URL names a server. With --short, each
// measurement is shorter. Run it on an idle machine: on a busy one the wall times mean little, and the CPU times are
// somewhat higher.

import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureLatency } from './latency.ts';
import { measureOverhead } from './overhead.ts';
import { measureRate } from './rate.ts';
import { measureWaits } from './waits.ts';

const MAX_WAIT_MS = 100;
const MAX_OVERHEAD_MS = 20;
const MAX_OVERHEAD_SHARE = 0.05;
/** More worker processes than cores must not cost throughput. */
const MIN_WORKERS_RATIO = 0.95;

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false }, only: { type: 'string' } } });
const waits = values.short ? 10 : 30;
const rateJobs = values.short ? 40 : 200;
const overhead = values.short ? { rounds: 2, jobs: 10 } : { rounds: 5, jobs: 30 };
const busy = values.short ? 5 : 20;

console.log(
  `${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)} before the start`,
);
const both = process.env.TEST_DATABASE_URL ? (['pglite', 'postgres'] as const) : (['pglite'] as const);
const kinds = both.filter((kind) => values.only === undefined || values.only === kind);
if (both.length === 1) console.log('TEST_DATABASE_URL is not set: PostgreSQL is skipped.');

let isOver = false;

/** Prints a figure, and a note if it exceeds its limit. */
function row(label: string, figure: string, keeps?: boolean): void {
  isOver ||= keeps === false;
  console.log(`${label.padEnd(42)} ${figure}${keeps === false ? '  OVER THE LIMIT' : ''}`);
}

for (const kind of kinds) {
  console.log(`\n${kind}`);
  const wait = await measureWaits(kind, waits);
  row(
    `create to start, median of ${waits}`,
    `${wait.fromCreateMs.toFixed(0)} ms (from the 202: ${wait.fromAnswerMs.toFixed(0)} ms; longest ${wait.longestMs.toFixed(0)} ms; limit ${MAX_WAIT_MS} ms)`,
    wait.fromCreateMs < MAX_WAIT_MS,
  );
  const cost = await measureOverhead(kind, overhead);
  const limitMs = MAX_OVERHEAD_MS + MAX_OVERHEAD_SHARE * cost.directMs;
  row(
    'CPU beyond a direct engine call, per job',
    `${(cost.queuedMs - cost.directMs).toFixed(1)} ms (${cost.queuedMs.toFixed(1)} against ${cost.directMs.toFixed(1)} ms; limit ${limitMs.toFixed(1)} ms${kind === 'pglite' ? '; includes the database, which runs in the process' : ''})`,
    cost.queuedMs - cost.directMs <= limitMs,
  );
  const { idle, during, seconds } = await measureLatency(kind, busy);
  row('API p50, p99 while the service is idle', `${idle.p50.toFixed(1)}, ${idle.p99.toFixed(1)} ms`);
  row(
    `API p50, p99 while ${busy} forecasts run`,
    `${during.p50.toFixed(1)}, ${during.p99.toFixed(1)} ms over ${seconds.toFixed(1)} s`,
  );
  row(
    'event-loop delay p50, p99, max meanwhile',
    `${during.delay.p50.toFixed(1)}, ${during.delay.p99.toFixed(1)}, ${during.delay.max.toFixed(1)} ms (idle p99 ${idle.delay.p99.toFixed(1)} ms)`,
  );
}
if (both.length === 2 && (values.only ?? 'workers') === 'workers') {
  console.log('\nworker processes on PostgreSQL');
  let alone = 0;
  for (const workers of [1, 2, 4]) {
    const { perSecond } = await measureRate(workers, rateJobs);
    if (workers === 1) alone = perSecond;
    const ratio = perSecond / alone;
    row(
      workers === 1 ? '1 worker' : `${workers} workers`,
      `${perSecond.toFixed(1)} jobs per second (${ratio.toFixed(2)}x, at least ${MIN_WORKERS_RATIO}x)`,
      ratio >= MIN_WORKERS_RATIO,
    );
  }
}
process.exitCode = isOver ? 1 : 0;
