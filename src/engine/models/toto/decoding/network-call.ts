/** The input of the network for one set of series; one run can process several sets. */
export interface NetworkCall {
  /** For each series its tokens, one after the other. */
  readonly tokens: readonly Float32Array[];
  readonly positions: readonly CallPosition[];
  /** The number of positions with results, which come last. */
  readonly kept: number;
  /** For each series a 1 for each patch of its past without an observation. */
  readonly isEmptyPatch: readonly Uint8Array[];
  /** Series with the same number are forecast jointly. */
  readonly seriesIds: readonly number[];
}

/** The positions of one call in a run of several calls. */
interface PackedCall {
  readonly call: NetworkCall;
  /** The first position without a result, and the first with one; all positions with results follow those without. */
  readonly firstEarly: number;
  readonly firstKept: number;
}

export interface PackedCalls {
  readonly calls: readonly PackedCall[];
  readonly count: number;
  /** The number of positions with results, which come last. */
  readonly kept: number;
}

/** Packs calls one after the other, without the padding that equal lengths would need. */
export function pack(calls: readonly NetworkCall[]): PackedCalls {
  const kept = calls.reduce((sum, call) => sum + call.kept, 0);
  const count = calls.reduce((sum, call) => sum + call.positions.length, 0);
  let firstEarly = 0;
  let firstKept = count - kept;
  const packed = calls.map((call) => {
    const packedCall = { call, firstEarly, firstKept };
    firstEarly += call.positions.length - call.kept;
    firstKept += call.kept;
    return packedCall;
  });
  return { calls: packed, count, kept };
}

/** Returns the position in the run of a position of a call. */
export function packedPosition({ call, firstEarly, firstKept }: PackedCall, position: number): number {
  const early = call.positions.length - call.kept;
  return position < early ? firstEarly + position : firstKept + position - early;
}

/** The progress of a forecast: its past, its blocks, and which of these is next. */
export interface BlockProgress {
  readonly contextPatches: number;
  readonly forecastPatches: number;
  readonly blockPatches: number;
  /** Patches forecast so far: a multiple of `blockPatches`. */
  readonly done: number;
}

interface CallPosition {
  /** The position from which the scale of xPos counts. */
  readonly center: number;
  /** The position whose groups the layers over variates use. */
  readonly groupIndex: number;
}

/**
 * Returns how the original treats each position that the next block is forecast from. The original keeps the keys and
 * values of earlier blocks, which has two effects on its numbers. Keys of the past keep the center of the call that
 * computed them, while new queries count from a new center. And every call after the first reads groups from the start
 * of the past, whatever positions it computes. Here each call computes all positions again, with the center and groups
 * of the call that first computed them: the numbers are the same, and no state has to be kept.
 */
export function callPositions(progress: BlockProgress): CallPosition[] {
  const { contextPatches, blockPatches, done } = progress;
  const call = done / blockPatches;
  // A position forecasts the patch after it, so the last patch of the block is not an input.
  const count = contextPatches + done + blockLength(progress, call) - 1;
  return Array.from({ length: count }, (_, position) => {
    const block = Math.floor((position - contextPatches) / blockPatches);
    // The medians of a block are first used in the call after the one that forecast it.
    const madeIn = position < contextPatches ? 0 : Math.min(block + 1, call);
    const firstPosition = madeIn === 0 ? 0 : contextPatches + (madeIn - 1) * blockPatches;
    const end = contextPatches + madeIn * blockPatches + blockLength(progress, madeIn);
    return { center: Math.floor(end / 2), groupIndex: position - firstPosition };
  });
}

/** Returns how many patches a call forecasts; the last call may have fewer. */
export function blockLength({ forecastPatches, blockPatches }: BlockProgress, call: number): number {
  return Math.min(blockPatches, forecastPatches - call * blockPatches);
}
