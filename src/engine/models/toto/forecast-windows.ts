import { checkQuantiles } from '../../check-quantiles.ts';
import { constantForecaster } from '../../constant-forecaster.ts';
import { type AbortFlag, ModelError, throwIfAborted } from '../../model.ts';
import type { FitFailure, FitOutcome, FitTask, FitWindow } from '../../runner.ts';
import { decode } from './decoding/decode.ts';
import type { DecodeOptions, Forecast } from './decoding/forecast-in-blocks.ts';
import type { Network } from './decoding/network.ts';
import { interpolateQuantiles, TOTO_QUANTILES } from './interpolate-quantiles.ts';
import { type Scaling, scalingOf } from './scaling/index.ts';
import { fromUnits, type OwnUnits, toUnits } from './scaling/own-units.ts';

/** Beyond this a forecast in one go loses itself; the original advises blocks of this length. */
const LONGEST_BLOCK = 768;
const MAX_STEPS = 4096;

/** What the original's own callers choose, for the networks that it was released with. */
const MIN_OBSERVATIONS = 8;
const MAX_SCALES = 1e4;

/** A window of the series that the network is asked about. */
interface Asked {
  readonly forecast: Forecast;
  readonly units: OwnUnits;
}

/** All windows of a task, in few runs. One that cannot be forecast is a failure, and does not touch the others. */
export async function forecastWindows(
  network: Network,
  { series, windows, quantiles }: Pick<FitTask, 'series' | 'windows' | 'quantiles'>,
  signal: AbortFlag | undefined,
): Promise<FitOutcome[]> {
  throwIfAborted(signal);
  const { patchSize } = network.config;
  const scaling = scalingOf(network.config);
  const prepared = windows.map((window) =>
    orFailure(() => {
      checkQuantiles(quantiles, TOTO_QUANTILES);
      return prepare(series.values, window, quantiles, patchSize, scaling);
    }),
  );
  const block = Math.max(patchSize, LONGEST_BLOCK - (LONGEST_BLOCK % patchSize));
  const inOneGo = await answers(network, prepared, (steps) => steps <= block, 0, signal);
  const inBlocks = await answers(network, prepared, (steps) => steps > block, block, signal);
  return prepared.map((window) => {
    if (!('forecast' in window)) return window;
    const knots = inOneGo.get(window) ?? inBlocks.get(window) ?? [];
    return orFailure(() => ({ rows: toRows(knots, window.units, quantiles) }));
  });
}

function prepare(
  values: Float64Array,
  { length, horizon }: FitWindow,
  quantiles: readonly number[],
  patchSize: number,
  scaling: Scaling,
): Asked | FitOutcome {
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

/** The knots of those windows whose horizon is `meant`. */
async function answers(
  network: Network,
  windows: readonly (Asked | FitOutcome)[],
  meant: (horizon: number) => boolean,
  decodeBlockSize: number,
  signal: AbortFlag | undefined,
): Promise<Map<Asked, Float64Array[]>> {
  const asked = windows.filter((window) => 'forecast' in window).filter(({ forecast }) => meant(forecast.horizon));
  const options: DecodeOptions = {
    decodeBlockSize,
    scalerFallbackMinObs: MIN_OBSERVATIONS,
    quantileRealCapK: MAX_SCALES,
  };
  const knots = await decode(
    network,
    asked.map(({ forecast }) => forecast),
    options,
    signal,
  );
  return new Map(asked.map((window, i) => [window, knots[i]?.[0] ?? []]));
}

function toRows(knots: readonly Float64Array[], units: OwnUnits, quantiles: readonly number[]): Float64Array[] {
  refuseNotFinite(knots);
  return knots.map((step) => interpolateQuantiles(step, quantiles).map((value) => fromUnits(value, units)));
}

export function refuseNotFinite(steps: readonly Float64Array[]): void {
  if (steps.every((step) => step.every(Number.isFinite))) return;
  throw new ModelError('NOT_CONVERGED', 'The forecast leaves the range of numbers.');
}

function orFailure<T>(work: () => T): T | { readonly failure: FitFailure } {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { failure: { code: error.code, message: error.message } };
  }
}
