import { type Licenses, licenseDenied } from '../../access/index.ts';
import { SeriesError } from '../../calendar/index.ts';
import { CHECKPOINT_MODELS, type ModelCheckpoint } from '../../compute/index.ts';
import { checkForecast, ForecastError, modelsOfMode, namedModels } from '../../engine/index.ts';
import { soleColumn } from '../../snapshots/index.ts';
import { insufficientHistory, invalidField, modelWithoutCheckpoint, unsupportedQuantiles } from '../faults.ts';
import { formatPullHint } from '../missing-checkpoints.ts';
import type { ForecastSettings } from '../tables.ts';
import type { CreateRequest, ForecastInput } from './read-input.ts';

type Checkpoints = ReadonlyMap<string, ModelCheckpoint>;

interface AcceptedForecast {
  readonly settings: ForecastSettings;
  readonly maxFolds: number;
  /** The exact checkpoint of each model. */
  readonly checkpoints: Record<string, string>;
}

/** Refuses a request that sets what the fast mode determines itself. */
export function checkMode({ mode, models, weights, weight_mode: weightMode }: CreateRequest): void {
  const isUnset = models === undefined && weights === undefined && weightMode === 'auto';
  if (mode !== 'fast' || isUnset) return;
  const remedy = 'Leave out models, weights and weight_mode, or send full.';
  throw invalidField('mode', `fast determines the models and weights itself. ${remedy}`);
}

/** Checks that the engine will accept the request, so that no request is queued that the engine would refuse. */
export function acceptRequest(
  request: CreateRequest,
  input: ForecastInput,
  checkpoints: Checkpoints,
): AcceptedForecast {
  const named = namedModels({ models: request.models, weightMode: request.weight_mode, weights: request.weights });
  requireCheckpoints(named, checkpoints);
  const { checked, maxFolds } = withEngineFaults(() =>
    checkForecast(
      {
        cadence: input.cadence,
        timestamps: input.table.timestamps,
        values: soleColumn(input.table),
        horizon: request.horizon,
        quantiles: request.quantiles,
        mode: request.mode,
        models: request.models,
        weightMode: request.weight_mode,
        weights: request.weights,
        weightingPolicy: request.weighting_policy,
        transform: request.transform,
        seed: request.seed,
      },
      [...checkpoints.keys()],
    ),
  );
  const { cadence, horizon, quantiles, mode, notFitted, weightMode, weightingPolicy, transform, seed } = checked;
  const unavailableModels = named === undefined ? modelsOfMode(mode).filter((id) => !checkpoints.has(id)) : [];
  return {
    maxFolds,
    checkpoints: Object.fromEntries(checked.models.map((model) => [model, checkpoints.get(model)?.id ?? ''])),
    settings: {
      cadence,
      horizon,
      quantiles,
      models: checked.models,
      ...(mode === 'fast' && { mode }),
      weightMode,
      weights: request.weights ?? null,
      weightingPolicy,
      transform,
      seed,
      cutoff: input.cutoff,
      source: input.source,
      ...(unavailableModels.length > 0 && { unavailableModels }),
      ...(notFitted.length > 0 && { notFittedModels: notFitted }),
      ...(input.fallbackUsed && { fallbackUsed: true }),
      ...(input.asKnownAtCutoff && { asKnownAtCutoff: true }),
      ...(input.estimatedBytes !== undefined && { estimatedBytes: input.estimatedBytes }),
      ...(input.knownUntil !== undefined && { knownUntil: new Date(input.knownUntil).toISOString() }),
      ...(request.settle_days !== undefined && { settleDays: request.settle_days }),
    },
  };
}

/** Runs a check of the engine and turns its errors into faults. */
export function withEngineFaults<Checked>(check: () => Checked): Checked {
  try {
    return check();
  } catch (error) {
    if (error instanceof SeriesError) throw invalidField('source', error.message);
    if (!(error instanceof ForecastError)) throw error;
    if (error.code === 'INSUFFICIENT_HISTORY') throw insufficientHistory(error.message);
    if (error.code === 'UNSUPPORTED_QUANTILE') throw unsupportedQuantiles(error.message);
    // A message of the engine starts with the name of the field.
    throw invalidField(`${error.field}`, error.message.slice((error.field ?? '').length + 1));
  }
}

/**
 * Returns the checkpoints whose licenses are allowed here. Refuses a request that names a model with a denied license;
 * the default ensemble runs without such models.
 */
export function licensedCheckpoints(
  {
    mode = 'full',
    models,
    weights = {},
    weight_mode: weightMode,
  }: Pick<CreateRequest, 'mode' | 'models' | 'weights' | 'weight_mode'>,
  checkpoints: Checkpoints,
  licenses: Licenses,
): Checkpoints {
  const denied = [...checkpoints].filter(([, { license }]) => !licenses.allows(license));
  const requested = [...(models ?? []), ...Object.keys(weights)];
  const deniedRequested = denied.find(([model]) => requested.includes(model));
  if (deniedRequested) throw licenseDenied(`models: ${deniedRequested[0]}`, deniedRequested[1].license);
  const allowed = new Map([...checkpoints].filter(([, { license }]) => licenses.allows(license)));
  const [first] = denied;
  // If the licenses of all models of the mode are denied, other models must not silently take their place.
  if (
    first &&
    namedModels({ models, weights, weightMode }) === undefined &&
    !modelsOfMode(mode).some((id) => allowed.has(id))
  ) {
    throw licenseDenied(`models: the default ensemble (${first[0]} and the others)`, first[1].license);
  }
  return allowed;
}

/** Refuses a requested model without a checkpoint. The error of the engine would not name the remedy. */
function requireCheckpoints(requested: readonly string[] | undefined, checkpoints: Checkpoints): void {
  const missing = CHECKPOINT_MODELS.find((model) => requested?.includes(model) && !checkpoints.has(model));
  if (missing !== undefined) throw modelWithoutCheckpoint(missing, formatPullHint(missing));
}
