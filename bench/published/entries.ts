import { checkRequest } from '../../src/engine/ensemble/check-request.ts';
import { planForecast } from '../../src/engine/ensemble/plan.ts';
import { type ForecastRequest, forecast, MODEL_CATALOG } from '../../src/engine/index.ts';
import { type BenchModels, toRows } from '../accuracy/models.ts';
import { datesFor } from '../accuracy/series-file.ts';
import type { WindowSeries } from './read-sets.ts';
import { LEVELS } from './scores.ts';

/** The ways in which a caller can ask for an ensemble, each with the fields of its request. */
const ENSEMBLES: Readonly<Record<string, Partial<ForecastRequest>>> = {
  auto: {},
  fast: { mode: 'fast' },
};

/** Everything of ours that is scored: the ensembles, then each model by itself. */
export const ENTRIES: readonly string[] = [...Object.keys(ENSEMBLES), ...MODEL_CATALOG.map(({ id }) => id)];

export function isEnsemble(entry: string): boolean {
  return entry in ENSEMBLES;
}

/** Forecasts a window as a caller of the engine would. Throws if the model has no forecast. */
export async function forecastEntry(
  entry: string,
  series: WindowSeries,
  runner: BenchModels,
): Promise<readonly Float64Array[]> {
  const { request, skipped } = requestFor(series);
  const rows = isEnsemble(entry)
    ? toRows((await forecast({ ...request, ...ENSEMBLES[entry] }, { runner })).predictions)
    : await forecastAlone(entry, request, runner);
  if (!rows.every((row) => row.length === LEVELS.length && row.every(Number.isFinite))) {
    throw new Error('The forecast lacks a quantile.');
  }
  return rows.slice(skipped);
}

/**
 * Leaves missing periods out, as a caller does. The engine forecasts from the last row. If the history ends with missing
 * periods, they are forecast as well, and `skipped` is their number.
 */
export function requestFor(series: WindowSeries): { request: ForecastRequest; skipped: number } {
  const { group, history, horizon, first } = series;
  const { cadence, times } = datesFor(group, history.length, first);
  const isObserved = (_: number, t: number) => !Number.isNaN(history[t]);
  const skipped = history.length - 1 - history.findLastIndex((value) => !Number.isNaN(value));
  return {
    request: {
      cadence,
      timestamps: times.filter(isObserved),
      values: history.filter(isObserved),
      horizon: horizon + skipped,
      quantiles: LEVELS,
    },
    skipped,
  };
}

/**
 * Fits one model to the whole history once, with the season that the engine finds: the forecast that the model
 * contributes to `auto`, without the folds.
 */
async function forecastAlone(
  model: string,
  request: ForecastRequest,
  runner: BenchModels,
): Promise<readonly Float64Array[]> {
  const checked = checkRequest({ ...request, models: [model] }, runner.models);
  const { series } = planForecast(checked, request.timestamps, request.values);
  const windows = [{ length: series.values.length, horizon: request.horizon }];
  const [outcome] = await runner.run({ model, series, windows, quantiles: LEVELS, seed: checked.seed }, undefined);
  if (outcome === undefined || 'failure' in outcome) throw new Error(outcome?.failure.message);
  return outcome.rows;
}
