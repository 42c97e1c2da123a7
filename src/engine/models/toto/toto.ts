import type { AbortFlag } from '../../model.ts';
import type { FitOutcome, FitTask } from '../../runner.ts';
import { readCheckpoint, type TotoCheckpoint } from './checkpoint/read-checkpoint.ts';
import { Network, type StartSession } from './decoding/network.ts';
import { forecastKnots, type TotoInput } from './forecast-knots.ts';
import { forecastWindows } from './forecast-windows.ts';
import { buildGraph } from './graph/build-graph.ts';

/** A pretrained network for time series. It is not fitted to the series that it forecasts. */
export interface Toto {
  /** Returns the knots of each set, series and step, as the reference implementation's `forecast` does. */
  forecast(request: TotoInput, signal?: AbortFlag): Promise<Float64Array[][][]>;
  /**
   * Forecasts the windows of a task of the ensemble. If the flag is set, throws a `ModelError` with the code `ABORTED`
   * before the next run.
   */
  forecastWindows(
    task: Pick<FitTask, 'series' | 'windows' | 'quantiles'>,
    signal?: AbortFlag | undefined,
  ): Promise<FitOutcome[]>;
}

/**
 * Checks that `startToto` can start with these files; throws a `CheckpointError` otherwise. In addition to the checks
 * of `readCheckpoint`, it finds weights that are valid individually but would overflow together.
 */
export function checkCheckpoint(files: { readonly config: Uint8Array; readonly weights: Uint8Array }): void {
  buildGraph(readCheckpoint(files));
}

/**
 * Starts Toto 2.0 with the weights of a checkpoint.
 *
 * @param startSession starts a session of an ONNX runtime for the graph
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
