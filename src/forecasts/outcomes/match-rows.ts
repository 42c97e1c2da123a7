import type { SourceReference } from '../../contract/index.ts';
import { type SeriesTable, type SourceRows, soleColumn } from '../../snapshots/index.ts';
import type { StepTimes } from './outcome-times.ts';

/** How many of the last rows of the input are compared with what the source has now. */
export const MAX_OVERLAP = 20;

/** Fewer rows could agree by chance. */
const MIN_OVERLAP = 3;
/** A rescaled history differs from the old one by the same ratio in every row, apart from rounding. */
const MAX_RATIO_SPREAD = 2e-4;
/** A smaller change of all rows is a revision and not a split or a dividend. */
const MIN_RESCALING = 5e-4;
/** Numbers that differ by less were only computed in another order. */
const SAME = 1e-9;

/** Returns the source to read the outcome from: the one of the forecast, with the values that are known today. */
export function outcomeSource(source: SourceReference): SourceReference {
  if (source.type === 'economic_series') {
    const { vintage: _, ...current } = source;
    return current;
  }
  if (source.type === 'warehouse_table') {
    const { end: _, ...open } = source;
    return open;
  }
  return source;
}

/** How the source now has the rows that a forecast was made from. */
export interface Overlap {
  /** The factor by which the source has rescaled its history; 1 if it has not. */
  readonly scale: number;
  /** Whether the source has other values, apart from the scale. */
  readonly isRevised: boolean;
}

/**
 * Compares the last rows of the input with what the source has now. Providers of adjusted prices rescale the whole
 * history after a split or a dividend: then the rows have changed by the same ratio, except those that were also
 * corrected. If too few rows are still there, or they do not agree, the earlier scale holds.
 *
 * @param earlier the scale that was found before; null if there is none
 */
export function compareOverlap(
  input: SeriesTable,
  current: ReadonlyMap<number, number>,
  { canRescale, earlier = null }: { readonly canRescale: boolean; readonly earlier?: number | null },
): Overlap {
  const values = soleColumn(input);
  const first = Math.max(0, input.timestamps.length - MAX_OVERLAP);
  const pairs: { readonly before: number; readonly after: number }[] = [];
  for (let i = first; i < input.timestamps.length; i++) {
    const [before, after] = [values[i], current.get(input.timestamps[i] as number)];
    if (before !== undefined && after !== undefined && Number.isFinite(before)) pairs.push({ before, after });
  }
  const scale = (canRescale ? findScale(pairs) : 1) ?? earlier ?? 1;
  return { scale, isRevised: pairs.some(({ before, after }) => differs(before * scale, after, scale)) };
}

/**
 * Returns the ratio by which more than half of the rows have changed; null if there is none. One corrected close among them must not hide a
 * split: the actual values would be compared with a forecast in other units.
 */
function findScale(pairs: readonly { readonly before: number; readonly after: number }[]): number | null {
  const ratios = pairs.filter(({ before }) => before !== 0).map(({ before, after }) => after / before);
  if (ratios.length < MIN_OVERLAP) return null;
  const ratio = ratios.toSorted((a, b) => a - b)[ratios.length >> 1] as number;
  const agreeing = ratios.filter((one) => Math.abs(one / ratio - 1) <= MAX_RATIO_SPREAD);
  const isCommon = ratio > 0 && agreeing.length >= MIN_OVERLAP && 2 * agreeing.length > ratios.length;
  if (!isCommon) return null;
  return Math.abs(ratio - 1) > MIN_RESCALING ? ratio : 1;
}

/** Returns whether the source rescales its history: only adjusted prices are. */
export function canRescale(source: SourceReference): boolean {
  return source.type === 'market' && source.adjustment !== 'raw';
}

/** Returns whether two values differ, apart from rounding after a rescaling. */
export function differs(recorded: number, current: number, scale: number): boolean {
  const tolerance = scale === 1 ? SAME : MAX_RATIO_SPREAD;
  return Math.abs(current - recorded) > tolerance * Math.max(Math.abs(current), Math.abs(recorded));
}

/** Returns the values of rows by their timestamps. Missing values are left out. */
export function indexRows({ table, valueField }: Pick<SourceRows, 'table' | 'valueField'>): Map<number, number> {
  const values = table.columns[valueField];
  const byTime = new Map<number, number>();
  table.timestamps.forEach((timestamp, i) => {
    const value = values?.[i];
    if (value !== undefined && Number.isFinite(value)) byTime.set(timestamp, value);
  });
  return byTime;
}

/** The actual value of a step. */
export interface ActualRow {
  readonly step: number;
  readonly timestamp: number;
  readonly actual: number;
}

/**
 * Returns the actual values of the final steps that the source has, in the scale of the forecast. Only rows with the
 * exact timestamp of a step count: a missing row is not replaced by a neighbor.
 */
export function findActuals(
  steps: readonly StepTimes[],
  current: ReadonlyMap<number, number>,
  { scale, now }: { readonly scale: number; readonly now: number },
): ActualRow[] {
  return steps.flatMap(({ step, timestamp, finalAt }) => {
    const value = finalAt <= now ? current.get(timestamp) : undefined;
    return value === undefined ? [] : [{ step, timestamp, actual: scale === 1 ? value : value / scale }];
  });
}
