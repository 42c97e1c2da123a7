/** A past in whole patches. For each period it has a value, and in `observed` a 1 if the value counts as observed. */
export interface PatchedRow {
  readonly values: Float64Array;
  readonly observed: Uint8Array;
}

/** A range of values. */
export interface ValueRange {
  readonly low: number;
  readonly high: number;
}

/** The longest context that the published models were trained on. */
const MAX_PERIODS = 4096;

/**
 * Returns the part of a past that the network reads, in whole patches. The oldest periods are dropped if they do not
 * fill a patch, because a first patch with few observations would distort the scale. A past shorter than one patch is
 * padded on the left. A gap (NaN) gets the value before it, which counts as observed only in the last patch.
 */
export function cutContext(past: Float64Array, patchSize: number): PatchedRow {
  const length = Math.min(past.length, MAX_PERIODS);
  const kept = past.subarray(past.length - (length < patchSize ? length : length - (length % patchSize)));
  return fillLeft(kept, Math.max(kept.length, patchSize));
}

/** Returns the same part without dropping periods: the first patch is padded on the left with unobserved periods. */
export function padContext(past: Float64Array, patchSize: number): PatchedRow {
  const kept = past.subarray(-MAX_PERIODS);
  return fillLeft(kept, Math.max(Math.ceil(kept.length / patchSize), 1) * patchSize);
}

function fillLeft(kept: Float64Array, length: number): PatchedRow {
  const values = new Float64Array(length);
  const observed = new Uint8Array(values.length);
  const first = values.length - kept.length;
  let before = kept.find((value) => !Number.isNaN(value)) ?? 0;
  values.fill(before, 0, first);
  kept.forEach((value, i) => {
    if (!Number.isNaN(value)) {
      before = value;
      observed[first + i] = 1;
    }
    values[first + i] = before;
  });
  return { values, observed };
}

/** Returns, for each patch, 1 if it has no observation. */
export function findEmptyPatches(observed: Uint8Array, patchSize: number): Uint8Array {
  return Uint8Array.from({ length: observed.length / patchSize }, (_, patch) =>
    observed.subarray(patch * patchSize, (patch + 1) * patchSize).includes(1) ? 0 : 1,
  );
}

/** Returns, for each patch, 1 if it has no observation and lies before the last observation. */
export function findInnerEmptyPatches(observed: Uint8Array, patchSize: number): Uint8Array {
  const empty = findEmptyPatches(observed, patchSize);
  return empty.fill(0, empty.lastIndexOf(0) + 1);
}

/** Returns the smallest and the largest observed value; if there is none, the smallest is above the largest. */
export function observedRange({ values, observed }: PatchedRow): ValueRange {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    if (observed[i] !== 1) continue;
    low = Math.min(low, values[i] as number);
    high = Math.max(high, values[i] as number);
  }
  return { low, high };
}
