import type { PatchedRow } from './patch-statistics.ts';

/** What the published models were trained to look back on. */
const MAX_PERIODS = 4096;

/**
 * The part of a past that the network sees, in whole patches. The oldest periods give way where they fill no patch of
 * their own: a first patch with few observations would unsettle the scale. A past shorter than one patch is filled up
 * on the left. Gaps (NaN) hold the value before them, which counts in the last patch only.
 */
export function cutContext(past: Float64Array, patchSize: number): PatchedRow {
  const length = Math.min(past.length, MAX_PERIODS);
  const kept = past.subarray(past.length - (length < patchSize ? length : length - (length % patchSize)));
  return fillLeft(kept, Math.max(kept.length, patchSize));
}

/** The same without giving up any: the first patch is filled up on the left with periods that were not observed. */
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
