// Measures the cost of one forecast on a warm engine with two fit threads: 500 daily rows, 30 steps, five folds and
// four models.
//
//   npm run -s bench:engine -- [--rows N] [--horizon N] [--runs N]

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { startEngine } from '../../src/compute/index.ts';
import { createRandom } from '../../src/engine/numerics/random.ts';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '500' },
    horizon: { type: 'string', default: '30' },
    runs: { type: 'string', default: '10' },
  },
});
const random = createRandom(1);
let walk = 100;
const values = Array.from({ length: Number(options.rows) }, (_, i) => {
  walk += random.uniform() - 0.48;
  return walk + 3 * Math.sin((2 * Math.PI * i) / 7);
});
const request = {
  cadence: { frequency: '1D', kind: 'plain' },
  timestamps: values.map((_, i) => Date.UTC(2000, 0, 1 + i)),
  values,
  horizon: Number(options.horizon),
} as const;

const engine = await startEngine({ threads: 2 });
// During the first runs, the threads load and compile their code.
for (let i = 0; i < 3; i++) await engine.forecast(request);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const cpu = process.cpuUsage();
const walls: number[] = [];
for (let i = 0; i < Number(options.runs); i++) {
  const start = performance.now();
  await engine.forecast(request);
  walls.push(performance.now() - start);
}
const { user, system } = process.cpuUsage(cpu);
delay.disable();
const cancels: number[] = [];
for (const after of [5, 50, 150]) {
  const controller = new AbortController();
  const running = engine.forecast(request, { signal: controller.signal }).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, after));
  const start = performance.now();
  controller.abort();
  await running;
  cancels.push(performance.now() - start);
}
walls.sort((a, b) => a - b);
console.log(`${values.length} rows, ${request.horizon} steps, models ${engine.models.slice(0, 4).join(', ')}`);
console.log(`wall ms     median ${walls[walls.length >> 1]?.toFixed(0)}, slowest ${walls.at(-1)?.toFixed(0)}`);
console.log(`CPU ms      ${((user + system) / 1000 / walls.length).toFixed(0)} a forecast`);
console.log(`memory MB   ${(process.memoryUsage().rss / 1e6).toFixed(0)} for the whole process`);
console.log(`event loop  delayed by at most ${(delay.max / 1e6).toFixed(1)} ms in the caller's thread`);
console.log(`canceled    within ${Math.max(...cancels).toFixed(1)} ms`);
await engine.close();
