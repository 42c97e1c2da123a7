import type { Clock, Database, Log, Queue, SigningKeys } from '../platform/index.ts';
import type { RetryTimes } from './deliveries/retry-times.ts';

/** The dependencies of the operations on webhooks. */
export interface WebhookContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Pick<Queue, 'enqueue'>;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<SigningKeys>;
  /** The ranges of addresses that webhooks may use although they are not public, also by http. */
  readonly outboundAllow: readonly string[];
}

/** The dependencies of an attempt to deliver an event. */
export interface AttemptContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Pick<Queue, 'enqueue' | 'complete'>;
  readonly outboundAllow: readonly string[];
  /** Default: `RETRY_TIMES`. */
  readonly retryTimes?: RetryTimes;
}

/** The dependencies of the jobs that dispatch events and send requests. */
export interface NotificationJobContext extends AttemptContext {
  readonly log: Log;
  readonly queue: Queue;
}
