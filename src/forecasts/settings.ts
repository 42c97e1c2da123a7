import type { Cadence } from '../calendar/index.ts';
import type { SourceReference } from '../contract/index.ts';

/** Everything the engine needs beside the rows, with nothing left open. */
export interface ForecastSettings {
  readonly cadence: Cadence;
  readonly horizon: number;
  readonly quantiles: readonly number[];
  readonly models: readonly string[];
  readonly weightMode: 'auto' | 'manual';
  readonly weights: Readonly<Record<string, number>> | null;
  readonly weightingPolicy: 'rolling_pinball_v1' | 'rolling_loss_selection_v2';
  readonly transform: 'auto' | 'none' | 'log';
  readonly seed: number;
  /** The rows were read up to here. */
  readonly cutoff: string | null;
  /** What was read, as its source resolved it; null for rows that came with the request. */
  readonly source: SourceReference | null;
  /** Those of the default ensemble that could not run when the forecast was made. Absent where all could. */
  readonly unavailableModels?: readonly string[];
}
