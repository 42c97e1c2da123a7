import { exp, log } from '../../numerics/elementary.ts';
import type { EtsForm } from './form.ts';
import type { PathGradient } from './gradient.ts';
import type { Smoothing } from './recursion.ts';

// The usual region, as in R's forecast::ets: 0 < beta < alpha, 0 < gamma < 1 - alpha, phi within [0.8, 0.98].
const LOWEST = 1e-4;
const HIGHEST = 0.9999;
const PHI_LOWEST = 0.8;
const PHI_HIGHEST = 0.98;

/** Returns the number of free coordinates of a form's smoothing parameters. */
export function countSmoothingCoordinates(form: EtsForm): number {
  return 1 + (form.trend === 'none' ? 0 : 1) + (form.season === 'none' ? 0 : 1) + (form.trend === 'damped' ? 1 : 0);
}

/**
 * Converts free coordinates to smoothing parameters. Each parameter is a logistic share of the interval that the others
 * leave, so an unconstrained search stays in the usual region.
 */
export function toSmoothing(form: EtsForm, point: Float64Array, into: Smoothing): void {
  let at = 0;
  into.alpha = LOWEST + (HIGHEST - LOWEST) * logistic(point[at++] as number);
  into.beta = form.trend === 'none' ? 0 : LOWEST + (into.alpha - LOWEST) * logistic(point[at++] as number);
  into.gamma = form.season === 'none' ? 0 : LOWEST + (1 - into.alpha - LOWEST) * logistic(point[at++] as number);
  into.phi = form.trend === 'damped' ? PHI_LOWEST + (PHI_HIGHEST - PHI_LOWEST) * logistic(point[at] as number) : 1;
}

/** Inverts `toSmoothing`: converts starting values to free coordinates. */
export function fromSmoothing(form: EtsForm, smoothing: Smoothing, into: Float64Array): void {
  const { alpha, beta, gamma, phi } = smoothing;
  let at = 0;
  into[at++] = logit((alpha - LOWEST) / (HIGHEST - LOWEST));
  if (form.trend !== 'none') into[at++] = logit((beta - LOWEST) / (alpha - LOWEST));
  if (form.season !== 'none') into[at++] = logit((gamma - LOWEST) / (1 - alpha - LOWEST));
  if (form.trend === 'damped') into[at] = logit((phi - PHI_LOWEST) / (PHI_HIGHEST - PHI_LOWEST));
}

/**
 * Applies the chain rule through `toSmoothing`: converts derivatives with respect to smoothing parameters to
 * derivatives with respect to coordinates.
 */
export function toPointGradient(form: EtsForm, point: Float64Array, by: PathGradient, into: Float64Array): void {
  const alphaShare = logistic(point[0] as number);
  const alpha = LOWEST + (HIGHEST - LOWEST) * alphaShare;
  let byAlpha = by.alpha;
  let at = 1;
  if (form.trend !== 'none') {
    const share = logistic(point[at] as number);
    byAlpha += by.beta * share;
    into[at++] = by.beta * (alpha - LOWEST) * share * (1 - share);
  }
  if (form.season !== 'none') {
    const share = logistic(point[at] as number);
    byAlpha -= by.gamma * share;
    into[at++] = by.gamma * (1 - alpha - LOWEST) * share * (1 - share);
  }
  if (form.trend === 'damped') {
    const share = logistic(point[at] as number);
    into[at] = by.phi * (PHI_HIGHEST - PHI_LOWEST) * share * (1 - share);
  }
  into[0] = byAlpha * (HIGHEST - LOWEST) * alphaShare * (1 - alphaShare);
}

function logistic(x: number): number {
  return 1 / (1 + exp(-x));
}

function logit(share: number): number {
  const inside = Math.min(1 - 1e-6, Math.max(1e-6, share));
  return log(inside / (1 - inside));
}

/**
 * Returns whether a seasonal form forgets its initial states, so that old data lose their weight. It does if all roots
 * of its discount polynomial lie inside the unit circle (Hyndman, Koehler, Ord and Snyder 2008, section 10.2). For a
 * form with a trend, the usual region does not guarantee this. The Schur-Cohn recursion checks the condition without
 * computing the roots.
 */
export function isAdmissible({ alpha, beta, gamma, phi }: Smoothing, period: number): boolean {
  const inner = alpha + beta - alpha * phi;
  // Coefficients of z^(m+1), z^m, ..., z, 1.
  let a = new Float64Array(period + 2).fill(inner);
  a[0] = 1;
  a[1] = alpha + beta - phi;
  a[period] = inner + gamma - 1;
  a[period + 1] = phi * (1 - alpha - gamma);
  for (let degree = period + 1; degree > 0; degree--) {
    const last = a[degree] as number;
    if (!(Math.abs(last) < 1)) return false;
    const next = new Float64Array(degree);
    for (let i = 0; i < degree; i++)
      next[i] = ((a[i] as number) - last * (a[degree - i] as number)) / (1 - last * last);
    a = next;
  }
  return true;
}
