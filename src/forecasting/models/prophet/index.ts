import { type FitContext, type Forecaster, type Model, ModelError, throwIfAborted } from '../../model.ts';
import { sortedQuantile } from '../../numerics/sorted-quantile.ts';
import type { Series } from '../../series.ts';
import { fitTrend, type Rows } from './fit-trend.ts';
import { futureTimes, usualStep } from './future-times.ts';
import { chooseDamping, chooseWidening, type Holdout, holdoutOrigins, meanError } from './past-errors.ts';
import type { ProphetRuntime } from './runtime.ts';
import { chooseSeasonalities, type Seasonality } from './seasonalities.ts';
import { FOLLOWING, MARGIN, MAX_ROWS, STEADY, type TrendSettings, USUAL_DAMPING } from './settings.ts';
import { expectedPath, simulateDeviations } from './simulate.ts';
import { chooseValueScale } from './value-scale.ts';

export type { ProphetRuntime } from './runtime.ts';

const LARGEST = 1e150;

/**
 * Prophet: a piecewise linear trend and Fourier seasons, fitted by its Stan program. Scale, trend, damping and spread
 * are chosen from the past of the series alone.
 *
 * @example
 * const prophet = createProphet(optimizer); // from '@bsull/augurs-prophet-wasmstan'
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
  if (values.length < 3) throw new ModelError('INSUFFICIENT_HISTORY', 'prophet needs at least 3 observations.');
  const season = Math.max(1, Math.round(series.season));
  const scale = chooseValueScale(values, season);
  const nextTime = futureTimes(series.times);
  if (scale === null) {
    const constant = values[values.length - 1] as number;
    return (horizon, quantiles) =>
      Array.from({ length: horizon }, () => new Float64Array(quantiles.length).fill(constant));
  }
  const rows: Rows = { times, units: values.map(scale.toUnit) };
  const span = (times[times.length - 1] as number) - (times[0] as number);
  const seasonalities = chooseSeasonalities(season, usualStep(series.times), span);

  const origins = holdoutOrigins(rows.units.length, season);
  const past = (settings: TrendSettings): Holdout[] =>
    origins.flatMap(([origin, held]) => {
      throwIfAborted(context.signal);
      return holdOut(runtime, rows, origin, held, seasonalities, settings) ?? [];
    });
  let settings = FOLLOWING;
  let holdouts = past(FOLLOWING);
  if (holdouts.length > 0) {
    const steady = past(STEADY);
    if (steady.length === holdouts.length && bestError(steady) < MARGIN * bestError(holdouts)) {
      settings = STEADY;
      holdouts = steady;
    }
  }
  const damping = chooseDamping(holdouts);
  const widening = chooseWidening(holdouts, damping, context.seed);
  throwIfAborted(context.signal);
  const trend = fitTrend(runtime, rows, seasonalities, settings);
  throwIfAborted(context.signal);

  return (horizon, quantiles) => {
    const future = Float64Array.from({ length: horizon }, (_, i) => nextTime(i + 1));
    const path = expectedPath(trend, damping, future);
    const deviations = simulateDeviations(trend, damping, future, context.seed);
    return deviations.map((draws, step) =>
      Float64Array.from(quantiles, (q) => scale.fromUnit((path[step] as number) + widening * sortedQuantile(draws, q))),
    );
  };
}

function bestError(holdouts: readonly Holdout[]): number {
  return Math.min(meanError(holdouts, USUAL_DAMPING), meanError(holdouts, 1));
}

function holdOut(
  runtime: ProphetRuntime,
  rows: Rows,
  origin: number,
  held: number,
  seasonalities: readonly Seasonality[],
  settings: TrendSettings,
): Holdout | null {
  const before: Rows = { times: rows.times.subarray(0, origin), units: rows.units.subarray(0, origin) };
  const after: Rows = {
    times: rows.times.subarray(origin, origin + held),
    units: rows.units.subarray(origin, origin + held),
  };
  try {
    return { trend: fitTrend(runtime, before, seasonalities, settings), after };
  } catch (error) {
    // One that does not converge tells nothing; the forecast does not depend on it.
    if (error instanceof ModelError && error.code === 'NOT_CONVERGED') return null;
    throw error;
  }
}

/** Gaps are left out: Prophet works on dates, so a missing row is simply not there. */
function observedRows(series: Series): { times: Float64Array; values: Float64Array } {
  const first = Math.max(0, series.values.length - MAX_ROWS);
  const times: number[] = [];
  const values: number[] = [];
  for (let i = first; i < series.values.length; i++) {
    const value = series.values[i] as number;
    if (Number.isNaN(value)) continue;
    if (!(Math.abs(value) <= LARGEST)) {
      throw new ModelError('INVALID_SERIES', `prophet takes values up to ${LARGEST}, got ${value}.`);
    }
    times.push(series.times[i] as number);
    values.push(value);
  }
  return { times: Float64Array.from(times), values: Float64Array.from(values) };
}
