/** The input of the network for one set of series. One run can process several calls. */
export interface NetworkCall {
  /** The tokens of each series, one after the other. */
  readonly tokens: readonly Float32Array[];
  readonly positions: readonly CallPosition[];
  /** The number of kept positions: those with results, which come last. */
  readonly kept: number;
  /** For each series and each patch of its past, 1 if the patch has no observation. */
  readonly isEmptyPatch: readonly Uint8Array[];
  /** Series with the same number are forecast jointly. */
  readonly seriesIds: readonly number[];
}

/** The positions of one call in a run of several calls. */
interface PackedCall {
  readonly call: NetworkCall;
  /**
   * The first position without a result, and the first kept position. In a run, all kept positions follow the others.
   */
  readonly firstEarly: number;
  readonly firstKept: number;
}

export interface PackedCalls {
  readonly calls: readonly PackedCall[];
  readonly count: number;
  /** The number of kept positions: those with results, which come last. */
  readonly kept: number;
}

/** Packs calls of different lengths into one run without padding. */
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

/** Converts a position in a call to the position in the run. */
export function packedPosition({ call, firstEarly, firstKept }: PackedCall, position: number): number {
  const early = call.positions.length - call.kept;
  return position < early ? firstEarly + position : firstKept + position - early;
}

/** The progress of a forecast: its past, its blocks, and which block is next. */
export interface BlockProgress {
  readonly contextPatches: number;
  readonly forecastPatches: number;
  readonly blockPatches: number;
  /** Number of patches forecast so far, a multiple of `blockPatches`. */
  readonly done: number;
}

interface CallPosition {
  /** The position from which the scale of xPos counts. */
  readonly center: number;
  /** The position whose groups the variate layers use. */
  readonly groupIndex: number;
}

/**
 * Returns the center and the groups of each position from which the next block is forecast. The reference
 * implementation caches the keys and values of earlier blocks, which affects its numbers in two ways. Cached keys keep
 * the center of the call that computed them, while new queries count from a new center. And every call after the first
 * reads groups from the start of the past, whatever positions it computes. Here each call computes all positions again,
 * with the center and groups of the call that first computed them. The numbers are the same, and nothing has to be
 * cached.
 */
export function callPositions(progress: BlockProgress): CallPosition[] {
  const { contextPatches, blockPatches, done } = progress;
  const call = done / blockPatches;
  // Each position forecasts the next patch, so the last patch of the block is not an input.
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

/** Returns how many patches a call forecasts; the last call may forecast fewer than the others. */
export function blockLength({ forecastPatches, blockPatches }: BlockProgress, call: number): number {
  return Math.min(blockPatches, forecastPatches - call * blockPatches);
}
