import type { TotoConfig } from '../checkpoint/read-config.ts';
import { allowedRange, restoreKnots } from './knots.ts';
import {
  backfillShortPatches,
  flooredSpreadAndStep,
  type PatchStatistics,
  patchStatistics,
  type StepStatistics,
  stepStatistics,
} from './patch-statistics.ts';
import type { PatchedRow, ValueRange } from './patched-row.ts';
import { cutContext, findEmptyPatches, findInnerEmptyPatches, padContext } from './patched-row.ts';
import { addExtraStatistics, writeTokens } from './tokens.ts';
import { chooseNearbyUnits, chooseNormalizingUnits, type RowUnits } from './units.ts';

/** The statistics of a row at the end of each of its patches. */
export interface RowReading {
  readonly statistics: PatchStatistics;
  readonly steps: StepStatistics;
}

/** How a past is prepared for a network, and how the network's output is interpreted. */
export interface Scaling {
  /** Returns the part of a past that the network reads, in whole patches. Gaps are NaN. */
  cutContext(past: Float64Array, patchSize: number): PatchedRow;
  /** Returns the units of that part; null where it is constant, so that no network is needed. */
  chooseUnits(row: PatchedRow): RowUnits | null;
  /** Marks periods of a past that count as observed although they were not. */
  markObserved(observed: Uint8Array, patchSize: number): void;
  /** Returns a 1 for each patch of a past that other patches must not attend to. */
  findEmptyPatches(observed: Uint8Array, patchSize: number): Uint8Array;
  /**
   * Computes the statistics of a row.
   *
   * @param minObservations patches that end before this many observations may use later ones
   */
  read(row: PatchedRow, patchSize: number, minObservations: number): RowReading;
  /** Writes the first `count` patches of a row as the network reads them. */
  writeTokens(row: PatchedRow, reading: RowReading, patchSize: number, count: number): Float32Array;
  /** Returns the limits of a forecast. Only the past of `row` is marked as observed; it ends with the patch `last`. */
  allowedRange(row: PatchedRow, reading: RowReading, last: number, maxScales: number): ValueRange | undefined;
  /** Converts the network's output for a patch to ascending quantiles of each of its periods. */
  restore(raw: Float32Array, reading: RowReading, patch: number, range: ValueRange | undefined): Float64Array[];
}

/** The scaling of the original for its released checkpoints: output is the distance from the mean, in scales. */
const RELEASED: Scaling = {
  cutContext,
  chooseUnits: chooseNormalizingUnits,
  // The last patch always counts as observed, including the values that fill its gaps.
  markObserved: (observed, patchSize) => void observed.fill(1, observed.length - patchSize),
  findEmptyPatches,
  read: (row, patchSize, minObservations) => {
    const statistics = patchStatistics(row, patchSize);
    backfillShortPatches(row, statistics, patchSize, minObservations);
    return { statistics, steps: stepStatistics(row, patchSize) };
  },
  writeTokens: (row, { statistics }, patchSize, count) => writeTokens(row, statistics, patchSize, count),
  allowedRange: (row, { statistics }, last, maxScales) =>
    maxScales > 0 ? allowedRange(row, statistics.scale[last] as number, maxScales) : undefined,
  restore: (raw, { statistics: { location, scale } }, patch, range) =>
    restoreKnots(raw, location[patch] as number, scale[patch] as number, range),
};

/** The sinh of it is 600,000: no value lies further out, so no other limit is needed. */
const MAX_OUTPUT = 14;

/**
 * The scaling of checkpoints with anchored output: output is the distance from the last value, in a unit between the
 * spread and the mean step. These were trained on pasts of any length with gaps anywhere, so nothing is dropped, filled
 * in or read ahead, and the patches after the last value are forecast like those that were requested.
 */
export const ANCHORED: Scaling = {
  cutContext: padContext,
  chooseUnits: chooseNearbyUnits,
  markObserved: () => undefined,
  findEmptyPatches: findInnerEmptyPatches,
  read: (row, patchSize) => ({
    statistics: patchStatistics(row, patchSize),
    steps: stepStatistics(row, patchSize),
  }),
  writeTokens: (row, { statistics }, patchSize, count) => writeTokens(row, statistics, patchSize, count),
  allowedRange: () => undefined,
  restore: (raw, { statistics, steps }, patch, range) => {
    const { spread, step } = flooredSpreadAndStep(statistics, steps, patch);
    const limited = raw.map((value) => Math.min(Math.max(value, -MAX_OUTPUT), MAX_OUTPUT));
    return restoreKnots(limited, steps.last[patch] as number, Math.sqrt(spread * step), range);
  },
};

/** Chooses the scaling of a configuration. No other function reads its switches. */
export function chooseScaling({ hasAnchoredOutput, hasExtraStatistics }: TotoConfig): Scaling {
  const scaling = hasAnchoredOutput ? ANCHORED : RELEASED;
  return hasExtraStatistics ? withExtraStatistics(scaling) : scaling;
}

/** Adds the extra statistics to the tokens. They describe the level, so the series has to keep its own. */
function withExtraStatistics(scaling: Scaling): Scaling {
  return {
    ...scaling,
    chooseUnits: chooseNearbyUnits,
    writeTokens: (row, reading, patchSize, count) => {
      const tokens = scaling.writeTokens(row, reading, patchSize, count);
      return addExtraStatistics(tokens, reading.statistics, reading.steps, count);
    },
  };
}
