import { checkQuantiles } from '../../check-quantiles.ts';
import { constantForecaster } from '../../constant-forecaster.ts';
import { type FitContext, type Forecaster, type Model, ModelError, throwIfAborted } from '../../model.ts';
import { sortedQuantile } from '../../numerics/sorted-quantile.ts';
import type { Series } from '../../series.ts';
import { type Choice, chooseHowToFit } from './choose-how-to-fit.ts';
import { fitTrend, type Rows } from './fit-trend.ts';
import { futureTimes } from './future-times.ts';
import type { ProphetRuntime } from './runtime.ts';
import { chooseSeasonalities } from './seasonalities.ts';
import { MAX_ROWS, STEADY } from './settings.ts';
import { expectedPath, simulateDeviations } from './simulate.ts';
import { chooseValueScale } from './value-scale.ts';

export type { ProphetRuntime } from './runtime.ts';

const LARGEST = 1e150;
/** A trend with one change runs through three rows, and the search for the noise that is left does not end. */
const MIN_ROWS = 4;

/**
 * Prophet: a piecewise linear trend and Fourier seasons, fitted by its Stan program. Where the series stands
 * beside both now is carried on. Scale, damping and spread are chosen from the past of the series alone.
 *
 * @example
 * const prophet = createProphet(runtime); // loadProphetRuntime() of the room compute gives one
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
  // Before the work: a series that the calendar cannot continue has no forecast.
  futureTimes(series, 1);
  const rows: Rows = { times, units: values.map(scale.toUnit) };
  const seasonalities = chooseSeasonalities(season, series.times.subarray(-MAX_ROWS));

  const known = context.earlier && CHOICES.get(context.earlier);
  const choice =
    known !== undefined && rows.units.length <= STILL_VALID * known.rows
      ? known
      : chooseHowToFit(runtime, rows, season, seasonalities, context);
  const { damping, widening } = choice;
  throwIfAborted(context.signal);
  const trend = fitTrend(runtime, rows, seasonalities, STEADY);
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
  CHOICES.set(forecaster, choice);
  return forecaster;
}

/** What each forecaster was made with, for a fit to more rows of the same series. */
const CHOICES = new WeakMap<Forecaster, Choice>();

/** A choice is made anew when the rows have grown by this factor: more of the past may say something else. */
const STILL_VALID = 1.5;

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
