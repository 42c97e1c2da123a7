import {
  type AbortFlag,
  checkQuantiles,
  constantForecaster,
  ModelError,
  type QuantileSupport,
  throwIfAborted,
} from '../../model.ts';
import type { FitFailure, FitOutcome, FitTask, FitWindow } from '../../runner.ts';
import { KNOT_COUNT } from './checkpoint/read-config.ts';
import { type DecodeInput, type DecodeOptions, decode } from './decoding/decode.ts';
import type { Network } from './decoding/network.ts';
import { chooseScaling, type Scaling } from './scaling/scaling.ts';
import { fromUnits, type RowUnits, toUnits } from './scaling/units.ts';

/** Longer blocks degrade the forecast. The reference implementation recommends blocks of this length. */
const MAX_BLOCK = 768;
const MAX_STEPS = 4096;

/** The options that the reference implementation uses with its released networks. */
const MIN_OBSERVATIONS = 8;
const MAX_SCALES = 1e4;

/** A window that the network forecasts. */
interface PreparedWindow {
  readonly forecast: DecodeInput;
  readonly units: RowUnits;
}

/**
 * Forecasts all windows of a task in few runs. A window that cannot be forecast becomes a failure and does not affect
 * the others.
 */
export async function forecastWindows(
  network: Network,
  { series, windows, quantiles }: Pick<FitTask, 'series' | 'windows' | 'quantiles'>,
  signal: AbortFlag | undefined,
): Promise<FitOutcome[]> {
  throwIfAborted(signal);
  const { patchSize } = network.config;
  const scaling = chooseScaling(network.config);
  const prepared = windows.map((window) =>
    catchModelError(() => {
      checkQuantiles(quantiles, TOTO_QUANTILES);
      return prepareWindow(series.values, window, quantiles, patchSize, scaling);
    }),
  );
  const block = Math.max(patchSize, MAX_BLOCK - (MAX_BLOCK % patchSize));
  const inOneBlock = await decodeWindows(network, prepared, (steps) => steps <= block, 0, signal);
  const inBlocks = await decodeWindows(network, prepared, (steps) => steps > block, block, signal);
  return prepared.map((window) => {
    if (!('forecast' in window)) return window;
    const knots = inOneBlock.get(window) ?? inBlocks.get(window) ?? [];
    return catchModelError(() => ({ rows: toRows(knots, window.units, quantiles) }));
  });
}

function prepareWindow(
  values: Float64Array,
  { length, horizon }: FitWindow,
  quantiles: readonly number[],
  patchSize: number,
  scaling: Scaling,
): PreparedWindow | FitOutcome {
  if (!(Number.isInteger(horizon) && horizon >= 1 && horizon <= MAX_STEPS)) {
    throw new ModelError('UNSUPPORTED_HORIZON', `toto forecasts 1 to ${MAX_STEPS} steps, not ${horizon}.`);
  }
  const row = scaling.cutContext(values.subarray(0, length), patchSize);
  if (!row.observed.includes(1)) {
    throw new ModelError('INSUFFICIENT_HISTORY', 'toto needs an observation in the periods that it looks back on.');
  }
  if (!row.values.every(Number.isFinite)) throw new ModelError('INVALID_SERIES', 'The series holds an infinite value.');
  const units = scaling.chooseUnits(row);
  if (units === null) return { rows: constantForecaster(row.values[0] as number)(horizon, quantiles) };
  return { forecast: { rows: [toUnits(row, units)], seriesIds: [0], horizon }, units };
}

/** Returns the knots of the windows for which `isIncluded` holds. */
async function decodeWindows(
  network: Network,
  windows: readonly (PreparedWindow | FitOutcome)[],
  isIncluded: (horizon: number) => boolean,
  decodeBlockSize: number,
  signal: AbortFlag | undefined,
): Promise<Map<PreparedWindow, Float64Array[]>> {
  const included = windows
    .filter((window) => 'forecast' in window)
    .filter(({ forecast }) => isIncluded(forecast.horizon));
  const options: DecodeOptions = {
    decodeBlockSize,
    scalerFallbackMinObs: MIN_OBSERVATIONS,
    quantileRealCapK: MAX_SCALES,
  };
  const knots = await decode(
    network,
    included.map(({ forecast }) => forecast),
    options,
    signal,
  );
  return new Map(included.map((window, i) => [window, knots[i]?.[0] ?? []]));
}

function toRows(knots: readonly Float64Array[], units: RowUnits, quantiles: readonly number[]): Float64Array[] {
  requireFiniteSteps(knots);
  return knots.map((step) => interpolateQuantiles(step, quantiles).map((value) => fromUnits(value, units)));
}

/** Throws a `ModelError` if the network's output is not finite. */
export function requireFiniteSteps(steps: readonly Float64Array[]): void {
  if (steps.every((step) => step.every(Number.isFinite))) return;
  throw new ModelError('NOT_CONVERGED', 'The forecast leaves the range of numbers.');
}

/** Returns a failure if `work` throws a `ModelError`. */
function catchModelError<T>(work: () => T): T | { readonly failure: FitFailure } {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { failure: { code: error.code, message: error.message } };
  }
}

/** The network returns the quantiles 0.1, 0.2, …, 0.9, and nothing about the tails beyond them. */
const TOTO_QUANTILES: QuantileSupport = { min: 0.1, max: 0.9, interpolation_inside_range: true };

/** Interpolates quantiles linearly between the neighboring knots. If `quantiles` are ascending, so are the values. */
export function interpolateQuantiles(knots: Float64Array, quantiles: readonly number[]): Float64Array {
  return Float64Array.from(quantiles, (quantile) => {
    // Multiplying by ten instead of dividing by a tenth gives the exact position of every knot.
    const position = quantile * 10 - 1;
    const below = Math.min(Math.floor(position), KNOT_COUNT - 1);
    const low = knots[below] as number;
    const high = knots[Math.min(below + 1, KNOT_COUNT - 1)] as number;
    // Rounding must not move the value above the next knot.
    return Math.min(high, low + (position - below) * (high - low));
  });
}
