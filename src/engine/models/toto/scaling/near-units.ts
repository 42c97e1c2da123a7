import { observedRange } from './observed-range.ts';
import { halfBetween, type OwnUnits } from './own-units.ts';
import type { PatchedRow } from './patch-statistics.ts';

/** Powers of two between which half of the observed range may lie. */
const MIN_EXPONENT = -11;
const MAX_EXPONENT = 256;

/** How many of these halves a past may lie away from 0. With four times as many, long smooth pasts suffer. */
const MAX_HALVES = 2 ** 10;

/**
 * Units that change as little as possible; null where the past never moved. Networks that know of the last value and
 * the mean step have seen series as they are: sizes count from a fixed least one and from a share of the level, so a
 * series has to stay where it is. Only where fixed numbers would swallow it, or its squares overflow, is it brought to
 * the nearest size that they can bear. And only where its level is so high that nothing would be left of its own
 * movements is it brought nearer to 0, no further than needed.
 */
export function chooseNearUnits(row: PatchedRow): OwnUnits | null {
  const { low, high } = observedRange(row);
  if (!(low < high)) return null;
  const half = halfBetween(low, high);
  const exponent = Math.floor(Math.log2(half));
  const unit = 2 ** (exponent - Math.min(Math.max(exponent, MIN_EXPONENT), MAX_EXPONENT));
  const nearest = low > 0 ? low : Math.min(high, 0);
  const most = MAX_HALVES * half;
  return { level: nearest - Math.min(Math.max(nearest, -most), most), unit };
}
