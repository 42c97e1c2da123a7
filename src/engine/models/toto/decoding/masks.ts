import { type Packed, placeOf } from './network-call.ts';

/** Added to a score, it leaves nothing of it. Not infinite: infinity minus infinity is no number. */
const HIDDEN = -1e30;

/** The group of patches without any observation: they see each other only, and nobody else sees them. */
const VOID_GROUP = -1;

/** For each variate which earlier positions of its own call each position may look at. */
export function timeMask({ places, count }: Packed, variates: number): Float32Array {
  const mask = new Float32Array(variates * count * count).fill(HIDDEN);
  for (let variate = 0; variate < variates; variate++) {
    for (const place of places) {
      const voids = place.call.isVoid[variate] as Uint8Array;
      for (let from = 0; from < place.call.positions.length; from++) {
        const row = (variate * count + placeOf(place, from)) * count;
        for (let to = 0; to <= from; to++) {
          if ((voids[from] ?? 0) === (voids[to] ?? 0)) mask[row + placeOf(place, to)] = 0;
        }
      }
    }
  }
  return mask;
}

/** The rows of that mask for the positions with results, which come last. */
export function keptRows(mask: Float32Array, { count, kept }: Packed, variates: number): Float32Array {
  const rows = new Float32Array(variates * kept * count);
  for (let variate = 0; variate < variates; variate++) {
    const end = (variate + 1) * count * count;
    rows.set(mask.subarray(end - kept * count, end), variate * kept * count);
  }
  return rows;
}

/** For each position which variates may look at each other: those of the same group. */
export function variateMask({ places, count }: Packed, variates: number): Float32Array {
  const mask = new Float32Array(count * variates * variates);
  // Alone, a series sees itself.
  if (variates === 1) return mask;
  for (const place of places) {
    const { isVoid, seriesIds, positions } = place.call;
    positions.forEach(({ groupIndex }, position) => {
      const groups = seriesIds.map((id, variate) => (isVoid[variate]?.[groupIndex] === 1 ? VOID_GROUP : id));
      const first = placeOf(place, position) * variates * variates;
      groups.forEach((group, a) => {
        groups.forEach((other, b) => {
          mask[first + a * variates + b] = group === other ? 0 : HIDDEN;
        });
      });
    });
  }
  return mask;
}
