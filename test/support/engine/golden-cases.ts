import assert from 'node:assert/strict';
import type { PatchedRow } from '../../../src/engine/models/toto/scaling/patched-row.ts';
import type { Toto } from '../../../src/engine/models/toto/toto.ts';

/** A forecast that training/golden_switches.py has computed. */
export interface GoldenCase {
  readonly name: string;
  readonly horizon: number;
  /** Null where a value is missing. */
  readonly history: (number | null)[];
  readonly statistics: { readonly unit: number };
  /** By step. */
  readonly knots: number[][];
}

export const GOLDEN_KNOTS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

export function pastOf({ history }: GoldenCase): Float64Array {
  return Float64Array.from(history, (value) => value ?? Number.NaN);
}

/** The largest difference, as a share of the spread of the values, or of the unit of the forecast where there is none. */
export function largestDifference(steps: readonly ArrayLike<number>[], golden: GoldenCase): number {
  const observed = golden.history.filter((value) => value !== null);
  const spread = Math.max(...observed) - Math.min(...observed) || golden.statistics.unit;
  assert.equal(steps.length, golden.horizon);
  const distances = steps.flatMap((step, h) =>
    GOLDEN_KNOTS.map((_, q) => Math.abs((step[q] as number) - (golden.knots[h]?.[q] as number)) / spread),
  );
  return Math.max(...distances);
}

/** Forecasts in one pass, as the training code does. */
export async function forecastGolden(toto: Toto, row: PatchedRow, horizon: number): Promise<Float64Array[]> {
  const [[steps] = []] = await toto.forecast({
    target: [[row.values]],
    mask: [[row.observed]],
    seriesIds: [[0]],
    horizon,
    decodeBlockSize: 0,
    scalerFallbackMinObs: 8,
    quantileRealCapK: 1e-3,
  });
  return steps ?? [];
}
