// Measures what one greedy account costs another one of the same plan: how long small reads take alone and while the
// greedy account sends every expensive operation as fast as its limits allow, and how many forecasts of the greedy
// account start while a small forecast waits.
//
//   npm run -s bench:fairness [-- --seconds 20]
//
// Runs on the embedded database, and also on PostgreSQL if TEST_DATABASE_URL names a server. Both accounts have the
// limits of a default installation. Run it on an idle machine: on a busy one the times mean little.

import { availableParallelism, cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { countStarted, measureReads, type ReadTimes, runSmallForecast } from './bystander.ts';
import { beGreedy, prepareGreedy } from './greedy.ts';
import { type Kind, startFairnessService } from './service.ts';

/** How many times as long small reads may take. */
const MAX_SLOWDOWN = 2;
/** A small forecast may wait for one that was already running, so none of the greedy account may start before it. */
const MAX_STARTED_FIRST = 0;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '15' } } });
const seconds = Number(values.seconds);

console.log(
  `${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)} before the start`,
);
const kinds: readonly Kind[] = process.env.TEST_DATABASE_URL ? ['pglite', 'postgres'] : ['pglite'];
let isOver = false;

function formatReads({ median, p90, worst, count }: ReadTimes): string {
  return `median ${median.toFixed(1)} ms, p90 ${p90.toFixed(1)} ms, worst ${worst.toFixed(0)} ms (${count} reads)`;
}

/** Prints a figure, and a note if it exceeds its limit. */
function row(label: string, figure: string, keeps = true): void {
  isOver ||= !keeps;
  console.log(`${label.padEnd(34)} ${figure}${keeps ? '' : '  OVER THE LIMIT'}`);
}

function after(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() > end;
}

for (const kind of kinds) {
  console.log(`\n${kind}`);
  await using service = await startFairnessService(kind);
  const { greedy, bystander } = service;
  const assets = await prepareGreedy(greedy);
  // Starts the engine, and warms up the code that reads use.
  await runSmallForecast(bystander);
  await measureReads(bystander, after(2_000));
  const alone = await measureReads(bystander, after((1_000 * seconds) / 3));
  const greed = beGreedy(greedy, assets, after(1_000 * seconds));
  const readsMeanwhile = measureReads(bystander, after(1_000 * seconds));
  // By now the greedy account has filled its slots.
  await sleep((1_000 * seconds) / 3);
  const small = await runSmallForecast(bystander);
  const [meanwhile, counts] = [await readsMeanwhile, await greed];
  const startedFirst = await countStarted(greedy, small.sentAt, small.startedAt);
  const slowdown = meanwhile.median / alone.median;
  row('small reads alone', formatReads(alone));
  row('small reads meanwhile', formatReads(meanwhile));
  row('slowdown of the median', `${slowdown.toFixed(2)}x (limit ${MAX_SLOWDOWN}x)`, slowdown <= MAX_SLOWDOWN);
  row(
    'small forecast',
    `waited ${small.startedAt - small.sentAt} ms; ${startedFirst} forecasts of the greedy account started before it besides the running one (limit ${MAX_STARTED_FIRST})`,
    startedFirst <= MAX_STARTED_FIRST,
  );
  for (const [name, { done, refused }] of Object.entries(counts)) row(`  ${name}`, `${done} done, ${refused} refused`);
}
if (isOver) process.exitCode = 1;
