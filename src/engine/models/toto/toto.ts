import type { AbortFlag } from '../../model.ts';
import type { FitOutcome, FitTask } from '../../runner.ts';
import { readCheckpoint, type TotoCheckpoint } from './checkpoint/read-checkpoint.ts';
import { Network, type StartSession } from './decoding/network.ts';
import { forecastKnots, type KnotsRequest } from './forecast-knots.ts';
import { forecastWindows } from './forecast-windows.ts';
import { buildGraph } from './graph/build-graph.ts';

/** A pretrained network for time series; it is not fitted to the series it forecasts. */
export interface Toto {
  /** Returns the network's own nine quantiles, as the original's `forecast` does: by set, series and step. */
  forecast(request: KnotsRequest, signal?: AbortFlag): Promise<Float64Array[][][]>;
  /**
   * Forecasts the windows of an ensemble's task. Throws a `ModelError` `ABORTED` between two runs once the flag is set.
   */
  forecastWindows(
    task: Pick<FitTask, 'series' | 'windows' | 'quantiles'>,
    signal?: AbortFlag | undefined,
  ): Promise<FitOutcome[]>;
}

/**
 * Throws a `CheckpointError` for files that `startToto` could not start with. Besides the checks of `readCheckpoint` it
 * finds weights that are valid one by one but leave the range of numbers together.
 */
export function checkCheckpoint(files: { readonly config: Uint8Array; readonly weights: Uint8Array }): void {
  buildGraph(readCheckpoint(files));
}

/**
 * Starts Toto 2.0 with the weights of a checkpoint.
 *
 * @param startSession starts an ONNX runtime for the graph
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
