// Measures the cost of one forecast on a warm engine: CPU time of both processes, wall time, memory, the delay of the
// caller's event loop and the time until a cancellation takes effect.
//
//   npm run -s bench:engine -- [--cases hourly-900,daily-7000,daily-500] [--runs 20] [--threads 2] [--models a,b]
//     [--mode full|fast] [--data FOLDER]
//
// Toto uses the checkpoint in the data folder or, if there is none, the bundled one.

import { availableParallelism, cpus } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { checkpointFolders, defaultCheckpoint, type Engine, startEngine } from '../../src/compute/index.ts';
import type { ForecastRequest } from '../../src/engine/index.ts';
import { drawNormal } from '../../src/engine/numerics/distributions.ts';
import { createRandom } from '../../src/engine/numerics/random.ts';
import { findChildren, readResidentBytes } from '../../test/support/platform/child-processes.ts';
import { meterCpu } from '../cpu-time.ts';
import { formatTable } from '../format-table.ts';

const HOUR_MS = 3_600_000;

interface Case {
  readonly frequency: '1h' | '1D';
  readonly rows: number;
  readonly horizon: number;
  /** The lengths of the seasons, in periods. */
  readonly seasons: readonly number[];
}

const CASES: Readonly<Record<string, Case>> = {
  'hourly-900': { frequency: '1h', rows: 900, horizon: 48, seasons: [24, 168] },
  'daily-7000': { frequency: '1D', rows: 7000, horizon: 30, seasons: [7, 365.25] },
  'daily-500': { frequency: '1D', rows: 500, horizon: 30, seasons: [7] },
};

/** During the first runs, the threads load and compile their code. */
const WARM_UP = 3;
/** When a forecast is canceled, in milliseconds after its start. */
const CANCEL_AFTER_MS = [5, 50, 150];

const { values: options } = parseArgs({
  options: {
    cases: { type: 'string', default: Object.keys(CASES).join() },
    runs: { type: 'string', default: '20' },
    threads: { type: 'string', default: '2' },
    models: { type: 'string' },
    mode: { type: 'string', default: 'full' },
    data: { type: 'string', default: './data' },
  },
});
const runs = Number(options.runs);
const threads = Number(options.threads);
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs is a whole number, 1 or more.');
const chosen = options.cases.split(',').map((name) => {
  const one = CASES[name];
  if (one === undefined) throw new Error(`There is no case '${name}'. Choose from ${Object.keys(CASES).join(', ')}.`);
  return [name, one] as const;
});

const readCpuMs = meterCpu();
const folders = checkpointFolders(options.data);
const engine = await startEngine({ threads, checkpoints: folders });
const toto = (await defaultCheckpoint(folders, 'toto')) ?? undefined;
const model = cpus()[0]?.model ?? 'unknown processor';
console.log(`${model}, ${availableParallelism()} cores, ${process.arch}, Node ${process.versions.node}`);
console.log(
  `${threads} fit threads, models ${options.models ?? `of the ${options.mode} mode`}, medians of ${runs} warm runs\n`,
);
const rows = [['case', 'steps', 'CPU ms', 'least', 'most', 'wall ms', 'most', 'event loop ms', 'canceled ms']];
for (const [name, one] of chosen) rows.push(await measure(name, requestOf(one), engine));
console.log(formatTable(rows));
const engines = findChildren(process.pid).map((pid) => readResidentBytes(pid));
const bytes = [process.memoryUsage().rss, ...engines];
console.log(
  `\nmemory of the caller and of the engine: ${bytes.map((one) => `${(one / 1e6).toFixed(0)} MB`).join(', ')}`,
);
await engine.close();

function requestOf({ frequency, rows: count, horizon, seasons }: Case): ForecastRequest {
  const random = createRandom(1);
  let level = 100;
  const step = frequency === '1h' ? HOUR_MS : 24 * HOUR_MS;
  return {
    cadence: { frequency, kind: 'plain' },
    timestamps: Array.from({ length: count }, (_, t) => Date.UTC(2005, 0, 1) + t * step),
    values: Array.from({ length: count }, (_, t) => {
      level += 0.3 * drawNormal(random);
      return seasons.reduce((sum, season, i) => sum + (10 / (i + 1)) * Math.sin((2 * Math.PI * t) / season), level);
    }),
    horizon,
    mode: options.mode === 'fast' ? 'fast' : 'full',
    ...(options.models === undefined ? {} : { models: options.models.split(',') }),
  };
}

async function measure(name: string, request: ForecastRequest, one: Engine): Promise<string[]> {
  const checkpoints = toto === undefined ? {} : { toto: toto.id };
  for (let i = 0; i < WARM_UP; i++) await one.forecast(request, { checkpoints });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpuMs: number[] = [];
  const wallMs: number[] = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    // Of both processes, so that it includes the threads of fits, of Prophet's searches and of the network.
    const before = readCpuMs();
    await one.forecast(request, { checkpoints });
    const after = readCpuMs();
    wallMs.push(performance.now() - start);
    cpuMs.push(after - before);
  }
  delay.disable();
  const cancels: number[] = [];
  for (const after of CANCEL_AFTER_MS) {
    const controller = new AbortController();
    const running = one.forecast(request, { signal: controller.signal, checkpoints }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, after));
    const start = performance.now();
    controller.abort();
    await running;
    cancels.push(performance.now() - start);
  }
  return [
    name,
    String(request.horizon),
    ...[median(cpuMs), Math.min(...cpuMs), Math.max(...cpuMs), median(wallMs), Math.max(...wallMs)].map((ms) =>
      ms.toFixed(0),
    ),
    (delay.max / 1e6).toFixed(1),
    Math.max(...cancels).toFixed(1),
  ];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] as number) + (sorted[sorted.length >> 1] as number)) / 2;
}
