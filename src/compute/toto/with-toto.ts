import type { FitRunner } from '../../forecasting/index.ts';
import type { TotoClient } from './toto-client.ts';

/** A runner that also has Toto, with one exact checkpoint. */
export function withToto(runner: FitRunner, toto: TotoClient, checkpoint: string): FitRunner {
  return {
    models: [...runner.models, 'toto'],
    run: (task, signal) => (task.model === 'toto' ? toto.run(task, checkpoint, signal) : runner.run(task, signal)),
  };
}
