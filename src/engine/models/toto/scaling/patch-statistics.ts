/** A past in patches: a value for each period, and 1 where it counts as observed. */
export interface PatchedRow {
  readonly values: Float64Array;
  readonly observed: Uint8Array;
}

/** What each patch is measured with. */
export interface PatchStatistics {
  readonly location: Float64Array;
  readonly scale: Float64Array;
}

/** A past that stands still has no scale of its own. */
export const MIN_SCALE = 1e-6;

/**
 * Mean and standard deviation of everything observed up to the end of each patch. Looking at the past only, the network
 * reads every position as it would have looked then; patches without observations keep what was known before.
 */
export function patchStatistics({ values, observed }: PatchedRow, patchSize: number): PatchStatistics {
  const patches = values.length / patchSize;
  const location = new Float64Array(patches);
  const scale = new Float64Array(patches);
  let count = 0;
  let sum = 0;
  let mean = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    if (observed[i] === 1) {
      const value = values[i] as number;
      const before = mean;
      count++;
      sum += value;
      mean = sum / count;
      squares += (value - before) * (value - mean);
    }
    if ((i + 1) % patchSize === 0) {
      const patch = (i + 1) / patchSize - 1;
      location[patch] = mean;
      scale[patch] = Math.max(Math.sqrt(squares / Math.max(count - 1, 1)), MIN_SCALE);
    }
  }
  return { location, scale };
}
