// Compares a search over generated entries with a scan of all entries by String.includes, and measures how long the
// refresh of a listing with the same number of entries holds the event loop:
//
//   npm run -s bench:search -- [--entries N] [--queries N]

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { createSeriesIndex } from '../../src/datasets/search/series-index.ts';
import { createRandom } from '../../src/engine/numerics/random.ts';
import type { ListedSeries } from '../../src/snapshots/index.ts';
import { formatTable } from '../format-table.ts';
import { benchDirectory } from './directory.ts';
import { generateEntries } from './entries.ts';
import { cpuMs, liveMegabytes, summarize } from './measure.ts';
import { generateQueries } from './queries.ts';
import { scanEntries } from './scan.ts';

const { values: options } = parseArgs({
  options: { entries: { type: 'string', default: '150000' }, queries: { type: 'string', default: '500' } },
});
const random = createRandom(1);
// Copied through JSON, as a source would read them. Concatenated strings would be flattened later, which would hide the
// memory of the index.
const entries: ListedSeries[] = JSON.parse(JSON.stringify(generateEntries(random, Number(options.entries))));
const classes = generateQueries(random, entries, Number(options.queries));

const index = createSeriesIndex();
const megabytesBefore = liveMegabytes();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const [wallStart, cpuStart] = [performance.now(), process.cpuUsage()];
await index.replaceAll(entries);
const [wall, cpu] = [performance.now() - wallStart, process.cpuUsage(cpuStart)];
delay.disable();
const megabytes = liveMegabytes() - megabytesBefore;

const scan = scanEntries(entries);
// Warms up, because a running service is warm.
for (const request of classes.flatMap(({ requests }) => requests)) index.search(request);
const measured = classes.map(({ name, requests }) => ({
  name,
  ours: requests.map((request) => cpuMs(() => index.search(request))),
  scans: requests.map((request) => cpuMs(() => scan(request))),
}));
measured.push({
  name: 'all',
  ours: measured.flatMap(({ ours }) => ours),
  scans: measured.flatMap(({ scans }) => scans),
});
const rows = measured.map(({ name, ours, scans }) => {
  const { median, p95, max } = summarize(ours);
  const peer = summarize(scans).median;
  return [name, ...[median, p95, max, peer].map((ms) => ms.toFixed(2)), (peer / median).toFixed(1)];
});

console.log(`${entries.length} entries, ${measured.at(-1)?.ours.length} searches; CPU ms a search\n`);
console.log(formatTable([['class', 'median', 'p95', 'max', 'scan, median', 'scan / search'], ...rows]));
console.log(
  `\nbuild    ${wall.toFixed(0)} ms, ${((cpu.user + cpu.system) / 1000).toFixed(0)} ms of CPU, ` +
    `event loop at most ${(delay.max / 1e6).toFixed(0)} ms late`,
);
console.log(`memory   ${megabytes.toFixed(0)} MB besides the entries`);

const holds = await benchDirectory(random, Number(options.entries));
const held = [...holds].map(([name, { cpuMs, wallMs, totalMs }]) => [
  name,
  ...[cpuMs, wallMs, totalMs].map((ms) => ms.toFixed(0)),
]);
console.log(`\n${entries.length} instruments in the directory; longest turn of the event loop\n`);
console.log(formatTable([['step', 'CPU ms', 'wall ms', 'whole step, ms'], ...held]));
