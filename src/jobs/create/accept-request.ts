import { checkForecast, ENGINE_VERSION } from '../../forecasting/index.ts';
import type { ForecastSettings } from '../settings.ts';
import { withFaults } from './engine-faults.ts';
import type { ForecastBody, ForecastInput } from './read-input.ts';

export interface Accepted {
  readonly settings: ForecastSettings;
  readonly mostFolds: number;
}

/** Whether the engine will take the request, so that what it would refuse is refused before it is queued. */
export function acceptRequest(body: ForecastBody, input: ForecastInput, models: readonly string[]): Accepted {
  const { checked, mostFolds } = withFaults(() =>
    checkForecast(
      {
        cadence: input.cadence,
        timestamps: input.table.timestamps,
        values: input.table.columns[input.valueField] as Float64Array,
        horizon: body.horizon,
        quantiles: body.quantiles,
        models: body.models,
        weightMode: body.weight_mode,
        weights: body.weights,
        weightingPolicy: body.weighting_policy,
        transform: body.transform,
        seed: body.seed,
      },
      models,
    ),
  );
  const { cadence, horizon, quantiles, weightMode, weightingPolicy, transform, seed } = checked;
  return {
    mostFolds,
    settings: {
      cadence,
      horizon,
      quantiles,
      models: checked.models,
      weightMode,
      weights: body.weights ?? null,
      weightingPolicy,
      transform,
      seed,
      cutoff: input.cutoff,
      source: input.source,
    },
  };
}

/** Statistical models are the engine itself. */
export function checkpointsOf(models: readonly string[]): Record<string, string> {
  return Object.fromEntries(models.map((model) => [model, `engine-${ENGINE_VERSION}`]));
}

/** Those of a forecast that these models do not have: they are not replaced by others. */
export function missingCheckpoints(wanted: Readonly<Record<string, string>>, models: readonly string[]): string[] {
  const here = checkpointsOf(models);
  return Object.entries(wanted).flatMap(([model, id]) => (here[model] === id ? [] : [`${model} ${id}`]));
}
