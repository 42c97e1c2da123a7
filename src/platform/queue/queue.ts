import type { Executor } from '../database/index.ts';

/** A JSON object: what a job carries. */
export type JobData = Record<string, unknown>;

/** A queue as its domain declares it. Declared again with other values, it is updated at the next start. */
export interface QueueDefinition {
  readonly name: string;
  /** Attempts after the first one before a job counts as failed. Default 2. */
  readonly retryLimit?: number;
  /** Seconds before the next attempt. Default 0. */
  readonly retryDelaySeconds?: number;
  /** Double the delay with each attempt. */
  readonly retryBackoff?: boolean;
  /** Seconds an attempt may run before it is taken away. Default 900. */
  readonly expireInSeconds?: number;
  /** Seconds without a sign of life after which an attempt is taken away (at least 10). Workers send the signs by themselves. */
  readonly heartbeatSeconds?: number;
  /** Seconds an unfinished job is kept. Default 14 days. */
  readonly retentionSeconds?: number;
  /** Seconds a finished job is kept. Default 7 days. */
  readonly deleteAfterSeconds?: number;
  /** Where a job that failed for good goes: the name of another queue, declared before this one. */
  readonly deadLetter?: string;
  /**
   * `standard` (default); `short`: one waiting job per `singletonKey`; `singleton`: one active; `stately`: one per state;
   * `exclusive`: one waiting or active. Fixed once the queue exists.
   */
  readonly policy?: 'standard' | 'short' | 'singleton' | 'stately' | 'exclusive';
}

export interface EnqueueOptions {
  /** UUID of the job; made by the queue when absent. */
  readonly id?: string;
  /** Higher runs first. Default 0. */
  readonly priority?: number;
  /** Not before this moment. */
  readonly startAfter?: Date;
  /** With the queue's policy: at most one such job at a time. */
  readonly singletonKey?: string;
}

/** The attempt a worker holds. A completion that names an older attempt changes nothing: that is the fence. */
export interface JobAttempt {
  readonly id: string;
  /** 0 for the first attempt, one more each time the job is taken again. */
  readonly attempt: number;
}

export interface ActiveJob<Data extends object = JobData> extends JobAttempt {
  readonly data: Data;
  /** Aborted when the attempt was taken away (expired, cancelled) or when the process must stop now. */
  readonly signal: AbortSignal;
}

export interface WorkOptions {
  /** Jobs handled at the same time in this process. Default 1. */
  readonly concurrency?: number;
  /** How often to look when no notification came, in seconds (at least 0.5). Default 5. Retries and jobs that start later are found this way. */
  readonly pollSeconds?: number;
}

/** Where the queue tells of trouble that no caller is waiting for. */
export interface QueueLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface ScheduleOptions {
  /** IANA time zone of the cron expression. Default UTC. */
  readonly timeZone?: string;
  /** Tells several schedules of one queue apart. */
  readonly key?: string;
}

/** Durable jobs beside the rows they belong to. */
export interface Queue {
  /**
   * Adds a job through the caller's transaction: it exists if and only if that transaction commits.
   * @returns the job's id, or null when the queue's policy or `singletonKey` says that one is there already.
   */
  enqueue(executor: Executor, name: string, data: object, options?: EnqueueOptions): Promise<string | null>;

  /** Adds many jobs alike, in one statement. Like `enqueue` through the caller's transaction. */
  enqueueAll(
    executor: Executor,
    name: string,
    data: readonly object[],
    options?: Pick<EnqueueOptions, 'priority' | 'startAfter'>,
  ): Promise<void>;

  /** Takes a job that has not finished off the queue. @returns whether there was one. A worker holding it is told by its signal. */
  cancel(executor: Executor, name: string, id: string): Promise<boolean>;

  /**
   * Marks an attempt as done in the caller's transaction, together with the result rows.
   * @returns false when the attempt is no longer the current one: then roll back, the result belongs to nobody.
   */
  complete(executor: Executor, name: string, attempt: JobAttempt): Promise<boolean>;

  /** Starts handling jobs. A handler that throws gives the job back for another attempt; one that returns completes it. */
  work<Data extends object = JobData>(
    name: string,
    options: WorkOptions,
    handler: (job: ActiveJob<Data>) => Promise<void>,
  ): Promise<void>;

  /** Registers (or changes) a recurring job. Runs once per occurrence however many processes there are. */
  schedule(name: string, cron: string, data?: object, options?: ScheduleOptions): Promise<void>;

  /** Removes a recurring job. */
  unschedule(name: string, key?: string): Promise<void>;

  /**
   * Takes no more jobs and waits for the active ones. At the deadline their signals are aborted; what still does not
   * end goes back to the queue for another attempt.
   */
  stop(options?: { readonly timeoutMs?: number }): Promise<void>;
}
