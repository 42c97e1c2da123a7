import { count, type Database, type LoopDelay } from '../../platform/index.ts';
import { forecastQueue } from '../forecast-queues.ts';
import type { Payer } from '../owner.ts';
import { countQueued, longestWait, readWaits } from '../queue-order.ts';
import { serviceLate } from './faults.ts';

/** How late the service is. */
export interface Lateness {
  /** How long requests wait for the event loop of this process, in milliseconds. */
  readonly loopMs: number;
  /** How long the oldest ready forecast has waited that runs before a new one of the payer. */
  readonly queueSeconds: number;
}

/** The lateness beyond which nothing is created. 0: no limit. */
export interface LatenessLimits {
  readonly loopMs: number;
  readonly queueSeconds: number;
}

export interface Shedding {
  readonly reason: 'event_loop' | 'queue';
  /** The seconds after which a request may succeed. */
  readonly retryAfter: number;
}

/** A block of the event loop counts for at most this long. */
const LOOP_RETRY_SECONDS = 10;
const MIN_QUEUE_RETRY_SECONDS = 30;
const MAX_QUEUE_RETRY_SECONDS = 300;

/** Returns why nothing is created while the service is so late; null if it is not. */
export function decideShedding(lateness: Lateness, limits: LatenessLimits): Shedding | null {
  if (limits.loopMs > 0 && lateness.loopMs > limits.loopMs) {
    return { reason: 'event_loop', retryAfter: LOOP_RETRY_SECONDS };
  }
  const late = lateness.queueSeconds - limits.queueSeconds;
  if (limits.queueSeconds === 0 || late <= 0) return null;
  const retryAfter = Math.ceil(Math.min(Math.max(late, MIN_QUEUE_RETRY_SECONDS), MAX_QUEUE_RETRY_SECONDS));
  return { reason: 'queue', retryAfter };
}

/** Refuses to create things while the service is late, so that reads do not suffer. */
export interface LoadGuard {
  /** Throws a fault if forecasts of this payer wait too long, or the event loop is late. */
  admitForecast(payer: Pick<Payer, 'id' | 'limits'>): Promise<void>;
  /** Throws a fault if the event loop is late. */
  admitUpload(): void;
}

/** How long the waits in the queue are used before they are read again. */
const READ_MS = 1_000;

interface LoadGuardOptions {
  readonly database: Database;
  readonly loop: Pick<LoopDelay, 'read'>;
  readonly limits: LatenessLimits;
  /** The version of the engine whose queue takes the forecasts. */
  readonly engine: string;
}

export function createLoadGuard({ database, loop, limits, engine }: LoadGuardOptions): LoadGuard {
  let waits: ReturnType<typeof readWaits> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const currentWaits = (): ReturnType<typeof readWaits> => {
    if (waits !== undefined && performance.now() - readAt < READ_MS) return waits;
    readAt = performance.now();
    const reading = readWaits(database, forecastQueue(engine));
    waits = reading;
    reading.catch(() => {
      if (waits === reading) waits = undefined;
    });
    return reading;
  };
  const refuseIfLate = (lateness: Lateness): void => {
    const shedding = decideShedding(lateness, limits);
    if (shedding === null) return;
    count('creations_refused_total', { reason: shedding.reason });
    throw serviceLate(shedding.reason, shedding.retryAfter);
  };
  return {
    async admitForecast({ id, limits: { priority: plan } }) {
      const known = limits.queueSeconds === 0 ? [] : await currentWaits();
      // The statement for the own forecasts is needed only if the plan is late.
      const isPlanLate = longestWait(known, plan, null) > limits.queueSeconds;
      const queueSeconds = isPlanLate ? longestWait(known, plan, await countQueued(database, id)) : 0;
      refuseIfLate({ loopMs: loop.read(), queueSeconds });
    },
    admitUpload: () => refuseIfLate({ loopMs: loop.read(), queueSeconds: 0 }),
  };
}
