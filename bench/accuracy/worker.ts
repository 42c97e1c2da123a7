import { parentPort, workerData } from 'node:worker_threads';
import { loadProphetRuntime } from '../../src/compute/index.ts';
import { createModels } from '../../src/forecasting/index.ts';
import { QUANTILES, type Score, scoreForecast } from './score.ts';
import { type BenchSeries, datesFor } from './series-file.ts';

/** One forecast's outcome, or why there is none. */
export interface Outcome {
  readonly group: string;
  readonly id: string;
  readonly model: string;
  readonly score: Score | null;
  readonly failure: string | null;
}

interface Work {
  readonly series: readonly BenchSeries[];
  readonly models: readonly string[];
}

const { series, models } = workerData as Work;
const known = createModels({ prophet: await loadProphetRuntime() });

// The first fits are slow while the code is cold; they are not what a service pays for each series.
for (const one of series.slice(0, 3)) for (const model of models) forecast(one, model);
const outcomes = series.flatMap((one) => models.map((model) => forecast(one, model)));
parentPort?.postMessage(outcomes);

function forecast(one: BenchSeries, model: string): Outcome {
  const chosen = known.get(model);
  if (chosen === undefined) throw new Error(`No model '${model}'.`);
  const dates = datesFor(one.group, one.history.length);
  const before = process.threadCpuUsage();
  try {
    const rows = chosen.fit({ values: one.history, ...dates, season: one.season }, { seed: 1 })(one.horizon, QUANTILES);
    const used = process.threadCpuUsage(before);
    const score = scoreForecast(one, rows, (used.user + used.system) / 1000);
    return { group: one.group, id: one.id, model, score, failure: null };
  } catch (error) {
    return { group: one.group, id: one.id, model, score: null, failure: String(error) };
  }
}
