import type { Engine } from '../../compute/index.ts';
import type { Config } from '../../platform/index.ts';

/** An engine of this process, whose threads load while the rows are read. */
export interface BegunEngine extends Disposable {
  ready(): Promise<Engine>;
}

/**
 * Begins to start the engine. Returns as soon as its first thread loads: imports for the rows, if they came first, would
 * delay it. Nothing waits for the end of its threads, so that a result or a message is printed without a pause.
 */
export async function beginEngine({ dataFolder }: Pick<Config, 'dataFolder'>): Promise<BegunEngine> {
  const { checkpointFolders, startEngine } = await import('../../compute/index.ts');
  const starting = startEngine({ checkpoints: checkpointFolders(dataFolder) });
  // The error is thrown where the engine is used.
  starting.catch(() => {});
  return {
    ready: () => starting,
    [Symbol.dispose]() {
      void starting.then((engine) => engine.close()).catch(() => {});
    },
  };
}
