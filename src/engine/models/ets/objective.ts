import type { SmoothFunction } from '../../numerics/minimize-smooth.ts';
import type { EtsForm } from './form.ts';
import { createPathGradient, runGradient } from './gradient.ts';
import { addInitialStatePenalty, STATE_PRIOR } from './initial-state-penalty.ts';
import type { InitialStates } from './initial-states.ts';
import { minusTwoLogLikelihood } from './likelihood.ts';
import { createStatePath, runFilter, type Smoothing, type StatePath } from './recursion.ts';
import {
  countSmoothingCoordinates,
  fromSmoothing,
  isAdmissible,
  toPointGradient,
  toSmoothing,
} from './smoothing-space.ts';

/** The objective of a search over one form. Coordinates: smoothing parameters, level, trend, seasons. */
interface FormObjective {
  readonly value: SmoothFunction;
  readonly start: Float64Array;
  readonly steps: Float64Array;
  readonly smoothing: Smoothing;
  readonly path: StatePath;
  /** Filters the series with the parameters of a point. Returns false if the point is outside the domain. */
  load(point: Float64Array): boolean;
}

/** Where the search starts; also the center of the prior on trend and season smoothing. */
const START = { alpha: 0.2, beta: 0.05 * 0.2, gamma: 0.02 * 0.8, phi: 0.97 };
/** The standard deviation of that prior on the logit scale. */
const PRIOR_LOGITS = 3;
/** A smaller sum of squares is only rounding error. */
const FLOOR = 1e-18;

/** Creates the objective: minus twice the log posterior of one form on one series, with its gradient. */
export function createObjective(data: FitData, form: EtsForm, initial: InitialStates): FormObjective {
  const { values, observed, period } = data;
  const path = createStatePath(values, period, form.season);
  const byParameter = createPathGradient(path);
  const parts = { byFitted: new Float64Array(values.length), squares: 0 };
  const smoothing: Smoothing = { alpha: 0, beta: 0, gamma: 0, phi: 1 };
  const hasTrend = form.trend !== 'none';
  const hasSeason = form.season !== 'none';
  const states = countSmoothingCoordinates(form);
  const seasons = states + (hasTrend ? 2 : 1);
  const size = seasons + (hasSeason ? period : 0);
  const start = new Float64Array(size);
  const steps = new Float64Array(size);
  const precision = new Float64Array(size);

  fromSmoothing(form, START, start);
  steps.fill(3 / Math.sqrt(observed), 0, states);
  precision.fill(1 / PRIOR_LOGITS ** 2, 1, states);
  const level = Math.max(0.1, initial.level);
  const errorUnit = form.relativeError ? level : 1;
  const setCoordinate = (at: number, value: number, step: number, deviation: number): void => {
    start[at] = value;
    steps[at] = step;
    precision[at] = 1 / deviation ** 2;
  };
  setCoordinate(states, initial.level, 0.5 * initial.unit, STATE_PRIOR.level * errorUnit);
  if (hasTrend) setCoordinate(states + 1, initial.slope, 0.1 * initial.unit, STATE_PRIOR.trend * errorUnit);
  const isRatio = form.season === 'multiplicative';
  for (let s = seasons; s < size; s++) {
    const step = (0.3 * initial.unit) / (isRatio ? level : 1);
    setCoordinate(s, initial.season[s - seasons] as number, step, STATE_PRIOR.season * (isRatio ? 1 : errorUnit));
  }

  const load = (point: Float64Array): boolean => {
    toSmoothing(form, point, smoothing);
    path.level[0] = point[states] as number;
    path.trend[0] = hasTrend ? (point[states + 1] as number) : 0;
    for (let s = seasons; s < size; s++) path.season[s - seasons] = point[s] as number;
    return !(hasTrend && hasSeason && !isAdmissible(smoothing, period)) && runFilter(path, smoothing);
  };
  const value: SmoothFunction = (point, gradient) => {
    if (!load(point)) return Number.POSITIVE_INFINITY;
    const distanceFromStart = (i: number): number => (point[i] as number) - (start[i] as number);
    let prior = FLOOR;
    for (let i = states; i < size; i++) prior += (precision[i] as number) * distanceFromStart(i) ** 2;
    let sum = minusTwoLogLikelihood(path, form.relativeError, prior, parts);
    if (!Number.isFinite(sum)) return Number.POSITIVE_INFINITY;
    runGradient(path, smoothing, parts.byFitted, byParameter);
    sum += addInitialStatePenalty(smoothing, values.length, form, period, byParameter);
    toPointGradient(form, point, byParameter, gradient);
    gradient[states] = byParameter.level;
    if (hasTrend) gradient[states + 1] = byParameter.trend;
    for (let s = seasons; s < size; s++) gradient[s] = byParameter.season[s - seasons] as number;
    const pull = (2 * observed) / parts.squares;
    for (let i = 0; i < size; i++) {
      const weighted = (precision[i] as number) * distanceFromStart(i);
      if (i < states) sum += weighted * distanceFromStart(i);
      gradient[i] = (gradient[i] as number) + (i < states ? 2 : pull) * weighted;
    }
    return sum;
  };
  return { value, start, steps, smoothing, path, load };
}

/** The data that a form is fitted to. */
export interface FitData {
  /** In units of the size of the series; NaN at a gap. */
  readonly values: Float64Array;
  readonly observed: number;
  readonly period: number;
}
