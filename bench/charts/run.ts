// Measures a chart of 2,000 history rows and a fan: CPU time and bytes, for several widths, and a large chart; then the
// same as PNG.
//
//   npm run -s bench:charts [-- --rounds 200]

import { arch, availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { drawForecastChart } from '../../src/charts/index.ts';
import { MANY_LEVELS, sampleChart } from '../../test/support/charts/sample-charts.ts';
import { formatTable } from '../format-table.ts';

const MAX_CPU_MS = 15;
const MAX_BYTES = 60_000;
const LEVELS = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95];

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } });
const rounds = Number(options.rounds);

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const usual = sampleChart({ rows: 2_000, steps: 30, levels: LEVELS, outcome: 30 });
const year = sampleChart({ rows: 2_000, steps: 365, levels: MANY_LEVELS, outcome: 365 });
const long = sampleChart({ rows: 50_000, steps: 365, levels: MANY_LEVELS, outcome: 365 });

const model = cpus()[0]?.model.trim() ?? 'an unknown processor';
console.log(`${availableParallelism()} cores, ${model}, ${arch()}, Node ${process.version}, ${rounds} rounds\n`);

let isGood = true;
const first = cpuMs(() => drawForecastChart(usual));
const rows = [['chart', 'width', 'CPU (mean)', 'bytes']];
for (const [name, chart, isBar] of [
  ['2,000 rows, 30 steps, 7 quantiles', usual, true],
  ['2,000 rows, 365 steps, 21 quantiles', year, true],
  ['50,000 rows, 365 steps, 21 quantiles', long, false],
] as const) {
  for (const width of [360, 720, 1_200]) {
    const bytes = Buffer.byteLength(drawForecastChart(chart, { width }));
    const ms = cpuMs(() => {
      for (let i = 0; i < rounds; i++) drawForecastChart(chart, { width });
    });
    rows.push([name, String(width), `${(ms / rounds).toFixed(2)} ms`, String(bytes)]);
    if (isBar && (ms / rounds > MAX_CPU_MS || bytes > MAX_BYTES)) isGood = false;
  }
}
console.log(formatTable(rows));
console.log(`\nthe first drawing of the process: ${first.toFixed(1)} ms of CPU`);

// Imported here, because loading it would count as CPU of the first drawing.
const { renderPng } = await import('../../src/compute/index.ts');
const svg = drawForecastChart(usual, { width: 600, height: 315, colors: 'light' });
let png = await renderPng(svg);
const before = process.cpuUsage();
const pngRounds = Math.max(1, Math.round(rounds / 20));
for (let i = 0; i < pngRounds; i++) png = await renderPng(svg);
const { user, system } = process.cpuUsage(before);
console.log(
  `PNG of 1,200 x 630 pixels: ${((user + system) / 1000 / pngRounds).toFixed(0)} ms of CPU, ${png.length} bytes`,
);

console.log(`\n${isGood ? 'Within' : 'NOT within'} ${MAX_CPU_MS} ms and ${MAX_BYTES} bytes.`);
process.exitCode = isGood ? 0 : 1;
