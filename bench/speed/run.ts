// Compares the CPU time per series of our models (the median of five runs after three warm-ups) with that of R's
// forecast package on the same series:
//
//   npm run bench:speed -- [--sample N] [FILE…]      (without a file: generated monthly series)

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadProphetRuntime } from '../../src/compute/index.ts';
import { createModels, type ProphetRuntime } from '../../src/engine/index.ts';
import { QUANTILES } from '../accuracy/score.ts';
import { datesFor, parseSeriesFile } from '../accuracy/series-file.ts';
import { generatedLines, sampleLines } from './sample.ts';

const { values: options, positionals: files } = parseArgs({
  options: { sample: { type: 'string', default: '30' } },
  allowPositionals: true,
});
const count = Number(options.sample);
const all = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== ''),
);
const lines = files.length > 0 ? sampleLines(all, count, 1) : generatedLines(count);

const ours = measureOurs(loadProphetRuntime());
const theirs = measureR();
console.log(`CPU ms per series, ${lines.length} series\n`);
console.log(`${'model'.padEnd(16)}${'Almanac'.padStart(10)}${'R forecast'.padStart(12)}${'ratio'.padStart(8)}`);
for (const [model, ms] of ours) {
  const peer = theirs?.get(model);
  const beside = peer === undefined ? '' : peer.toFixed(1).padStart(12) + `${(peer / ms).toFixed(1)}x`.padStart(8);
  console.log(model.padEnd(16) + ms.toFixed(2).padStart(10) + beside);
}
if (theirs === null) console.log('\nR with its forecast package is not installed, so the column of the peer is empty.');

function measureOurs(runtime: ProphetRuntime): Map<string, number> {
  const series = parseSeriesFile(lines.join('\n'));
  const times = new Map<string, number>();
  for (const [id, model] of createModels({ prophet: runtime })) {
    const run = () => {
      for (const one of series) {
        const dates = datesFor(one.group, one.history.length);
        try {
          model.fit({ values: one.history, ...dates, season: one.season }, { seed: 1 })(one.horizon, QUANTILES);
        } catch (error) {
          console.error(`${id} has no forecast for ${one.id}: ${error}`);
        }
      }
    };
    // Warms up, because a running service is warm.
    for (let i = 0; i < 3; i++) run();
    const runs = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage();
      run();
      const used = process.cpuUsage(before);
      return (used.user + used.system) / 1000 / series.length;
    });
    times.set(id, runs.sort((a, b) => a - b)[2] as number);
  }
  return times;
}

/** Measures R's forecast package. Returns null if R or the package is not installed. */
function measureR(): Map<string, number> | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'almanac-speed-'));
  try {
    const file = path.join(folder, 'series.txt');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const script = path.join(import.meta.dirname, 'peer.R');
    const { status, stdout } = spawnSync('Rscript', [script, file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    if (status !== 0) return null;
    return new Map(
      stdout
        .trim()
        .split('\n')
        .map((line): [string, number] => [line.split(';')[0] ?? '', 1000 * Number(line.split(';')[1])]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
