import { type AbortFlag, throwIfAborted } from '../../model.ts';
import { minimizeSmooth } from '../../numerics/minimize-smooth.ts';
import { fillGaps } from '../../numerics/prepare-values.ts';
import { candidateForms, countFormParameters, type EtsForm, type SeasonKind } from './form.ts';
import { guessInitialStates, type InitialStates } from './initial-states.ts';
import { createObjective, type FitData } from './objective.ts';
import type { Smoothing, StatePath } from './recursion.ts';
import { countSmoothingCoordinates } from './smoothing-space.ts';

/** One form, fitted to one series. */
export interface FittedForm {
  readonly form: EtsForm;
  readonly smoothing: Smoothing;
  /** The filtered states at the best parameters. */
  readonly path: StatePath;
  /** Variance of the errors; of the relative errors if the form has relative errors. */
  readonly variance: number;
  /** Degrees of freedom: the number of observations minus the number of parameters and initial states. */
  readonly freedom: number;
  readonly aicc: number;
}

const MAX_ITERATIONS = 80;
/** In units of -2 log likelihood. Differences between forms are far larger. */
const TOLERANCE = 2e-3;

/**
 * Relative errors larger than the value itself indicate a wrong form, whose variance explodes with the number of steps.
 */
const MAX_RELATIVE_VARIANCE = 1;

/**
 * Fits smoothing parameters and initial states together. Returns null if the form cannot describe the data. The
 * corrected information criterion counts the smoothing parameters and the variance only, because the initial states are
 * integrated out.
 */
function fitForm(data: FitData, form: EtsForm, initial: InitialStates): FittedForm | null {
  const freedom = data.observed - countFormParameters(form, data.period);
  if (freedom < 2) return null;
  const { value, start, steps, smoothing, path, load } = createObjective(data, form, initial);
  const best = minimizeSmooth(value, start, { steps, maxIterations: MAX_ITERATIONS, tolerance: TOLERANCE });
  if (!Number.isFinite(best.value) || !load(best.point)) return null;
  let squares = 0;
  for (let t = 0; t < path.residual.length; t++) {
    const unit = form.relativeError ? (path.fitted[t] as number) : 1;
    squares += ((path.residual[t] as number) / unit) ** 2;
  }
  const variance = squares / (freedom + 1);
  if (form.relativeError && variance > MAX_RELATIVE_VARIANCE) return null;
  const count = countSmoothingCoordinates(form) + 1;
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

/** Fits every form that suits the data. Returns the fitted forms, the lowest corrected information criterion first. */
export function fitForms(data: FitData, isPositive: boolean, signal: AbortFlag | undefined): FittedForm[] {
  const filled = fillGaps(data.values);
  const guesses = new Map<SeasonKind, ReturnType<typeof guessInitialStates>>();
  const fits: FittedForm[] = [];
  for (const form of candidateForms(isPositive, data.period > 1)) {
    throwIfAborted(signal);
    const { season } = form;
    const period = season === 'none' ? 1 : data.period;
    if (!guesses.has(season)) guesses.set(season, guessInitialStates(filled, period, season));
    const guess = guesses.get(season);
    if (!guess) continue;
    const fit = fitForm({ ...data, period }, form, form.trend === 'none' ? guess.flat : guess.withTrend);
    if (fit) fits.push(fit);
  }
  return fits.sort((a, b) => a.aicc - b.aicc);
}
