// Checks that the engine still computes the stored results of eight requests, on this processor:
//
//   npm run -s golden [-- NAME…]           checks the named requests only
//   npm run -s golden -- --write           stores the results instead; commit them with a new ENGINE_VERSION

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadProphetRuntime } from '../../src/compute/prophet-runtime.ts';
import { startOnnxSession } from '../../src/compute/toto/onnx-session.ts';
import {
  canonicalResult,
  compareResults,
  createInlineRunner,
  createModels,
  type FitRunner,
  type ForecastResult,
  forecast,
  readCheckpoint,
  startToto,
} from '../../src/engine/index.ts';
import { GOLDEN_REQUESTS } from './requests.ts';

const { values: options, positionals: names } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const runner = await startRunner();
let failures = 0;
for (const [name, request] of Object.entries(GOLDEN_REQUESTS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const file = path.join(import.meta.dirname, 'results', `${name}.json`);
  const result = await forecast(request, { runner });
  if (options.write) {
    writeFileSync(file, `${canonicalResult(result)}\n`);
    continue;
  }
  const stored = JSON.parse(readFileSync(file, 'utf8')) as ForecastResult;
  const { outcome, largest_difference } = compareResults(stored, result, standardDeviation(request.values));
  const isExpected = outcome === 'exact' || (outcome === 'within_tolerance' && request.models?.includes('toto'));
  if (!isExpected) failures++;
  console.log(`${process.arch}  ${name.padEnd(18)} ${outcome} (${largest_difference})${isExpected ? '' : '  FAILED'}`);
}
// The thread of Prophet's program does not end on its own.
process.exit(failures === 0 ? 0 : 1);

/** Reads a file of the small network with random weights. */
function read(name: string): Buffer {
  return readFileSync(path.join(import.meta.dirname, '../../test/engine/toto-golden', name));
}

/** Starts a runner without a CPU time limit for Prophet's searches, because an emulated processor is slow. */
async function startRunner(): Promise<FitRunner> {
  const statistical = createInlineRunner(createModels({ prophet: loadProphetRuntime(() => Number.MAX_SAFE_INTEGER) }));
  const toto = await startToto(
    readCheckpoint({ config: read('config.json'), weights: read('model.safetensors') }),
    startOnnxSession,
  );
  return {
    models: [...statistical.models, 'toto'],
    run: (task, signal) => (task.model === 'toto' ? toto.forecastWindows(task, signal) : statistical.run(task, signal)),
  };
}

function standardDeviation(values: ArrayLike<number>): number {
  const all = Array.from(values);
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
  return Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length);
}
