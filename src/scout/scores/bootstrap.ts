import { createRandom } from '../../engine/index.ts';

/** Of 95 %. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  /** The same seed gives the same interval. */
  readonly seed?: number | undefined;
  readonly draws?: number | undefined;
}

const DRAWS = 1_000;
const SEED = 1;

/**
 * Sums of clusters drawn with replacement, as many as there are, again and again. Nothing with fewer than two clusters:
 * what one cluster would vary by cannot be known.
 */
export function* resample(
  clusters: readonly Float64Array[],
  { seed = SEED, draws = DRAWS }: BootstrapOptions = {},
): Generator<Float64Array> {
  const count = clusters.length;
  if (count < 2) return;
  const width = clusters[0]?.length ?? 0;
  const { starts, places, amounts } = withoutZeros(clusters);
  const random = createRandom(seed);
  for (let draw = 0; draw < draws; draw++) {
    const sum = new Float64Array(width);
    for (let i = 0; i < count; i++) {
      const drawn = Math.floor(random.uniform() * count);
      const end = starts[drawn + 1] as number;
      for (let k = starts[drawn] as number; k < end; k++) {
        const place = places[k] as number;
        sum[place] = (sum[place] as number) + (amounts[k] as number);
      }
    }
    yield sum;
  }
}

/** The amounts that are not 0, one cluster after the other: a question alone has few, and thousands are drawn. */
function withoutZeros(clusters: readonly Float64Array[]) {
  const starts = [0];
  const places: number[] = [];
  const amounts: number[] = [];
  for (const cluster of clusters) {
    cluster.forEach((amount, place) => {
      if (amount === 0) return;
      places.push(place);
      amounts.push(amount);
    });
    starts.push(places.length);
  }
  return { starts: Int32Array.from(starts), places: Int32Array.from(places), amounts: Float64Array.from(amounts) };
}

/** Closer together than this, figures differ by rounding alone. */
const ALIKE = 1e-12;

/**
 * The middle 95 % of what the draws gave; a draw that gave no figure is null. Null without any, and where the draws
 * without a figure leave too little to tell a spread from: fewer than half, or figures that are all alike.
 */
export function percentileInterval(drawn: readonly (number | null)[]): Interval | null {
  const given = drawn.filter((figure) => figure !== null);
  if (given.length === 0 || 2 * given.length < drawn.length) return null;
  const sorted = Float64Array.from(given).sort();
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]] as [number, number];
    return below + (place - Math.floor(place)) * (above - below);
  };
  const [low, high] = [at(0.025), at(0.975)];
  return given.length < drawn.length && high - low < ALIKE ? null : { low, high };
}
