import { pow } from '../../numerics/elementary.ts';

/** How fast means forget, and how many observations the mean of all positions counts as for a single position. */
export interface Smoothing {
  /** Periods after which an observation has half of its weight. */
  readonly halfLife: number;
  /** For each season, the shortest first. Infinite: the positions of this season do not differ. */
  readonly strengths: readonly number[];
}

/** Decayed sums of values and of weights: for all periods together, and for each position in each season. */
export interface DecayedSums {
  readonly periods: readonly number[];
  readonly decays: readonly number[];
  readonly sums: readonly Float64Array[];
  readonly weights: readonly Float64Array[];
}

/** @param periods the lengths of the seasons; positions in the first "season" of one period do not differ */
export function createSums(periods: readonly number[], halfLife: number): DecayedSums {
  const all = [1, ...periods];
  return {
    periods: all,
    // A position is visited once per season, and forgets as much between two visits as everything does in a season.
    decays: all.map((period) => pow(0.5, period / halfLife)),
    sums: all.map((period) => new Float64Array(period)),
    weights: all.map((period) => new Float64Array(period)),
  };
}

/** Adds the value of period `t`. Call it for each period in order. @param value NaN if there is none */
export function addValue({ periods, decays, sums, weights }: DecayedSums, t: number, value: number): void {
  const isObserved = !Number.isNaN(value);
  for (let level = 0; level < periods.length; level++) {
    const position = t % (periods[level] as number);
    const sum = sums[level] as Float64Array;
    const weight = weights[level] as Float64Array;
    const decay = decays[level] as number;
    sum[position] = decay * (sum[position] as number) + (isObserved ? value : 0);
    weight[position] = decay * (weight[position] as number) + (isObserved ? 1 : 0);
  }
}

/** Returns the mean of level `level` at period `t`, drawn toward the mean of the level before it. */
export function shrunkMean(sums: DecayedSums, level: number, t: number, strength: number, parent: number): number {
  if (strength === Number.POSITIVE_INFINITY) return parent;
  const position = t % (sums.periods[level] as number);
  const weight = sums.weights[level]?.[position] as number;
  return ((sums.sums[level]?.[position] as number) + strength * parent) / (weight + strength);
}

/** Returns the mean at period `t` with one smoothing. */
export function meanAt(sums: DecayedSums, t: number, overall: number, strengths: readonly number[]): number {
  return strengths.reduce((parent, strength, i) => shrunkMean(sums, i + 1, t, strength, parent), overall);
}

const HALF_LIVES = [3, 10, 30, 100, 300, 1000, 1e6];
const STRENGTHS = [1, 4, 16, Number.POSITIVE_INFINITY];

/** Returns every smoothing that is tried, grouped by half-life. */
export function smoothingsToTry(periods: readonly number[], length: number): readonly (readonly Smoothing[])[] {
  let strengths: number[][] = [[]];
  for (const _ of periods) strengths = strengths.flatMap((before) => STRENGTHS.map((one) => [...before, one]));
  const last = HALF_LIVES.at(-1) as number;
  return HALF_LIVES.filter((halfLife) => halfLife < length || halfLife === last).map((halfLife) =>
    strengths.map((one) => ({ halfLife, strengths: one })),
  );
}
