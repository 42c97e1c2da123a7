import type { ModelCheckpoint } from '../../compute/index.ts';
import { checkForecast, DEFAULT_MODELS } from '../../engine/index.ts';
import type { ForecastSettings } from '../settings.ts';
import { withFaults } from './engine-faults.ts';
import type { ForecastBody, ForecastInput } from './read-input.ts';
import { refuseWithoutCheckpoint } from './refuse-without-checkpoint.ts';

export interface Accepted {
  readonly settings: ForecastSettings;
  readonly mostFolds: number;
  /** By model the exact one. */
  readonly checkpoints: Record<string, string>;
}

/** Whether the engine will take the request, so that what it would refuse is refused before it is queued. */
export function acceptRequest(
  body: ForecastBody,
  input: ForecastInput,
  checkpoints: ReadonlyMap<string, ModelCheckpoint>,
): Accepted {
  refuseWithoutCheckpoint(body.models, checkpoints);
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
      [...checkpoints.keys()],
    ),
  );
  const { cadence, horizon, quantiles, weightMode, weightingPolicy, transform, seed } = checked;
  const unavailableModels = body.models === undefined ? DEFAULT_MODELS.filter((id) => !checkpoints.has(id)) : [];
  return {
    mostFolds,
    checkpoints: Object.fromEntries(checked.models.map((model) => [model, checkpoints.get(model)?.id ?? ''])),
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
      ...(unavailableModels.length > 0 && { unavailableModels }),
    },
  };
}
