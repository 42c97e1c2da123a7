// Measures Toto on one thread, with a checkpoint or with random weights in the shape of the smallest published model:
// loading, one forecast, and the six windows of an ensemble (five folds and the forecast itself).
//
//   npm run -s bench:toto -- [--rows N] [--horizon N] [--runs N] [--checkpoint FOLDER]

import { readFileSync } from 'node:fs';
import { arch, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startOnnxSession } from '../../src/compute/toto/onnx-session.ts';
import { planWindows } from '../../src/engine/ensemble/windows.ts';
import type { FitWindow, Series } from '../../src/engine/index.ts';
import { readCheckpoint } from '../../src/engine/models/toto/checkpoint/read-checkpoint.ts';
import { startToto, type Toto } from '../../src/engine/models/toto/toto.ts';
import { createRandom } from '../../src/engine/numerics/random.ts';
import { CONFIG_4M, randomCheckpoint } from '../../test/support/engine/random-checkpoint.ts';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '512' },
    horizon: { type: 'string', default: '30' },
    runs: { type: 'string', default: '30' },
    checkpoint: { type: 'string' },
  },
});
const rows = Number(options.rows);
const horizon = Number(options.horizon);
const runs = Number(options.runs);
const WARM_UP = 10;

const files = options.checkpoint === undefined ? randomCheckpoint(CONFIG_4M, 1) : readFiles(options.checkpoint);
const loads: number[] = [];
let toto: Toto | undefined;
for (let i = 0; i < 3; i++) {
  const start = performance.now();
  toto = await startToto(readCheckpoint(files), startOnnxSession);
  loads.push(performance.now() - start);
}

const random = createRandom(1);
let walk = 100;
const values = Float64Array.from({ length: rows }, (_, i) => {
  walk += random.uniform() - 0.48;
  return walk + 3 * Math.sin((2 * Math.PI * i) / 7);
});
const series: Series = {
  values,
  times: Float64Array.from(values, (_, i) => Date.UTC(2000, 0, 1 + i)),
  cadence: { frequency: '1D', kind: 'plain' },
  season: 7,
};
const final = { length: rows, horizon };
const folds = planWindows(rows, horizon, 1).folds.map((length) => ({ length, horizon }));

const one = await measure([final]);
const spread = await measure([...folds, final]);
const full = await measure([...folds.map(() => final), final]);
const [cold, ...warm] = loads;
console.log(
  `${cpus()[0]?.model.trim() || 'unnamed CPU'}, ${arch()}, Node ${process.version}, 1 thread, medians of ${runs}`,
);
console.log(`load ms         ${cold?.toFixed(0)} the first time, then ${warm.map((ms) => ms.toFixed(0)).join(', ')}`);
report(`one forecast    `, one, `${rows} rows, ${horizon} steps`);
report(
  `with ${folds.length} folds    `,
  spread,
  `${ratio(spread)}x one; rows ${folds.map(({ length }) => length).join(', ')}`,
);
report(`${folds.length + 1} full lengths  `, full, `${ratio(full)}x one`);

function readFiles(folder: string): { config: Uint8Array; weights: Uint8Array } {
  return {
    config: readFileSync(join(folder, 'config.json')),
    weights: readFileSync(join(folder, 'model.safetensors')),
  };
}

async function measure(windows: readonly FitWindow[]): Promise<number[]> {
  const walls: number[] = [];
  for (let i = -WARM_UP; i < runs; i++) {
    const start = performance.now();
    await toto?.forecastWindows({ series, windows, quantiles: [0.1, 0.25, 0.5, 0.75, 0.9] });
    if (i >= 0) walls.push(performance.now() - start);
  }
  return walls.sort((a, b) => a - b);
}

function median(walls: readonly number[]): number {
  return walls[walls.length >> 1] as number;
}

function ratio(walls: readonly number[]): string {
  return (median(walls) / median(one)).toFixed(2);
}

function report(label: string, walls: readonly number[], remark: string): void {
  const [least, most] = [walls[0] as number, walls.at(-1) as number];
  console.log(`${label}ms ${median(walls).toFixed(1)}, ${least.toFixed(1)} to ${most.toFixed(1)} (${remark})`);
}
