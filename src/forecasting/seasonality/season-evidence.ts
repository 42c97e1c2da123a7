import { harmonicChance } from './line-spectrum.ts';

const MAX_HARMONICS = 6;
/** Enough rounds to be sure of any season, and few enough that 50,000 values cost no more than 5,000. */
const MAX_VALUES = 6000;

/**
 * How surely the changes repeat after `season` periods: minus the logarithm (base 10) of the chance that they do not,
 * all harmonics taken together by Fisher's method.
 *
 * @param inside a shorter season found already that divides this one: its harmonics are no evidence for the longer
 */
export function seasonEvidence(changes: Float64Array, season: number, inside: number): number {
  const rounds = Math.min(Math.floor(changes.length / season), Math.max(2, Math.floor(MAX_VALUES / season)));
  if (rounds < 2) return 0;
  const recent = changes.slice(changes.length - rounds * season);
  const mean = recent.reduce((sum, change) => sum + change, 0) / recent.length;
  const centred = recent.map((change) => change - mean);
  const skip = inside > 1 && season % inside === 0 ? season / inside : Number.POSITIVE_INFINITY;
  let logChance = 0;
  let used = 0;
  for (let harmonic = 1; harmonic <= Math.floor(season / 2) && used < MAX_HARMONICS; harmonic++) {
    if (harmonic % skip === 0) continue;
    logChance += Math.log(Math.max(harmonicChance(centred, rounds, harmonic), 1e-30));
    used++;
  }
  return used === 0 ? 0 : -Math.log10(Math.max(fisherChance(-logChance, used), 1e-300));
}

/** The chance that the sum of `count` exponential draws exceeds `sum` (the tail of Fisher's statistic). */
function fisherChance(sum: number, count: number): number {
  let term = 1;
  let total = 1;
  for (let i = 1; i < count; i++) {
    term *= sum / i;
    total += term;
  }
  return Math.exp(-sum) * total;
}
