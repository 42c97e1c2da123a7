// Measures first and later starts on the embedded database, step by step, and how fast a second Ctrl-C stops a service
// that runs a forecast.
//
//   npm run -s bench:start [-- --starts 5]

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Service, startService, temporaryFolder } from '../../test/support/cli/service.ts';
import { until } from '../../test/support/cli/stop-in-flight.ts';
import { startLongForecast } from '../../test/support/forecasts/long-forecast.ts';
import { median } from '../api/statistics.ts';
import { formatTable } from '../format-table.ts';

const MAX_FIRST_MS = 5_000;
const MAX_LATER_MS = 2_000;
const MAX_STOP_MS = 1_000;

const { values } = parseArgs({ options: { starts: { type: 'string', default: '5' } } });
const count = Number(values.starts);

/** The milliseconds of one start: those of each step, and the total. */
type Start = ReadonlyMap<string, number>;

const launcherMs = median(Array.from({ length: count }, measureLauncher));
const [first, later, secondStops]: [Start[], Start[], number[]] = [[], [], []];
for (let run = 0; run < count; run += 1) {
  const folder = temporaryFolder();
  try {
    const data = join(folder, 'data');
    first.push(await measureStart(data, (service) => service.stop()));
    later.push(await measureStart(data, async (service) => secondStops.push(await measureSecondStop(service))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const steps = [...(first[0]?.keys() ?? [])];
const medians = (starts: readonly Start[]) => steps.map((step) => median(starts.map((start) => start.get(step) ?? 0)));
const [firstMs, laterMs] = [medians(first), medians(later)];
console.log(`Milliseconds of a start, medians of ${count}
${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}
`);
const rows = steps.map((step, i) => [step, ...[firstMs[i], laterMs[i]].map((ms) => (ms ?? 0).toFixed(0))]);
console.log(formatTable([['', 'first', 'later'], ['launching', ...[1, 2].map(() => launcherMs.toFixed(0))], ...rows]));
const stopMs = median(secondStops);
console.log(`\nfrom a second Ctrl-C, with a running forecast, to the end of the process: ${stopMs.toFixed(0)} ms`);

const measured = [
  ['a first start', launcherMs + (firstMs.at(-1) ?? 0), MAX_FIRST_MS],
  ['a later start', launcherMs + (laterMs.at(-1) ?? 0), MAX_LATER_MS],
  ['a second Ctrl-C', stopMs, MAX_STOP_MS],
] as const;
for (const [name, ms, limit] of measured) {
  if (ms > limit) console.log(`OVER THE LIMIT: ${name} takes ${ms.toFixed(0)} ms of ${limit}`);
}
process.exitCode = measured.some(([, ms, limit]) => ms > limit) ? 1 : 0;

function measureLauncher(): number {
  const began = performance.now();
  spawnSync('node', ['scripts/launch.mjs', '--eval', '0'], { stdio: 'ignore' });
  return performance.now() - began;
}

async function measureStart(data: string, stop: (service: Service) => Promise<unknown>): Promise<Start> {
  const began = performance.now();
  await using service = await startService({
    data,
    environment: { ALMANAC_LOG_LEVEL: 'debug', ALMANAC_SHUTDOWN_SECONDS: '60' },
  });
  const readyMs = performance.now() - began;
  await stop(service);
  const lines = service.stderr().matchAll(/"ms":(\d+),"msg":"(.*) took /g);
  return new Map([...lines].map(([, ms, step]) => [step ?? '', Number(ms)] as const)).set('until it is ready', readyMs);
}

async function measureSecondStop(service: Service): Promise<number> {
  await startLongForecast(service.url, service.key);
  service.signal('SIGINT');
  await until(() => service.stderr().includes('stop again'));
  const began = performance.now();
  service.signal('SIGINT');
  await service.ended;
  return performance.now() - began;
}
