import { type Cadence, FREQUENCIES, isFrequency } from '../../calendar/index.ts';
import { DEFAULT_MODELS, MODEL_CATALOGUE } from '../models/index.ts';
import { WEIGHTING_POLICIES } from '../weighting/select-weights.ts';
import { ForecastError } from './forecast-error.ts';
import {
  type CheckedRequest,
  DEFAULT_QUANTILES,
  type ForecastRequest,
  MAX_QUANTILE,
  MAX_QUANTILES,
  MAX_ROWS,
  MAX_STEPS_AHEAD,
  MIN_QUANTILE,
} from './request.ts';

const DEFAULT_SEED = 1;

/** Fills in the defaults and refuses what makes no sense, naming the field. */
export function checkRequest(request: ForecastRequest, runnable: readonly string[]): CheckedRequest {
  const { horizon, values, weightMode = 'auto', transform = 'auto', seed = DEFAULT_SEED } = request;
  demand(Number.isInteger(horizon) && horizon >= 1 && horizon <= MAX_STEPS_AHEAD, 'horizon', () => {
    return `must be a whole number from 1 to ${MAX_STEPS_AHEAD}, not ${horizon}`;
  });
  demand(isList(values), 'values', () => 'must be a list of numbers');
  demand(isList(request.timestamps), 'timestamps', () => 'must be a list of milliseconds since 1970');
  demand(values.length <= MAX_ROWS, 'values', () => `may have ${MAX_ROWS} rows, not more`);
  demand(Number.isSafeInteger(seed) && seed >= 0, 'seed', () => 'must be a whole number, 0 or more');
  demand(weightMode === 'auto' || weightMode === 'manual', 'weight_mode', () => 'must be auto or manual');
  demand(['auto', 'none', 'log'].includes(transform), 'transform', () => 'must be auto, none or log');
  const weightingPolicy = request.weightingPolicy ?? 'rolling_loss_selection_v2';
  demand(WEIGHTING_POLICIES.includes(weightingPolicy), 'weighting_policy', () => {
    return `must be ${WEIGHTING_POLICIES.join(' or ')}`;
  });
  const models = checkModels(request.models, runnable);
  return {
    cadence: checkCadence(request.cadence),
    horizon,
    quantiles: checkQuantileList(request.quantiles ?? DEFAULT_QUANTILES),
    models,
    weightMode,
    givenWeights: checkWeights(weightMode, request.weights, models),
    weightingPolicy,
    transform,
    seed,
  };
}

/** A copy: what the caller does with its own after the call must not change a forecast. */
function checkCadence(cadence: Cadence): Cadence {
  const { frequency, kind, hours } = cadence ?? {};
  demand(isFrequency(String(frequency)), 'frequency', () => `must be one of ${FREQUENCIES.join(', ')}`);
  demand(kind === 'exchange' || kind === 'plain', 'cadence', () => 'must be of the kind exchange or plain');
  demand(hours === undefined || hours === 'regular' || hours === 'extended', 'cadence', () => {
    return 'has hours that are neither regular nor extended';
  });
  return { frequency, kind, hours };
}

function isList(value: ArrayLike<number>): boolean {
  return typeof value === 'object' && value !== null && Number.isInteger(value.length);
}

function checkModels(asked: readonly string[] | undefined, runnable: readonly string[]): readonly string[] {
  if (asked === undefined) {
    const usual = DEFAULT_MODELS.filter((id) => runnable.includes(id));
    return usual.length > 0 ? usual : runnable;
  }
  demand(Array.isArray(asked) && asked.length > 0, 'models', () => 'must name at least one model');
  demand(new Set(asked).size === asked.length, 'models', () => 'must name each model once');
  for (const id of asked) {
    demand(runnable.includes(id), 'models', () => `names '${id}'; here there are ${runnable.join(', ')}`);
  }
  // In the order of the catalogue: the order in which they were asked for must not change a digit.
  return MODEL_CATALOGUE.map(({ id }) => id).filter((id) => asked.includes(id));
}

function checkQuantileList(quantiles: readonly number[]): readonly number[] {
  demand(Array.isArray(quantiles) && quantiles.length >= 1 && quantiles.length <= MAX_QUANTILES, 'quantiles', () => {
    return `must be a list of 1 to ${MAX_QUANTILES} numbers`;
  });
  demand(new Set(quantiles).size === quantiles.length, 'quantiles', () => 'must name each quantile once');
  for (const quantile of quantiles) {
    const isInside = typeof quantile === 'number' && quantile >= MIN_QUANTILE && quantile <= MAX_QUANTILE;
    demand(isInside, 'quantiles', () => {
      return `must lie between ${MIN_QUANTILE} and ${MAX_QUANTILE}; ${quantile} does not`;
    });
  }
  return [...quantiles].sort((a, b) => a - b);
}

function checkWeights(
  mode: 'auto' | 'manual',
  given: Readonly<Record<string, number>> | undefined,
  models: readonly string[],
): ReadonlyMap<string, number> {
  if (given !== undefined) {
    demand(mode === 'manual', 'weights', () => 'belong to weight_mode manual');
    for (const [id, weight] of Object.entries(given)) {
      demand(models.includes(id), 'weights', () => `names '${id}', which is not among the models`);
      demand(Number.isFinite(weight) && weight >= 0, 'weights', () => `of '${id}' must be 0 or more`);
    }
    const largest = Math.max(...Object.values(given));
    demand(largest > 0, 'weights', () => 'must not all be 0');
    // By the largest: the sum of huge weights would overflow.
    return new Map(models.map((id) => [id, (given[id] ?? 0) / largest]));
  }
  const usual = new Map(MODEL_CATALOGUE.map(({ id, defaultWeight }) => [id, defaultWeight]));
  const weights = models.map((id): [string, number] => [id, usual.get(id) ?? 0]);
  // Models that are not of the default ensemble have no default weight: among themselves they are equal.
  return new Map(weights.some(([, weight]) => weight > 0) ? weights : models.map((id) => [id, 1]));
}

function demand(isMet: boolean, field: string, finding: () => string): void {
  if (!isMet) throw new ForecastError('INVALID_REQUEST', `${field} ${finding()}.`, field);
}
