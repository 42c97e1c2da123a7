import type { Cadence } from '../../calendar/index.ts';
import type { WeightingPolicy } from '../weighting/select-weights.ts';
import type { Transform } from './pooling-space.ts';

/** What to forecast, and how. Everything that may be left out has a default. */
export interface ForecastRequest {
  readonly cadence: Cadence;
  /** Milliseconds since 1970, UTC, ascending; only rows that were observed. */
  readonly timestamps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  /** Periods after the last row: 1 to 365. */
  readonly horizon: number;
  /** Ascending or not, between 0.001 and 0.999, at most 21. Default 0.1, 0.25, 0.5, 0.75, 0.9. */
  readonly quantiles?: readonly number[] | undefined;
  /** Default: every model of the default ensemble that can run here. */
  readonly models?: readonly string[] | undefined;
  readonly weightMode?: 'auto' | 'manual' | undefined;
  /** Manual weights by model; left out, each counts by its default weight. */
  readonly weights?: Readonly<Record<string, number>> | undefined;
  readonly weightingPolicy?: WeightingPolicy | undefined;
  readonly transform?: Transform | undefined;
  /** Everything random comes from it. */
  readonly seed?: number | undefined;
}

/** A request with nothing left open. */
export interface CheckedRequest {
  readonly cadence: Cadence;
  readonly horizon: number;
  /** Ascending. */
  readonly quantiles: readonly number[];
  readonly models: readonly string[];
  readonly weightMode: 'auto' | 'manual';
  /** By model; not all zero. What counts where nothing better is known. */
  readonly givenWeights: ReadonlyMap<string, number>;
  readonly weightingPolicy: WeightingPolicy;
  readonly transform: Transform;
  readonly seed: number;
}

export const DEFAULT_QUANTILES: readonly number[] = [0.1, 0.25, 0.5, 0.75, 0.9];
export const MAX_QUANTILES = 21;
export const MIN_QUANTILE = 0.001;
export const MAX_QUANTILE = 0.999;
export const MAX_STEPS_AHEAD = 365;
export const MAX_ROWS = 50_000;
