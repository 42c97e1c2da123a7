import { log2, pow } from '../../../numerics/elementary.ts';
import { observedRange, type PatchedRow } from './patched-row.ts';

/** The level and the unit in which a past is expressed. */
export interface RowUnits {
  readonly level: number;
  readonly unit: number;
}

/**
 * Chooses units in which the past covers a range near 1; null where it is constant. The network is invariant to shifts
 * and factors, but its smallest scale is a fixed number that would hide series of small numbers, and squares of huge
 * numbers overflow. The unit is a power of two, so that the conversion does not round.
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

/** Expresses a row in units. */
export function toUnits(row: PatchedRow, { level, unit }: RowUnits): PatchedRow {
  return { values: row.values.map((value) => value / unit - level / unit), observed: row.observed };
}

/** Converts a value back; one that overflows becomes the largest number. */
export function fromUnits(value: number, { level, unit }: RowUnits): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, (value + level / unit) * unit));
}

/** The exponents (base 2) between which half of the observed range may lie. */
const MIN_EXPONENT = -11;
const MAX_EXPONENT = 256;

/**
 * How many of these halves a past may lie away from 0. With four times as many, long smooth pasts are forecast worse.
 */
const MAX_HALVES = 2 ** 10;

/**
 * Chooses units that change a past as little as possible; null where it is constant. Networks that read the last value
 * and the mean step were trained on unscaled series: they compare sizes with a fixed minimum and with a share of the
 * level, so a series has to keep its level. Only where the fixed numbers would hide it, or its squares overflow, is it
 * scaled to the nearest size that they allow. Only where its level is so high that its own movements would vanish is it
 * shifted toward 0, no further than needed.
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
