/** Share of a recent change of the variance that lasts. */
const LASTING = 0.4;
/** The recent past: residuals lose half of their weight after two seasons, or after this many periods. */
const SHORTEST_HALF_LIFE = 8;
/** Factors outside this range rest on too little to be believed. */
const SMALLEST = 0.5;
const LARGEST = 2.5;

/**
 * Factor on the standard deviation for what the last one-step residuals say. Models take the variance of surprises as
 * constant; in most real series it moves with time.
 *
 * @param residuals oldest first; NaN where nothing was observed
 */
export function recentSpread(residuals: Float64Array, season: number): number {
  const decay = 0.5 ** (1 / Math.max(2 * season, SHORTEST_HALF_LIFE));
  let weighted = 0;
  let weights = 0;
  let plain = 0;
  let count = 0;
  let weight = 1;
  for (let t = residuals.length - 1; t >= 0; t--) {
    const square = (residuals[t] as number) ** 2;
    if (Number.isNaN(square)) continue;
    weighted += weight * square;
    weights += weight;
    plain += square;
    count++;
    weight *= decay;
  }
  const ratio = plain > 0 ? weighted / weights / (plain / count) : 1;
  return boundedFactor(ratio ** (LASTING / 2));
}

export function boundedFactor(factor: number): number {
  return Math.max(SMALLEST, Math.min(LARGEST, factor));
}
