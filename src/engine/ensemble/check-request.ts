import { type Cadence, FREQUENCIES, isFrequency, SERIES_KINDS } from '../../calendar/index.ts';
import { MODEL_CATALOG } from '../models/catalog.ts';
import { WEIGHTING_POLICIES } from '../weighting/select-weights.ts';
import { type ChosenMembers, chooseMembers, keepAvailable, modelsOfMode } from './choose-members.ts';
import {
  type CheckedRequest,
  DEFAULT_QUANTILES,
  ForecastError,
  type ForecastRequest,
  MAX_QUANTILE,
  MAX_QUANTILES,
  MAX_ROWS,
  MIN_QUANTILE,
  MODES,
  maxHorizon,
} from './request.ts';

const DEFAULT_SEED = 1;

/**
 * Checks every field and fills in the defaults. Throws a `ForecastError` whose message starts with the name of the
 * invalid field.
 *
 * @param availableModels ids of the models that can run
 */
export function checkRequest(request: ForecastRequest, availableModels: readonly string[]): CheckedRequest {
  const { horizon, values, mode = 'full', weightMode = 'auto', transform = 'auto', seed = DEFAULT_SEED } = request;
  const cadence = checkCadence(request.cadence);
  const max = maxHorizon(cadence.frequency);
  requireField(Number.isInteger(horizon) && horizon >= 1 && horizon <= max, 'horizon', () => {
    return `must be a whole number from 1 to ${max}, not ${horizon}`;
  });
  requireField(isList(values), 'values', () => 'must be a list of numbers');
  requireField(isList(request.timestamps), 'timestamps', () => 'must be a list of milliseconds since 1970');
  requireField(values.length <= MAX_ROWS, 'values', () => `may have at most ${MAX_ROWS} rows`);
  requireField(Number.isSafeInteger(seed) && seed >= 0, 'seed', () => 'must be a whole number, 0 or more');
  requireField(weightMode === 'auto' || weightMode === 'manual', 'weight_mode', () => 'must be auto or manual');
  requireField(MODES.includes(mode), 'mode', () => `must be ${MODES.join(' or ')}`);
  requireField(mode === 'full' || weightMode === 'auto', 'mode', () => 'fast requires weight_mode auto');
  requireField(['auto', 'none', 'log'].includes(transform), 'transform', () => 'must be auto, none or log');
  const weightingPolicy = request.weightingPolicy ?? 'rolling_loss_selection_v2';
  requireField(WEIGHTING_POLICIES.includes(weightingPolicy), 'weighting_policy', () => {
    return `must be ${WEIGHTING_POLICIES.join(' or ')}`;
  });
  const { fitted: models, notFitted } = checkModels({ ...request, cadence, mode, weightMode }, availableModels);
  return {
    cadence,
    horizon,
    quantiles: checkQuantileList(request.quantiles ?? DEFAULT_QUANTILES),
    mode,
    models,
    notFitted,
    weightMode,
    baseWeights: checkWeights(weightMode, request.weights, models),
    weightingPolicy,
    transform,
    seed,
  };
}

/** Returns a copy, so that later changes to the caller's object do not affect the forecast. */
function checkCadence(cadence: Cadence): Cadence {
  const { frequency, kind, hours } = cadence ?? {};
  requireField(isFrequency(String(frequency)), 'frequency', () => `must be one of ${FREQUENCIES.join(', ')}`);
  requireField(SERIES_KINDS.includes(kind), 'cadence', () => `must have the kind ${SERIES_KINDS.join(' or ')}`);
  requireField(hours === undefined || hours === 'regular' || hours === 'extended', 'cadence', () => {
    return 'must have the hours regular or extended, or none';
  });
  return { frequency, kind, hours };
}

function isList(value: ArrayLike<number>): boolean {
  return typeof value === 'object' && value !== null && Number.isInteger(value.length);
}

function checkModels(request: ForecastRequest, availableModels: readonly string[]): ChosenMembers {
  const requested = namedModels(request);
  if (requested === undefined) return chooseModels(request, availableModels);
  requireField(Array.isArray(requested) && requested.length > 0, 'models', () => 'must name at least one model');
  requireField(new Set(requested).size === requested.length, 'models', () => 'must name each model once');
  for (const id of requested) {
    requireField(
      availableModels.includes(id),
      request.models ? 'models' : 'weights',
      () => `cannot include '${id}'; available: ${availableModels.join(', ')}`,
    );
  }
  // Sorted in the order of the catalog, so that the order in the request does not change the digits.
  const fitted = MODEL_CATALOG.map(({ id }) => id).filter((id) => requested.includes(id));
  return { fitted, notFitted: request.models === undefined ? [] : (request.notFitted ?? []) };
}

/** Chooses the models of a request that names none. */
function chooseModels(
  { mode = 'full', weightMode, cadence, values }: ForecastRequest,
  availableModels: readonly string[],
): ChosenMembers {
  // The models of the fast mode are the same for every series. Manual weights without a model ask for each member of the
  // default ensemble by its default weight.
  if (mode === 'fast' || weightMode === 'manual') {
    return { fitted: keepAvailable(modelsOfMode(mode), availableModels), notFitted: [] };
  }
  return chooseMembers(availableModels, { frequency: cadence.frequency, values });
}

/** Returns the models that a request names, directly or by their manual weights; undefined if it names none. */
export function namedModels({
  models,
  weightMode,
  weights,
}: Pick<ForecastRequest, 'models' | 'weightMode' | 'weights'>): readonly string[] | undefined {
  const names = weightMode === 'manual' && weights ? Object.keys(weights) : [];
  return models ?? (names.length > 0 ? names : undefined);
}

function checkQuantileList(quantiles: readonly number[]): readonly number[] {
  requireField(
    Array.isArray(quantiles) && quantiles.length >= 1 && quantiles.length <= MAX_QUANTILES,
    'quantiles',
    () => {
      return `must be a list of 1 to ${MAX_QUANTILES} numbers`;
    },
  );
  requireField(new Set(quantiles).size === quantiles.length, 'quantiles', () => 'must name each quantile once');
  for (const quantile of quantiles) {
    const isInside = typeof quantile === 'number' && quantile >= MIN_QUANTILE && quantile <= MAX_QUANTILE;
    requireField(isInside, 'quantiles', () => {
      return `must lie between ${MIN_QUANTILE} and ${MAX_QUANTILE}, not ${quantile}`;
    });
  }
  return [...quantiles].sort((a, b) => a - b);
}

function checkWeights(
  mode: 'auto' | 'manual',
  weights: Readonly<Record<string, number>> | undefined,
  models: readonly string[],
): ReadonlyMap<string, number> {
  if (weights !== undefined) {
    requireField(mode === 'manual', 'weights', () => 'require weight_mode manual');
    for (const [id, weight] of Object.entries(weights)) {
      requireField(models.includes(id), 'weights', () => `cannot include '${id}', which is not among the models`);
      requireField(Number.isFinite(weight) && weight >= 0, 'weights', () => `of '${id}' must be 0 or more`);
    }
    const largest = Math.max(...Object.values(weights));
    requireField(largest > 0, 'weights', () => 'must not all be 0');
    // Dividing by the largest weight keeps the sum of huge weights from overflowing.
    return new Map(models.map((id) => [id, (weights[id] ?? 0) / largest]));
  }
  const defaultWeights = new Map(MODEL_CATALOG.map(({ id, defaultWeight }) => [id, defaultWeight]));
  const defaults = models.map((id): [string, number] => [id, defaultWeights.get(id) ?? 0]);
  // Models outside the default ensemble have a default weight of 0. If only such models were requested, they get equal
  // weights.
  return new Map(defaults.some(([, weight]) => weight > 0) ? defaults : models.map((id) => [id, 1]));
}

function requireField(isMet: boolean, field: string, problem: () => string): void {
  if (!isMet) throw new ForecastError('INVALID_REQUEST', `${field} ${problem()}.`, field);
}
