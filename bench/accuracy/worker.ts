import { parentPort, workerData } from 'node:worker_threads';
import { createInlineRunner, createModels, forecast, type Prediction } from '../../src/forecasting/index.ts';
import { prophetRuntime } from '../../test/support/prophet-runtime.ts';
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
const known = createModels({ prophet: prophetRuntime });
const runner = createInlineRunner(known);

// The first fits are slow while the code is cold; they are not what a service pays for each series.
for (const one of series.slice(0, 3)) await forecastSeries(one);
const outcomes: Outcome[] = [];
for (const one of series) outcomes.push(...(await forecastSeries(one)));
parentPort?.postMessage(outcomes);

async function forecastSeries(one: BenchSeries): Promise<Outcome[]> {
  const single = models.filter((model) => !isEnsemble(model));
  const outcomes = single.map((model) => attempt(one, model, () => fitAlone(one, model)));
  const ensembles = models.filter(isEnsemble);
  if (ensembles.length === 0) return outcomes;
  const before = cpuMs();
  const { cadence, times } = datesFor(one.group, one.history.length);
  const request = { cadence, timestamps: times, values: one.history, horizon: one.horizon, quantiles: QUANTILES };
  try {
    const result = await forecast(request, { runner });
    const cpu = cpuMs() - before;
    const members = result.members.filter(({ predictions }) => predictions.length > 0);
    const rows = {
      auto: toRows(result.predictions),
      equal: meanRows(members.map(({ predictions }) => toRows(predictions))),
    };
    for (const model of ensembles) {
      outcomes.push(outcome(one, model, scoreForecast(one, rows[model as keyof typeof rows], cpu), null));
    }
  } catch (error) {
    for (const model of ensembles) outcomes.push(outcome(one, model, null, String(error)));
  }
  return outcomes;
}

function isEnsemble(model: string): boolean {
  return model === 'auto' || model === 'equal';
}

/** Fits one model to the whole history, with the season that the file names. */
function fitAlone(one: BenchSeries, model: string): Float64Array[] {
  const chosen = known.get(model);
  if (chosen === undefined) throw new Error(`No model '${model}'.`);
  const series = { values: one.history, ...datesFor(one.group, one.history.length), season: one.season };
  return chosen.fit(series, { seed: 1 })(one.horizon, QUANTILES);
}

function attempt(one: BenchSeries, model: string, run: () => Float64Array[]): Outcome {
  const before = cpuMs();
  try {
    const rows = run();
    return outcome(one, model, scoreForecast(one, rows, cpuMs() - before), null);
  } catch (error) {
    return outcome(one, model, null, String(error));
  }
}

/** CPU time of this thread and of the one in which Prophet searches for it. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000 + prophetRuntime.cpuMs();
}

function outcome({ group, id }: BenchSeries, model: string, score: Score | null, failure: string | null): Outcome {
  return { group, id, model, score, failure };
}

function toRows(predictions: readonly Prediction[]): Float64Array[] {
  return predictions.map(({ quantiles }) => Float64Array.from(Object.values(quantiles)));
}

function meanRows(members: readonly Float64Array[][]): Float64Array[] {
  return (members[0] as Float64Array[]).map((row, step) =>
    row.map(
      (_, q) => members.reduce((sum, rows) => sum + ((rows[step] as Float64Array)[q] as number), 0) / members.length,
    ),
  );
}
