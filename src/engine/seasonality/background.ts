import { powerAt } from './power.ts';

/** Frequencies around one harmonic, as cycles over all values; multiples of the rounds are harmonics and not meant. */
export interface Neighbourhood {
  readonly from: number;
  readonly to: number;
}

/** What the changes of a series without a season have at each frequency. */
export interface Background {
  /** Power relative to what the shape of the background makes of a flat one. */
  flatPower(cycles: number): number;
  /** Mean flat power of the neighbours; 0 without any. */
  mean(around: Neighbourhood): number;
}

/** Shares of a change that the next one takes back: 0 for a random walk, 1 for noise, between them for both together. */
const TAKEN_BACK = [0, 0.3, 0.6, 0.8, 0.9, 1];

/**
 * The spectrum of the changes of noise rises with the frequency, that of a walk's is flat. Neighbours are comparable
 * once the shape that suits them best (by Whittle's likelihood) is divided out.
 */
export function fitBackground(
  changes: Float64Array,
  rounds: number,
  neighbourhoods: readonly Neighbourhood[],
): Background {
  const powers = new Map<number, number>();
  for (const { from, to } of neighbourhoods) {
    for (let cycles = from; cycles <= to; cycles++) {
      if (cycles % rounds !== 0 && !powers.has(cycles)) powers.set(cycles, powerAt(changes, cycles));
    }
  }
  let shape = (_cycles: number): number => 1;
  let least = Number.POSITIVE_INFINITY;
  for (const share of TAKEN_BACK) {
    const trial = (cycles: number): number =>
      1 + share * share - 2 * share * Math.cos((2 * Math.PI * cycles) / changes.length);
    let sum = 0;
    let logs = 0;
    for (const [cycles, power] of powers) {
      sum += power / trial(cycles);
      logs += Math.log(trial(cycles));
    }
    const loss = powers.size * Math.log(Math.max(sum, Number.MIN_VALUE)) + logs;
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
        if (cycles % rounds === 0) continue;
        sum += (powers.get(cycles) as number) / shape(cycles);
        count++;
      }
      return count === 0 ? 0 : sum / count;
    },
  };
}
