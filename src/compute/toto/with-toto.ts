import type { TimedRunner } from '../fit-times.ts';
import type { TotoClient } from './toto-client.ts';

/** A runner that also has Toto, with one exact checkpoint. */
export function withToto(runner: TimedRunner, toto: TotoClient, checkpoint: string): TimedRunner {
  return {
    models: [...runner.models, 'toto'],
    run: (task, signal, onFit) =>
      task.model === 'toto' ? toto.run(task, checkpoint, signal, onFit) : runner.run(task, signal, onFit),
  };
}
