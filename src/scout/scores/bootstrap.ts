import { createRandom, type Interval } from '../../engine/index.ts';

export interface BootstrapOptions {
  /** The same seed gives the same intervals. */
  readonly seed?: number | undefined;
  readonly draws?: number | undefined;
}

const DEFAULT_DRAWS = 1_000;
const DEFAULT_SEED = 1;

/**
 * Yields the sum of each draw. Each draw takes the same number of clusters as the sample, with replacement. Yields
 * nothing if there are fewer than two clusters, because the variation of a single cluster is unknown.
 */
export function* resample(
  clusters: readonly Float64Array[],
  { seed = DEFAULT_SEED, draws = DEFAULT_DRAWS }: BootstrapOptions = {},
): Generator<Float64Array> {
  const count = clusters.length;
  if (count < 2) return;
  const width = clusters[0]?.length ?? 0;
  const { starts, positions, amounts } = toSparse(clusters);
  const random = createRandom(seed);
  for (let draw = 0; draw < draws; draw++) {
    const sum = new Float64Array(width);
    for (let i = 0; i < count; i++) {
      const drawn = Math.floor(random.uniform() * count);
      const end = starts[drawn + 1] as number;
      for (let k = starts[drawn] as number; k < end; k++) {
        const position = positions[k] as number;
        sum[position] = (sum[position] as number) + (amounts[k] as number);
      }
    }
    yield sum;
  }
}

/**
 * Lists the nonzero amounts of each cluster. A single question has few of them, so drawing thousands of clusters takes
 * less time.
 */
function toSparse(clusters: readonly Float64Array[]) {
  const starts = [0];
  const positions: number[] = [];
  const amounts: number[] = [];
  for (const cluster of clusters) {
    cluster.forEach((amount, position) => {
      if (amount === 0) return;
      positions.push(position);
      amounts.push(amount);
    });
    starts.push(positions.length);
  }
  return {
    starts: Int32Array.from(starts),
    positions: Int32Array.from(positions),
    amounts: Float64Array.from(amounts),
  };
}

/** Figures that differ by less count as equal. */
const ROUNDING = 1e-12;

/**
 * Returns the interval that contains the middle 95% of the drawn figures. In `drawn`, null stands for a draw without a
 * figure. Returns null if no draw has a figure. If some draws have none, also returns null if fewer than half have one
 * or all figures are equal, because the spread cannot be estimated then.
 */
export function percentileInterval(drawn: readonly (number | null)[]): Interval | null {
  const figures = drawn.filter((figure) => figure !== null);
  if (figures.length === 0 || 2 * figures.length < drawn.length) return null;
  const sorted = Float64Array.from(figures).sort();
  const quantile = (share: number): number => {
    const index = share * (sorted.length - 1);
    const [below, above] = [sorted[Math.floor(index)], sorted[Math.ceil(index)]] as [number, number];
    return below + (index - Math.floor(index)) * (above - below);
  };
  const [low, high] = [quantile(0.025), quantile(0.975)];
  return figures.length < drawn.length && high - low < ROUNDING ? null : { low, high };
}
