import { parentPort, workerData } from 'node:worker_threads';
import { DEFAULT_MODELS, forecast } from '../../src/engine/index.ts';
import { loadModels, threadCpuMs, toRows } from './models.ts';
import { QUANTILES, type Score, scoreForecast } from './score.ts';
import { type BenchSeries, datesFor } from './series-file.ts';

/** The outcome of one forecast, or the reason for its failure. */
export interface Outcome {
  readonly group: string;
  readonly id: string;
  readonly model: string;
  readonly score: Score | null;
  readonly failure: string | null;
}

interface Work {
  readonly items: readonly BenchSeries[];
  readonly models: readonly string[];
  /** The data folder, which may have an installed checkpoint. */
  readonly data: string;
}

const { items, models, data } = workerData as Work;
const runner = await loadModels(data);
const usual = DEFAULT_MODELS.filter((id) => runner.models.includes(id));

/** The models that each ensemble names; `auto` names none, as most callers. */
const ENSEMBLES: Readonly<Record<string, readonly string[] | undefined>> = {
  auto: undefined,
  equal: usual,
  auto_without_toto: usual.filter((id) => id !== 'toto'),
  equal_without_toto: usual.filter((id) => id !== 'toto'),
};

// Warms up, because the first fits are slow and a running service is warm.
for (const one of items.slice(0, 3)) await forecastSeries(one);
const outcomes: Outcome[] = [];
for (const one of items) outcomes.push(...(await forecastSeries(one)));
parentPort?.postMessage(outcomes);

async function forecastSeries(one: BenchSeries): Promise<Outcome[]> {
  runner.forget();
  const outcomes: Outcome[] = [];
  for (const model of models) {
    const before = threadCpuMs();
    try {
      const rows = model in ENSEMBLES ? await forecastTogether(one, model) : await forecastAlone(one, model);
      outcomes.push(outcome(one, model, scoreForecast(one, rows, threadCpuMs() - before), null));
    } catch (error) {
      outcomes.push(outcome(one, model, null, String(error)));
    }
  }
  return outcomes;
}

async function forecastTogether(one: BenchSeries, ensemble: string): Promise<Float64Array[]> {
  const { cadence, times } = datesFor(one.group, one.history.length);
  const members = ENSEMBLES[ensemble];
  const request = { cadence, timestamps: times, values: one.history, horizon: one.horizon, quantiles: QUANTILES };
  const result = await forecast({ ...request, models: members }, { runner });
  if (ensemble.startsWith('auto')) return toRows(result.predictions);
  const present = result.members.filter(({ predictions }) => predictions.length > 0);
  return meanRows(present.map(({ predictions }) => toRows(predictions)));
}

/** Fits one model to the whole history, with the season that the file names. */
async function forecastAlone(one: BenchSeries, model: string): Promise<Float64Array[]> {
  const series = { values: one.history, ...datesFor(one.group, one.history.length), season: one.season };
  const windows = [{ length: one.history.length, horizon: one.horizon }];
  const [outcome] = await runner.run({ model, series, windows, quantiles: QUANTILES, seed: 1 }, undefined);
  if (outcome === undefined || 'failure' in outcome) throw new Error(outcome?.failure.message);
  return [...outcome.rows];
}

function outcome({ group, id }: BenchSeries, model: string, score: Score | null, failure: string | null): Outcome {
  return { group, id, model, score, failure };
}

function meanRows(members: readonly Float64Array[][]): Float64Array[] {
  return (members[0] as Float64Array[]).map((row, step) =>
    row.map(
      (_, q) => members.reduce((sum, rows) => sum + ((rows[step] as Float64Array)[q] as number), 0) / members.length,
    ),
  );
}
