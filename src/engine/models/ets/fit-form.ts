import { minimiseSmooth } from '../../numerics/minimise-smooth.ts';
import type { FitData } from './fit-data.ts';
import { type EtsForm, parameterCount } from './form.ts';
import type { InitialStates } from './initial-states.ts';
import { createObjective } from './objective.ts';
import type { Smoothing, StatePath } from './recursion.ts';
import { smoothingSize } from './smoothing-space.ts';

/** One form fitted to one series. */
export interface FittedForm {
  readonly form: EtsForm;
  readonly smoothing: Smoothing;
  /** The filtered states at the best parameters. */
  readonly path: StatePath;
  /** Variance of the errors, of relative ones where the form has them. */
  readonly variance: number;
  /** How many observations are left once every parameter and initial state has taken one. */
  readonly freedom: number;
  readonly aicc: number;
}

const MAX_ITERATIONS = 80;
/** In units of -2 log likelihood: far below what decides between two forms. */
const TOLERANCE = 2e-3;

/** Relative errors of more than the value itself: no such model is meant, and its variance explodes with the step. */
const MAX_RELATIVE_VARIANCE = 1;

/**
 * Fits smoothing parameters and initial states together; null where the form cannot describe these data. The corrected
 * information criterion counts the smoothing parameters and the variance only: initial states are integrated out.
 */
export function fitForm(data: FitData, form: EtsForm, initial: InitialStates): FittedForm | null {
  const freedom = data.observed - parameterCount(form, data.period);
  if (freedom < 2) return null;
  const { value, start, steps, smoothing, path, load } = createObjective(data, form, initial);
  const best = minimiseSmooth(value, start, { steps, maxIterations: MAX_ITERATIONS, tolerance: TOLERANCE });
  if (!Number.isFinite(best.value) || !load(best.point)) return null;
  let squares = 0;
  for (let t = 0; t < path.miss.length; t++) {
    const unit = form.relativeError ? (path.fitted[t] as number) : 1;
    squares += ((path.miss[t] as number) / unit) ** 2;
  }
  const variance = squares / (freedom + 1);
  if (form.relativeError && variance > MAX_RELATIVE_VARIANCE) return null;
  const count = smoothingSize(form) + 1;
  const correction = (2 * count * (count + 1)) / (data.observed - count - 1);
  return {
    form,
    smoothing,
    path,
    variance,
    freedom,
    aicc: best.value + 2 * count + correction,
  };
}
