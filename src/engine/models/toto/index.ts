import type { AbortFlag } from '../../model.ts';
import type { FitOutcome, FitTask } from '../../runner.ts';
import { readCheckpoint, type TotoCheckpoint } from './checkpoint/index.ts';
import { Network } from './decoding/network.ts';
import { forecastKnots, type KnotsRequest } from './forecast-knots.ts';
import { forecastWindows } from './forecast-windows.ts';
import { buildGraph } from './graph/build-graph.ts';
import type { StartSession } from './session.ts';

export {
  CheckpointError,
  type CheckpointErrorCode,
  readCheckpoint,
  type TotoCheckpoint,
  type TotoConfig,
} from './checkpoint/index.ts';
export type { KnotsRequest } from './forecast-knots.ts';
export { TOTO_QUANTILES } from './interpolate-quantiles.ts';
export type { OnnxOutput, OnnxSession, OnnxTensor, StartSession } from './session.ts';

/** A network for time series that was trained before, by others; it is not fitted to the series it forecasts. */
export interface Toto {
  /** The network's own nine quantiles, as the original's `forecast` gives them: by set, series and step. */
  forecast(request: KnotsRequest, signal?: AbortFlag): Promise<Float64Array[][][]>;
  /** What an ensemble asks for. Throws a `ModelError` `ABORTED` between two runs once the flag is up. */
  forecastWindows(
    task: Pick<FitTask, 'series' | 'windows' | 'quantiles'>,
    signal?: AbortFlag | undefined,
  ): Promise<FitOutcome[]>;
}

/**
 * Throws a `CheckpointError` for files that `startToto` could not start with: beside what `readCheckpoint` looks at there
 * are weights that are sound one by one and lead out of range together.
 */
export function checkCheckpoint(files: { readonly config: Uint8Array; readonly weights: Uint8Array }): void {
  buildGraph(readCheckpoint(files));
}

/**
 * Toto 2.0 with the weights of a checkpoint.
 *
 * @example
 * const toto = await startToto(readCheckpoint({ config, weights }), startSession);
 * await toto.forecastWindows({ series, windows: [{ length: 500, horizon: 30 }], quantiles: [0.1, 0.5, 0.9] });
 */
export async function startToto(checkpoint: TotoCheckpoint, startSession: StartSession): Promise<Toto> {
  const session = await startSession(buildGraph(checkpoint));
  const network = new Network(checkpoint.config, session);
  return {
    forecast: (request, signal) => forecastKnots(network, request, signal),
    forecastWindows: (task, signal) => forecastWindows(network, task, signal),
  };
}
