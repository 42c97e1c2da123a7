import type { Executor } from '../database/index.ts';

/** The data of a job: a JSON object. */
export type JobData = Record<string, unknown>;

/** The declaration of a queue. A queue with other values is updated at the next start. */
export interface QueueDefinition {
  readonly name: string;
  /** Attempts after the first one before a job counts as failed. Default 2. */
  readonly retryLimit?: number;
  /** Seconds before the next attempt. Default 0. */
  readonly retryDelaySeconds?: number;
  /** Double the delay with each attempt. */
  readonly retryBackoff?: boolean;
  /** Seconds after which a running attempt expires. Default 900. */
  readonly expireInSeconds?: number;
  /** Seconds without a heartbeat after which an attempt expires (at least 10). Workers send heartbeats automatically. */
  readonly heartbeatSeconds?: number;
  /** Seconds an unfinished job is kept. Default 14 days. */
  readonly retentionSeconds?: number;
  /** Seconds a finished job is kept. Default 7 days. */
  readonly deleteAfterSeconds?: number;
  /** The queue for jobs that failed permanently; it must be declared before this one. */
  readonly deadLetter?: string;
  /**
   * `standard` (default); `short`: one waiting job per `singletonKey`; `singleton`: one active; `stately`: one per state;
   * `exclusive`: one waiting or active. Fixed once the queue exists.
   */
  readonly policy?: 'standard' | 'short' | 'singleton' | 'stately' | 'exclusive';
}

export interface EnqueueOptions {
  /** UUID of the job; generated if absent. */
  readonly id?: string;
  /** Higher runs first. Default 0. */
  readonly priority?: number;
  /** The job starts no earlier than this. */
  readonly startAfter?: Date;
  /** At most one job with this key at a time, by the queue's policy. */
  readonly singletonKey?: string;
}

/** The attempt of a worker. A completion of an older attempt changes nothing: that is the fence. */
export interface JobAttempt {
  readonly id: string;
  /** 0 for the first attempt, one more for each retry. */
  readonly attempt: number;
}

export interface ActiveJob<Data extends object = JobData> extends JobAttempt {
  readonly data: Data;
  /** Aborted when the attempt ended (expired, canceled) or when the process must stop. */
  readonly signal: AbortSignal;
}

export interface WorkOptions {
  /** Jobs handled at the same time in this process. Default 1. */
  readonly concurrency?: number;
  /** Seconds between polls without a notification (at least 0.5). Default 5. Polls find retries and delayed jobs. */
  readonly pollSeconds?: number;
}

/** Receives the queue's errors that have no caller. */
export interface QueueLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface ScheduleOptions {
  /** IANA time zone of the cron expression. Default UTC. */
  readonly timeZone?: string;
  /** Distinguishes several schedules of one queue. */
  readonly key?: string;
}

/** Durable jobs in the database of the rows they belong to. */
export interface Queue {
  /**
   * Adds a job through the caller's transaction: it exists if and only if that transaction commits.
   * @returns the job's id, or null when the policy or `singletonKey` excludes it because of an existing job
   */
  enqueue(executor: Executor, name: string, data: object, options?: EnqueueOptions): Promise<string | null>;

  /** Adds many jobs with the same options in one statement, through the caller's transaction like `enqueue`. */
  enqueueAll(
    executor: Executor,
    name: string,
    data: readonly object[],
    options?: Pick<EnqueueOptions, 'priority' | 'startAfter'>,
  ): Promise<void>;

  /** Cancels an unfinished job and returns whether there was one. The signal of a running attempt is aborted. */
  cancel(executor: Executor, name: string, id: string): Promise<boolean>;

  /**
   * Marks an attempt as done in the caller's transaction, together with the result rows.
   * @returns false when the attempt is no longer the current one: then roll back and discard the result
   */
  complete(executor: Executor, name: string, attempt: JobAttempt): Promise<boolean>;

  /** Starts a worker. When the handler returns, the job is complete; when it throws, the job is retried. */
  work<Data extends object = JobData>(
    name: string,
    options: WorkOptions,
    handler: (job: ActiveJob<Data>) => Promise<void>,
  ): Promise<void>;

  /** Registers or changes a recurring job. It runs once per occurrence for all processes together. */
  schedule(name: string, cron: string, data?: object, options?: ScheduleOptions): Promise<void>;

  /** Removes a recurring job. */
  unschedule(name: string, key?: string): Promise<void>;

  /**
   * Takes no more jobs and waits for the active ones. At the deadline their signals are aborted; jobs that still do not end
   * return to the queue for another attempt.
   */
  stop(options?: { readonly timeoutMs?: number }): Promise<void>;
}
