export interface Page {
  /** Positions in `ranks`: highest rank first, those of equal rank in their order. */
  readonly positions: readonly number[];
  readonly total: number;
}

/** A counting sort of which only one page is written down: a deep page costs what the first one does. */
export function pickPage(ranks: Uint16Array, offset: number, limit: number): Page {
  const total = ranks.length;
  const end = Math.min(total, offset + limit);
  const positions: number[] = new Array(Math.max(end - offset, 0)).fill(0);
  const place = placesByRank(ranks);
  let missing = positions.length;
  for (let position = 0; missing > 0; position++) {
    const rank = ranks[position] as number;
    const at = place[rank] as number;
    place[rank] = at + 1;
    if (at < offset || at >= end) continue;
    positions[at - offset] = position;
    missing--;
  }
  return { positions, total };
}

/** For each rank how many have a higher one. */
function placesByRank(ranks: Uint16Array): Uint32Array {
  let highest = 0;
  for (let i = 0; i < ranks.length; i++) if ((ranks[i] as number) > highest) highest = ranks[i] as number;
  const counts = new Uint32Array(highest + 1);
  for (let i = 0; i < ranks.length; i++) {
    const rank = ranks[i] as number;
    counts[rank] = (counts[rank] as number) + 1;
  }
  let higher = 0;
  for (let rank = highest; rank >= 0; rank--) {
    const count = counts[rank] as number;
    counts[rank] = higher;
    higher += count;
  }
  return counts;
}
