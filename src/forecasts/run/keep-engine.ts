import type { Engine } from '../../compute/index.ts';
import type { ForecastRequest } from '../../engine/index.ts';
import { count } from '../../platform/index.ts';

export interface KeptEngine {
  /** The engine, started when it is first needed, and again when its threads have ended. */
  get(): Promise<Engine>;
  close(): Promise<void>;
}

/** One engine for a process. A forecast that breaks it must not take those that come later with it. */
export function keepEngine(start: () => Promise<Engine>): KeptEngine {
  let kept: Promise<Engine> | undefined;
  const startOnce = (): Promise<Engine> => {
    count('engine_starts_total', {});
    const starting = start();
    kept = starting;
    starting.catch(() => forget(starting));
    return starting;
  };
  const forget = (one: Promise<Engine>): void => {
    if (kept === one) kept = undefined;
  };
  return {
    async get() {
      const before = kept;
      if (before === undefined) return startOnce();
      const engine = await before;
      if (await isThere(engine)) return engine;
      forget(before);
      return kept ?? startOnce();
    },
    async close() {
      await (await kept?.catch(() => undefined))?.close();
    },
  };
}

const THERE = new Error('Nothing is to be forecast.');
const NOTHING: ForecastRequest = {
  cadence: { frequency: '1D', kind: 'plain' },
  timestamps: [],
  values: [],
  horizon: 1,
};

/** An engine that has ended says so before it looks at the signal; one that has not rejects with the signal's reason. */
async function isThere(engine: Engine): Promise<boolean> {
  const answer = await engine.forecast(NOTHING, { signal: AbortSignal.abort(THERE) }).catch((reason) => reason);
  return answer === THERE;
}
