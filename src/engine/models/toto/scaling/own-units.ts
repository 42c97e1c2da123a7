import { observedRange } from './observed-range.ts';
import type { PatchedRow } from './patch-statistics.ts';

/** A level and a unit that a past is counted in. */
export interface OwnUnits {
  readonly level: number;
  readonly unit: number;
}

/**
 * Units in which the past covers a range near 1; null where it never moved. The network does not mind a shift or a
 * factor, but its least scale is a fixed number, which would swallow series of small numbers, and squares of huge ones
 * overflow. The unit is a power of two, so counting in it rounds nothing.
 */
export function chooseUnits(row: PatchedRow): OwnUnits | null {
  const { low, high } = observedRange(row);
  if (!(low < high)) return null;
  return { level: row.values[0] as number, unit: 2 ** Math.floor(Math.log2(halfBetween(low, high))) };
}

/** Halves, because the whole distance may be more than a number can hold. */
export function halfBetween(low: number, high: number): number {
  return Math.max(high / 2 - low / 2, Number.MIN_VALUE);
}

export function toUnits(row: PatchedRow, { level, unit }: OwnUnits): PatchedRow {
  return { values: row.values.map((value) => value / unit - level / unit), observed: row.observed };
}

/** What overflows stays at the largest number. */
export function fromUnits(value: number, { level, unit }: OwnUnits): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, (value + level / unit) * unit));
}
