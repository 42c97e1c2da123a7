import type { Course } from './course.ts';
import type { OwnUnits } from './own-units.ts';
import type { PatchedRow, PatchStatistics } from './patch-statistics.ts';
import type { Range } from './restore-knots.ts';

/** What is known of a row at the end of each of its patches. */
export interface Reading {
  readonly statistics: PatchStatistics;
  readonly course: Course;
}

/** How a network wants a past to be prepared, and how its answers are meant. */
export interface Scaling {
  /** The part of a past that the network sees, in whole patches. Gaps are NaN. */
  cutContext(past: Float64Array, patchSize: number): PatchedRow;
  /** What that part is counted in; null where it never moved, so that there is nothing to ask. */
  chooseUnits(row: PatchedRow): OwnUnits | null;
  /** Marks periods of a past that count as observed although they were not. */
  markObserved(observed: Uint8Array, patchSize: number): void;
  /** For each patch of a past a 1 where the others are not to look at it. */
  voidPatches(observed: Uint8Array, patchSize: number): Uint8Array;
  /** @param leastObservations patches that end before so many may be read with later ones */
  read(row: PatchedRow, patchSize: number, leastObservations: number): Reading;
  /** The first `count` patches of a row as the network reads them. */
  writeTokens(row: PatchedRow, reading: Reading, patchSize: number, count: number): Float32Array;
  /** How far a forecast may go. `row` has nothing observed but the past; it ends with the patch `last`. */
  allowedRange(row: PatchedRow, reading: Reading, last: number, mostScales: number): Range | undefined;
  /** From the network's numbers for a patch to ascending quantiles of each of its periods. */
  restore(raw: Float32Array, reading: Reading, patch: number, range: Range | undefined): Float64Array[];
}
