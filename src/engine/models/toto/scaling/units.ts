import { log2, pow } from '../../../numerics/elementary.ts';
import { observedRange, type PatchedRow } from './patched-row.ts';

/** The level and the unit in which a past is expressed. */
export interface RowUnits {
  readonly level: number;
  readonly unit: number;
}

/**
 * Chooses units in which the range of the past is near 1. Returns null if the past is constant. The network is
 * invariant to shifts and factors, but its smallest scale is a fixed number that would hide series of small numbers,
 * and squares of huge numbers would overflow. The unit is a power of two, so that the conversion does not round.
 */
export function chooseNormalizingUnits(row: PatchedRow): RowUnits | null {
  const { low, high } = observedRange(row);
  if (!(low < high)) return null;
  return { level: row.values[0] as number, unit: pow(2, Math.floor(log2(halfBetween(low, high)))) };
}

/** Returns half of the distance, because the whole distance may overflow. */
function halfBetween(low: number, high: number): number {
  return Math.max(high / 2 - low / 2, Number.MIN_VALUE);
}

/** Expresses a row in the given units. */
export function toUnits(row: PatchedRow, { level, unit }: RowUnits): PatchedRow {
  return { values: row.values.map((value) => value / unit - level / unit), observed: row.observed };
}

/** Converts a value back. A value that overflows becomes the largest finite number. */
export function fromUnits(value: number, { level, unit }: RowUnits): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, (value + level / unit) * unit));
}

/** The bounds on the binary exponent of half of the observed range. */
const MIN_EXPONENT = -11;
const MAX_EXPONENT = 256;

/**
 * The largest distance of a past from 0, in halves of its observed range. With four times this distance, forecasts of
 * long smooth pasts were worse.
 */
const MAX_HALVES = 2 ** 10;

/**
 * Chooses units that change a past as little as possible. Returns null if the past is constant. Networks that read the
 * last value and the mean step were trained on unscaled series: they compare sizes with a fixed minimum and with a
 * share of the level, so a series must keep its level. A series is scaled only if the fixed numbers would hide it or
 * its squares would overflow, and then to the nearest allowed size. It is shifted toward 0 only if its level is so high
 * that its movements would vanish, and no further than necessary.
 */
export function chooseNearbyUnits(row: PatchedRow): RowUnits | null {
  const { low, high } = observedRange(row);
  if (!(low < high)) return null;
  const half = halfBetween(low, high);
  const exponent = Math.floor(log2(half));
  const unit = pow(2, exponent - Math.min(Math.max(exponent, MIN_EXPONENT), MAX_EXPONENT));
  const nearest = low > 0 ? low : Math.min(high, 0);
  const maxDistance = MAX_HALVES * half;
  return { level: nearest - Math.min(Math.max(nearest, -maxDistance), maxDistance), unit };
}
