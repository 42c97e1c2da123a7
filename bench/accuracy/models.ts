import { checkpointFolders, defaultCheckpoint, readCheckpointFiles } from '../../src/compute/index.ts';
import { startOnnxSession } from '../../src/compute/toto/onnx-session.ts';
import {
  createInlineRunner,
  createModels,
  type FitOutcome,
  type FitRunner,
  type FitTask,
  type Prediction,
  readCheckpoint,
  startToto,
  type Toto,
} from '../../src/engine/index.ts';
import { prophetRuntime } from '../../test/support/compute/prophet-runtime.ts';

/** Runs all models in this thread. The ensembles of a series share its fits. */
export interface BenchModels extends FitRunner {
  /** Forgets all fits. Call it before the next series. */
  forget(): void;
}

/** @param data the data folder. If it has no installed checkpoint, the bundled one is used */
export async function loadModels(data: string): Promise<BenchModels> {
  const inline = createInlineRunner(createModels({ prophet: prophetRuntime }));
  const toto = await loadToto(data);
  const fitted = new Map<string, Promise<readonly FitOutcome[]>>();
  const fit = (task: FitTask): Promise<readonly FitOutcome[]> =>
    task.model === 'toto' && toto !== null ? toto.forecastWindows(task) : inline.run(task, undefined);
  return {
    models: [...inline.models, ...(toto === null ? [] : ['toto'])],
    run: (task) => {
      const { model, windows, quantiles, series } = task;
      const key = JSON.stringify([model, windows, quantiles, series.season, series.values.length]);
      const outcomes = fitted.get(key) ?? fit(task);
      fitted.set(key, outcomes);
      return outcomes;
    },
    forget: () => fitted.clear(),
  };
}

async function loadToto(data: string): Promise<Toto | null> {
  const checkpoint = await defaultCheckpoint(checkpointFolders(data), 'toto');
  return checkpoint && startToto(readCheckpoint(await readCheckpointFiles(checkpoint)), startOnnxSession);
}

/** Returns the CPU time of this thread and of Prophet's search thread. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000 + prophetRuntime.cpuMs();
}

/** Returns the quantiles of each step in ascending order. */
export function toRows(predictions: readonly Prediction[]): Float64Array[] {
  return predictions.map(({ quantiles }) => Float64Array.from(Object.values(quantiles)));
}
