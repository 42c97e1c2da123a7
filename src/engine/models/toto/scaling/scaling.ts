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

/** The statistics of a row, at the end of each of its patches. */
export interface RowReading {
  readonly statistics: PatchStatistics;
  readonly steps: StepStatistics;
}

/** How a past is prepared for a network, and how the network's output is interpreted. */
export interface Scaling {
  /** Returns the part of a past that the network reads, in whole patches. Gaps are NaN. */
  cutContext(past: Float64Array, patchSize: number): PatchedRow;
  /** Returns the units in which to express that part; null if it is constant and needs no network. */
  chooseUnits(row: PatchedRow): RowUnits | null;
  /** Marks as observed those periods of a past that count as observed although they have no observation. */
  markObserved(observed: Uint8Array, patchSize: number): void;
  /** Returns, for each patch of a past, 1 if other patches must not attend to it. */
  findEmptyPatches(observed: Uint8Array, patchSize: number): Uint8Array;
  /**
   * Computes the statistics of a row.
   *
   * @param minObservations a patch that ends before this many observations may use later observations
   */
  read(row: PatchedRow, patchSize: number, minObservations: number): RowReading;
  /** Converts the first `count` patches of a row to tokens of the network. */
  writeTokens(row: PatchedRow, reading: RowReading, patchSize: number, count: number): Float32Array;
  /**
   * Returns the range that a forecast must not leave; undefined for no limit. In `row` only the past is marked as
   * observed; it ends with the patch `last`.
   */
  allowedRange(row: PatchedRow, reading: RowReading, last: number, maxScales: number): ValueRange | undefined;
  /** Converts the network's output for a patch to ascending quantiles of each of its periods. */
  restore(raw: Float32Array, reading: RowReading, patch: number, range: ValueRange | undefined): Float64Array[];
}

/**
 * The scaling that the reference implementation uses for its released checkpoints: the output is the distance from the
 * mean, in units of the scale.
 */
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

/** The output is clamped to this value, whose sinh is 600,000, so no other limit is needed. */
const MAX_OUTPUT = 14;

/**
 * The scaling of checkpoints with anchored output: the output is the distance from the last value, in a unit between
 * the spread and the mean step. These checkpoints were trained on pasts of any length with gaps anywhere. So no period
 * is dropped, no gap counts as observed, and no statistic uses later values. Patches after the last value are forecast
 * like the requested ones.
 */
export const ANCHORED_SCALING: Scaling = {
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

/** Chooses the scaling for a configuration. No other function reads these two switches. */
export function chooseScaling({ hasAnchoredOutput, hasExtraStatistics }: TotoConfig): Scaling {
  const scaling = hasAnchoredOutput ? ANCHORED_SCALING : RELEASED;
  return hasExtraStatistics ? withExtraStatistics(scaling) : scaling;
}

/**
 * Adds the extra statistics to the tokens. They describe the level, so the series must not be shifted to another level.
 */
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
