import { ENGINE_VERSION } from '../engine/index.ts';
import type { QueueDefinition } from '../platform/index.ts';

/** The queue of builds that did not name their queue by engine. The name is stored in databases. */
export const UNVERSIONED_QUEUE = 'forecasts';
/** Metrics count a queue under the part of its name before the slash. */
const PREFIX = `${UNVERSIONED_QUEUE}/`;

/**
 * Returns the queue of the forecasts that a build creates, which is named by its version of the engine, so that workers of
 * other builds leave its jobs alone.
 */
export function forecastQueue(engine: string): string {
  return PREFIX + engine;
}

/** The queue of this build. */
export const FORECAST_QUEUE: string = forecastQueue(ENGINE_VERSION);

/** Returns the version of the engine that names a queue of forecasts; null for the queue without a version. */
export function engineOfQueue(name: string): string | null {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : null;
}

/** Returns the queue that holds the job of a forecast. */
export function queueOf({ queue }: { readonly queue: string | null }): string {
  return queue ?? UNVERSIONED_QUEUE;
}

/** The time limit of one attempt. */
export const LIMIT_MS: number = 10 * 60_000;

export const DEAD_LETTER_QUEUE = 'forecasts-lost';

/**
 * Returns the queues of a build with this version of the engine. A forecast gets three attempts. After the last one, the
 * worker of the dead-letter queue, which all builds share, fails it with a code.
 */
export function listForecastQueues(engine: string): readonly QueueDefinition[] {
  const options = {
    retryLimit: 2,
    retryDelaySeconds: 1,
    heartbeatSeconds: 15,
    // Longer than the time limit after which an attempt ends itself.
    expireInSeconds: (2 * LIMIT_MS) / 1000,
    deadLetter: DEAD_LETTER_QUEUE,
  };
  return [
    { name: DEAD_LETTER_QUEUE, retryLimit: 10, retryDelaySeconds: 5 },
    { ...options, name: UNVERSIONED_QUEUE },
    { ...options, name: forecastQueue(engine) },
  ];
}
