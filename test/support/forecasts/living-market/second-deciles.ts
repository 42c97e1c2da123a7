import type { SecondRow } from './second-scores.ts';

// The tenths of a predicted distribution, computed a second time: without the code of src.

/** Returns the probability that a standard normal value is smaller, by Simpson's rule. */
function cumulative(score: number): number {
  const steps = 400;
  const width = Math.abs(score) / steps;
  let sum = 0;
  for (let i = 0; i <= steps; i++) {
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2;
    sum += weight * Math.exp(-((i * width) ** 2) / 2);
  }
  const half = (sum * width) / 3 / Math.sqrt(2 * Math.PI);
  return score < 0 ? 0.5 - half : 0.5 + half;
}

const scores = new Map<number, number>();

/** Returns the score of a probability, by bisection. */
function scoreOf(probability: number): number {
  const known = scores.get(probability);
  if (known !== undefined) return known;
  let [low, high] = [-8, 8];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (cumulative(middle) < probability) low = middle;
    else high = middle;
  }
  scores.set(probability, (low + high) / 2);
  return (low + high) / 2;
}

/** Returns whether the levels of a row reach the outer tenths, without a gap of more than 0.4. */
export function hasDeciles({ quantiles }: SecondRow): boolean {
  const levels = quantiles.map(([level]) => level);
  const gaps = levels.slice(1).map((level, i) => level - (levels[i] as number));
  return Math.min(...levels) <= 0.1 && Math.max(...levels) >= 0.9 && Math.max(...gaps) < 0.400001;
}

/**
 * Returns by how much a row adds to each tenth. The place of a value between two quantiles is interpolated between their
 * normal scores. A value that equals quantiles is spread over the places that they cover.
 */
export function decilesOf({ actual, quantiles }: SecondRow): number[] {
  const equal = quantiles.filter(([, value]) => value === actual).map(([level]) => level);
  if (equal.length > 0) return spread(equal, quantiles);
  const below = quantiles.findLast(([, value]) => value < actual);
  const above = quantiles.find(([, value]) => value > actual);
  const shares = new Array<number>(10).fill(0);
  const place = below && above ? interpolate(below, above, actual) : below ? 0.95 : 0.05;
  shares[Math.min(9, Math.floor(place * 10))] = 1;
  return shares;
}

type Quantile = SecondRow['quantiles'][number];

function interpolate([low, from]: Quantile, [high, to]: Quantile, actual: number): number {
  const share = (actual - from) / (to - from);
  return cumulative(scoreOf(low) + share * (scoreOf(high) - scoreOf(low)));
}

function spread(equal: readonly number[], quantiles: SecondRow['quantiles']): number[] {
  const [first, last] = [quantiles[0]?.[0], quantiles.at(-1)?.[0]];
  let [from, to] = [Math.min(...equal), Math.max(...equal)];
  if (equal.length > 1 && from === first) from = 0;
  if (equal.length > 1 && to === last) to = 1;
  // In thousandths, of which each belongs to one tenth; a single place has the one below and the one above.
  const low = Math.round(from * 1_000);
  const high = Math.round(to * 1_000);
  const [begin, end] = low === high ? [low - 1, high + 1] : [low, high];
  return Array.from({ length: 10 }, (_, i) => {
    const inside = Math.min(end, (i + 1) * 100) - Math.max(begin, i * 100);
    return Math.max(0, inside) / (end - begin);
  });
}
