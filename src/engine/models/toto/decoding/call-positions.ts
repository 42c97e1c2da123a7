/** Where a forecast stands: its past, the blocks it is made in, and which of these is next. */
export interface Progress {
  readonly contextPatches: number;
  readonly forecastPatches: number;
  readonly blockPatches: number;
  /** Patches forecast so far: a multiple of `blockPatches`. */
  readonly done: number;
}

export interface CallPosition {
  /** What the scale of xPos counts from. */
  readonly centre: number;
  /** At which position the groups are read that layers over variates go by. */
  readonly groupIndex: number;
}

/**
 * How the original sees each position that the next block is forecast from. It keeps the keys and values of earlier
 * blocks, which has two effects that show in its numbers. Keys of the past keep the centre of the call that made them,
 * while new queries count from a new one. And every call after the first reads groups from the start of the past,
 * whatever positions it works on. Here each call computes all positions anew, but with what they had in the call that
 * they stem from: the numbers are the same, and there is no state to carry.
 */
export function callPositions(progress: Progress): CallPosition[] {
  const { contextPatches, blockPatches, done } = progress;
  const call = done / blockPatches;
  // A position forecasts the patch after it: the last patch of the block is not among them.
  const count = contextPatches + done + blockLength(progress, call) - 1;
  return Array.from({ length: count }, (_, position) => {
    const block = Math.floor((position - contextPatches) / blockPatches);
    // The medians of a block are first read in the call after the one that forecast it.
    const madeIn = position < contextPatches ? 0 : Math.min(block + 1, call);
    const firstPosition = madeIn === 0 ? 0 : contextPatches + (madeIn - 1) * blockPatches;
    const end = contextPatches + madeIn * blockPatches + blockLength(progress, madeIn);
    return { centre: Math.floor(end / 2), groupIndex: position - firstPosition };
  });
}

/** How many patches a call forecasts; the last may have fewer left. */
export function blockLength({ forecastPatches, blockPatches }: Progress, call: number): number {
  return Math.min(blockPatches, forecastPatches - call * blockPatches);
}
