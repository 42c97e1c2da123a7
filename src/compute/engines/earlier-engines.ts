import { ForecastError } from '../../engine/index.ts';
import { CHECKPOINT_FAULTS, CheckpointError } from '../checkpoints/checkpoint.ts';
import { engineId } from '../model-checkpoints.ts';
import type { EngineBundle, EngineBundles } from './engine-bundles.ts';

interface ClosableEngine {
  isOpen(): boolean;
  close(): Promise<void>;
}

/** The engines of earlier versions, each in its own threads while forecasts need it. */
export interface EarlierEngines<Engine> {
  /**
   * Runs work with the engine of a version, never with another one. An abort rejects immediately, also while the engine
   * starts. Throws a `ForecastError` with the code `CHECKPOINT_UNAVAILABLE` if the version has no intact bundle.
   */
  use<Result>(
    version: string,
    signal: AbortSignal | undefined,
    work: (engine: Engine) => Promise<Result>,
  ): Promise<Result>;
  /** Ends the engines, which rejects what they run. */
  close(): Promise<void>;
}

interface SharedEngine<Engine> {
  readonly starting: Promise<Engine>;
  started: Engine | undefined;
  /** The number of forecasts that need the engine now. */
  users: number;
  idle: NodeJS.Timeout | undefined;
}

/** Reproductions come in groups, and starting an engine takes longer than a small forecast. */
const IDLE_MS = 30_000;

/**
 * Shares the engine of each earlier version among the forecasts that need it. An engine starts with the first of them and
 * ends when it was idle for a while, so that a service that reproduces nothing has no more threads than before.
 */
export function shareEarlierEngines<Engine extends ClosableEngine>(
  bundles: EngineBundles,
  start: (bundle: EngineBundle) => Promise<Engine>,
  idleMs: number = IDLE_MS,
): EarlierEngines<Engine> {
  const engines = new Map<string, SharedEngine<Engine>>();
  let isClosed = false;

  const startNew = (version: string): SharedEngine<Engine> => {
    const starting = findBundle(bundles, version).then(start);
    const engine: SharedEngine<Engine> = { starting, started: undefined, users: 0, idle: undefined };
    engines.set(version, engine);
    starting.then(
      (started) => {
        engine.started = started;
      },
      () => forget(version, engine),
    );
    return engine;
  };
  const forget = (version: string, engine: SharedEngine<Engine>): void => {
    if (engines.get(version) === engine) engines.delete(version);
  };
  const end = async (version: string, engine: SharedEngine<Engine>): Promise<void> => {
    clearTimeout(engine.idle);
    forget(version, engine);
    await (await engine.starting.catch(() => undefined))?.close();
  };
  const release = (version: string, engine: SharedEngine<Engine>): void => {
    engine.users -= 1;
    if (engine.users > 0 || isClosed) return;
    engine.idle = setTimeout(() => void end(version, engine), isUsable(engine) ? idleMs : 0).unref();
  };
  return {
    async use(version, signal, work) {
      if (isClosed) throw new Error('The engine was closed.');
      const known = engines.get(version);
      const engine = known !== undefined && isUsable(known) ? known : startNew(version);
      engine.users += 1;
      clearTimeout(engine.idle);
      try {
        return await work(await orAbort(engine.starting, signal));
      } finally {
        release(version, engine);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...engines].map(([version, engine]) => end(version, engine)));
    },
  };
}

/** An engine whose threads have ended, as by a crash, is replaced. */
function isUsable({ started }: SharedEngine<ClosableEngine>): boolean {
  return started === undefined || started.isOpen();
}

async function findBundle(bundles: EngineBundles, version: string): Promise<EngineBundle> {
  const unavailable = (reason: string, cause?: string) => {
    const message = `The checkpoint ${engineId(version)} cannot be used: ${reason}.`;
    return new ForecastError('CHECKPOINT_UNAVAILABLE', message, null, cause === undefined ? {} : { cause });
  };
  const bundle = await bundles.find(version).catch((error: unknown) => {
    if (!(error instanceof CheckpointError)) throw error;
    throw unavailable(CHECKPOINT_FAULTS[error.code], error.message);
  });
  if (bundle === null) throw unavailable('it is not installed here');
  return bundle;
}

/** Returns what a promise returns, or rejects with the reason of the signal if that comes first. */
async function orAbort<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
