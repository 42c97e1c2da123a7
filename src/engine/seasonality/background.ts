import { log } from '../numerics/elementary.ts';
import { cos } from '../numerics/trigonometric.ts';

/**
 * A range of frequencies around one harmonic, in cycles over all values. Multiples of the number of seasons are
 * harmonics and do not belong to it.
 */
export interface Neighborhood {
  readonly from: number;
  readonly to: number;
}

/** The power spectrum that the changes of a series would have without a season. */
interface Background {
  /** Returns the power at a frequency, divided by the shape of the background. */
  flatPower(cycles: number): number;
  /** Returns the mean flat power of the frequencies in a neighborhood; 0 if it is empty. */
  mean(around: Neighborhood): number;
}

/**
 * Candidates for the share of a change that the next change reverts: 0 for a random walk, 1 for noise, and between
 * these for a mixture.
 */
const REVERTED_SHARES = [0, 0.3, 0.6, 0.8, 0.9, 1];

/**
 * Fits the background. The spectrum of the changes of noise rises with the frequency; for a random walk it is flat.
 * Dividing the spectrum by the shape with the highest Whittle likelihood makes neighboring frequencies comparable.
 *
 * @param seasonCount number of whole seasons that the changes span
 */
export function fitBackground(
  changes: Float64Array,
  seasonCount: number,
  neighborhoods: readonly Neighborhood[],
): Background {
  const powers = new Map<number, number>();
  for (const { from, to } of neighborhoods) {
    for (let cycles = from; cycles <= to; cycles++) {
      if (cycles % seasonCount !== 0 && !powers.has(cycles)) powers.set(cycles, powerAt(changes, cycles));
    }
  }
  let shape = (_cycles: number): number => 1;
  let least = Number.POSITIVE_INFINITY;
  for (const share of REVERTED_SHARES) {
    const trial = (cycles: number): number =>
      1 + share * share - 2 * share * cos((2 * Math.PI * cycles) / changes.length);
    let sum = 0;
    let logs = 0;
    for (const [cycles, power] of powers) {
      sum += power / trial(cycles);
      logs += log(trial(cycles));
    }
    const loss = powers.size * log(Math.max(sum, Number.MIN_VALUE)) + logs;
    if (loss < least) {
      least = loss;
      shape = trial;
    }
  }
  return {
    flatPower: (cycles) => powerAt(changes, cycles) / shape(cycles),
    mean({ from, to }) {
      let sum = 0;
      let count = 0;
      for (let cycles = from; cycles <= to; cycles++) {
        if (cycles % seasonCount === 0) continue;
        sum += (powers.get(cycles) as number) / shape(cycles);
        count++;
      }
      return count === 0 ? 0 : sum / count;
    },
  };
}

/** Returns the power of centered values at one frequency, given in cycles over all values (Goertzel's recursion). */
function powerAt(values: Float64Array, cycles: number): number {
  const coefficient = 2 * cos((2 * Math.PI * cycles) / values.length);
  let before = 0;
  let last = 0;
  for (let t = 0; t < values.length; t++) {
    const now = (values[t] as number) + coefficient * last - before;
    before = last;
    last = now;
  }
  return Math.max(0, last * last + before * before - coefficient * last * before);
}
