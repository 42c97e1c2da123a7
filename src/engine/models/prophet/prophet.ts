import { futureTimestamps, SeriesError } from '../../../calendar/index.ts';
import {
  checkQuantiles,
  constantForecaster,
  type FitContext,
  type Forecaster,
  type Model,
  ModelError,
  type Series,
  throwIfAborted,
} from '../../model.ts';
import { sortedQuantile } from '../../numerics/distributions.ts';
import { chooseExtrapolation, type Extrapolation } from './choose-extrapolation.ts';
import { fitTrend, type Rows, TREND_SETTINGS } from './fit-trend.ts';
import type { ProphetRuntime } from './runtime.ts';
import { chooseSeasonalities } from './seasonalities.ts';
import { expectedPath, simulateDeviations } from './simulate.ts';
import { chooseValueScale } from './value-scale.ts';

const MAX_SIZE = 1e150;
/** Older rows are left out: they make a fit slower and hardly affect the forecast. */
const MAX_ROWS = 1500;
/** A trend with one change fits three rows exactly, and the search for the noise level would not end. */
const MIN_ROWS = 4;

/**
 * Creates Prophet: a piecewise linear trend and Fourier seasons, fitted by its Stan program. Forecasts keep the current
 * distance of the series from trend and seasons. Scale, damping and spread are chosen from the past of the series
 * alone.
 *
 * @example
 * const prophet = createProphet(runtime); // `loadProphetRuntime` of `compute` returns a runtime
 * const forecast = prophet.fit(series, { seed: 1 });
 * forecast(12, [0.1, 0.5, 0.9]);
 */
export function createProphet(runtime: ProphetRuntime): Model {
  return {
    id: 'prophet',
    quantileSupport: { type: 'requested' },
    fit: (series, context) => fit(runtime, series, context),
  };
}

function fit(runtime: ProphetRuntime, series: Series, context: FitContext): Forecaster {
  throwIfAborted(context.signal);
  const { times, values } = observedRows(series);
  if (values.length < MIN_ROWS) {
    throw new ModelError('INSUFFICIENT_HISTORY', `prophet needs at least ${MIN_ROWS} observations.`);
  }
  const season = Math.max(1, Math.round(series.season));
  const scale = chooseValueScale(values, season);
  if (scale === null) return constantForecaster(values[values.length - 1] as number);
  // Checked before the fit, because a series that the calendar cannot continue has no forecast.
  futureTimes(series, 1);
  const rows: Rows = { times, units: values.map(scale.toUnit) };
  const seasonalities = chooseSeasonalities(season, series.times.subarray(-MAX_ROWS));

  const earlierExtrapolation = context.earlierFit && EXTRAPOLATIONS.get(context.earlierFit);
  const extrapolation =
    earlierExtrapolation !== undefined && rows.units.length <= MAX_REUSE_GROWTH * earlierExtrapolation.rows
      ? earlierExtrapolation
      : chooseExtrapolation(runtime, rows, season, seasonalities, context);
  const { damping, widening } = extrapolation;
  throwIfAborted(context.signal);
  const trend = fitTrend(runtime, rows, seasonalities, TREND_SETTINGS);
  throwIfAborted(context.signal);

  const forecaster: Forecaster = (horizon, quantiles) => {
    checkQuantiles(quantiles);
    const future = futureTimes(series, horizon);
    const path = expectedPath(trend, damping, future);
    const deviations = simulateDeviations(trend, damping, future, context.seed);
    return deviations.map((draws, step) =>
      Float64Array.from(quantiles, (q) => scale.fromUnit((path[step] as number) + widening * sortedQuantile(draws, q))),
    );
  };
  EXTRAPOLATIONS.set(forecaster, extrapolation);
  return forecaster;
}

/** The extrapolation of each forecaster, which fits to more rows of the same series may reuse. */
const EXTRAPOLATIONS = new WeakMap<Forecaster, Extrapolation>();

/** An extrapolation is chosen again if the number of rows has grown by more than this factor. */
const MAX_REUSE_GROWTH = 1.5;

/** Returns the observed rows. Prophet uses dates, so it needs no row for a gap. */
function observedRows(series: Series): { times: Float64Array; values: Float64Array } {
  const first = Math.max(0, series.values.length - MAX_ROWS);
  const times: number[] = [];
  const values: number[] = [];
  for (let i = first; i < series.values.length; i++) {
    const value = series.values[i] as number;
    if (Number.isNaN(value)) continue;
    if (!(Math.abs(value) <= MAX_SIZE)) {
      throw new ModelError('INVALID_SERIES', `prophet takes values up to ${MAX_SIZE}, got ${value}.`);
    }
    times.push(series.times[i] as number);
    values.push(value);
  }
  return { times: Float64Array.from(times), values: Float64Array.from(values) };
}

/** Returns the timestamps after a series. Turns errors of the calendar into a `ModelError`. */
function futureTimes({ cadence, times }: Series, horizon: number): Float64Array {
  const last = times[times.length - 1] as number;
  try {
    return futureTimestamps(cadence, last, horizon);
  } catch (error) {
    if (error instanceof SeriesError) {
      throw new ModelError('INVALID_SERIES', `The series does not end on a timestamp of its cadence. ${error.message}`);
    }
    if (error instanceof RangeError) {
      throw new ModelError('UNSUPPORTED_HORIZON', `There are no dates for ${horizon} steps ahead. ${error.message}`);
    }
    throw error;
  }
}
