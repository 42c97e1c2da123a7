import * as present from '../../engine/index.ts';
import { CheckpointError } from '../checkpoints/checkpoint.ts';
import { type EngineBundle, readBundle } from './engine-bundles.ts';

/**
 * What the threads use of an engine. The threads of today also run the bundles of earlier versions, so they must call these
 * exports as the oldest bundle expects, and can use what later versions add only where it may be absent.
 */
export const ENGINE_EXPORTS = [
  'ENGINE_VERSION',
  'MODEL_CATALOG',
  'ModelError',
  'createModels',
  'fitWindows',
  'forecast',
  'readCheckpoint',
  'startToto',
] as const satisfies readonly (keyof typeof present)[];

export type EngineModule = Pick<typeof present, (typeof ENGINE_EXPORTS)[number]>;

/**
 * Loads an engine into the calling thread: that of a bundle, or the one in the sources. Throws a `CheckpointError` if the
 * bundle is damaged.
 */
export async function loadEngine(bundle: EngineBundle | undefined): Promise<EngineModule> {
  if (bundle === undefined) return present;
  const engine = await importSource(await readBundle(bundle), bundle.file);
  const missing = ENGINE_EXPORTS.find((name) => !(name in engine));
  if (missing !== undefined) throw corrupt(bundle, `does not export ${missing}`);
  if (engine.ENGINE_VERSION !== bundle.version) throw corrupt(bundle, `holds the engine ${engine.ENGINE_VERSION}`);
  return engine;
}

/** Runs exactly the bytes whose hash was checked: importing the file would read it again. */
async function importSource(source: Uint8Array, file: string): Promise<EngineModule> {
  // Named, because stack traces would otherwise contain the whole address.
  const named = Buffer.concat([source, Buffer.from(`\n//# sourceURL=${file}\n`)]);
  return (await import(`data:text/javascript;base64,${named.toString('base64')}`)) as EngineModule;
}

function corrupt({ file }: EngineBundle, problem: string): CheckpointError {
  return new CheckpointError('CHECKPOINT_CORRUPT', `${file} ${problem}.`);
}
