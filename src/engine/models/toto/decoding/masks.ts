import { type PackedCalls, packedPosition } from './network-call.ts';

/** A score to which this is added gets a weight of 0. It is not infinite, because infinity minus infinity is NaN. */
const HIDDEN = -1e30;

/** The group of patches without an observation: they attend to each other only, and no other patch attends to them. */
const EMPTY_GROUP = -1;

/** Returns, for each variate and position, the mask of the earlier positions of the same call that it attends to. */
export function timeMask({ calls, count }: PackedCalls, variates: number): Float32Array {
  const mask = new Float32Array(variates * count * count).fill(HIDDEN);
  for (let variate = 0; variate < variates; variate++) {
    for (const packedCall of calls) {
      const isEmpty = packedCall.call.isEmptyPatch[variate] as Uint8Array;
      for (let from = 0; from < packedCall.call.positions.length; from++) {
        const row = (variate * count + packedPosition(packedCall, from)) * count;
        for (let to = 0; to <= from; to++) {
          if ((isEmpty[from] ?? 0) === (isEmpty[to] ?? 0)) mask[row + packedPosition(packedCall, to)] = 0;
        }
      }
    }
  }
  return mask;
}

/** Returns the rows of a time mask for the kept positions, which come last. */
export function keptRows(mask: Float32Array, { count, kept }: PackedCalls, variates: number): Float32Array {
  const rows = new Float32Array(variates * kept * count);
  for (let variate = 0; variate < variates; variate++) {
    const end = (variate + 1) * count * count;
    rows.set(mask.subarray(end - kept * count, end), variate * kept * count);
  }
  return rows;
}

/** Returns, for each position, the mask of the variates that attend to each other: those of the same group. */
export function variateMask({ calls, count }: PackedCalls, variates: number): Float32Array {
  const mask = new Float32Array(count * variates * variates);
  // A single series attends to itself.
  if (variates === 1) return mask;
  for (const packedCall of calls) {
    const { isEmptyPatch, seriesIds, positions } = packedCall.call;
    positions.forEach(({ groupIndex }, position) => {
      const groups = seriesIds.map((id, variate) => (isEmptyPatch[variate]?.[groupIndex] === 1 ? EMPTY_GROUP : id));
      const first = packedPosition(packedCall, position) * variates * variates;
      groups.forEach((group, a) => {
        groups.forEach((other, b) => {
          mask[first + a * variates + b] = group === other ? 0 : HIDDEN;
        });
      });
    });
  }
  return mask;
}
