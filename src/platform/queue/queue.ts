import type { Executor } from '../database/index.ts';

/** The data of a job: a JSON object. */
export type JobData = Record<string, unknown>;

/** The declaration of a queue. If it changes, the queue is updated at the next start. */
export interface QueueDefinition {
  /** A queue `forecasts/4` is counted as `forecasts` in metrics, traces and reports: see `familyOf`. */
  readonly name: string;
  /** Number of retries after which a job has failed. Default: 2. */
  readonly retryLimit?: number;
  /** Seconds before the next attempt. Default: 0. */
  readonly retryDelaySeconds?: number;
  /** Whether the delay doubles with each attempt. Default: false. */
  readonly retryBackoff?: boolean;
  /** Seconds after which a running attempt expires. Default: 900. */
  readonly expireInSeconds?: number;
  /**
   * Seconds without a heartbeat after which an attempt expires, at least 10. Default: 30. Workers send the heartbeats.
   */
  readonly heartbeatSeconds?: number;
  /** Seconds for which an unfinished job is kept. Default: 14 days. */
  readonly retentionSeconds?: number;
  /** Seconds for which a finished job is kept. Default: 7 days. */
  readonly deleteAfterSeconds?: number;
  /** The queue for jobs that failed permanently. It must be declared before this one. */
  readonly deadLetter?: string;
  /**
   * The limit on jobs with the same `singletonKey`. `standard` (default): no limit. `short`: one waiting job.
   * `singleton`: one active job. `stately`: one job per state. `exclusive`: one waiting or active job. It cannot be
   * changed once the queue exists.
   */
  readonly policy?: 'standard' | 'short' | 'singleton' | 'stately' | 'exclusive';
}

/** Returns the name under which a queue is counted: the part before the slash. @example familyOf('forecasts/4') // forecasts */
export function familyOf(name: string): string {
  return name.split('/', 1)[0] as string;
}

export interface EnqueueOptions {
  /** The UUID of the job; generated if omitted. */
  readonly id?: string;
  /** Jobs with a higher priority run first. Default: 0. */
  readonly priority?: number;
  /** The earliest time at which the job can start. */
  readonly startAfter?: Date;
  /** The policy of the queue limits the number of jobs with the same key. */
  readonly singletonKey?: string;
  /** The group that the job belongs to, such as the account that pays for it. */
  readonly group?: JobGroup;
}

export interface EnqueueAllOptions<Data extends object> extends Pick<EnqueueOptions, 'priority' | 'startAfter'> {
  /** Returns the group of each job. */
  readonly groupOf?: (data: Data) => JobGroup;
}

export interface JobGroup {
  readonly id: string;
  /** Whether the job waits while any other job of the group is active, in whichever process. */
  readonly oneAtATime: boolean;
}

/** A worker's attempt at a job. Completing an attempt that is not the latest has no effect. */
export interface JobAttempt {
  readonly id: string;
  /** The number of retries before this attempt: 0 for the first one. */
  readonly attempt: number;
}

export interface ActiveJob<Data extends object = JobData> extends JobAttempt {
  readonly data: Data;
  /** Aborted when the attempt expires, the job is canceled or the process has to stop. */
  readonly signal: AbortSignal;
}

export interface WorkOptions {
  /** Number of jobs that this process handles at the same time. Default: 1. */
  readonly concurrency?: number;
  /**
   * Seconds between polls, at least 0.5. Default: 5. Polls find retries and delayed jobs, which cause no notification.
   */
  readonly pollSeconds?: number;
}

/**
 * Receives messages about the jobs that `stop` waits for, and errors of the queue that cannot be thrown to a caller.
 */
export interface QueueLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface ScheduleOptions {
  /** The IANA time zone of the cron expression. Default: UTC. */
  readonly timeZone?: string;
  /** Distinguishes several schedules of one queue. */
  readonly key?: string;
}

/** A durable job queue. It is in the same database as the rows that its jobs belong to. */
export interface Queue {
  /**
   * Adds a job in the caller's transaction: the job exists only if the transaction commits.
   * @returns the id of the job, or null if the policy excludes it because of an existing job with the same `singletonKey`
   */
  enqueue(executor: Executor, name: string, data: object, options?: EnqueueOptions): Promise<string | null>;

  /** Adds many jobs with the same options in one statement and, like `enqueue`, in the caller's transaction. */
  enqueueAll<Data extends object>(
    executor: Executor,
    name: string,
    data: readonly Data[],
    options?: EnqueueAllOptions<Data>,
  ): Promise<void>;

  /** Cancels an unfinished job and aborts the signal of a running attempt. Returns whether there was such a job. */
  cancel(executor: Executor, name: string, id: string): Promise<boolean>;

  /** Changes the priority of a waiting job and wakes the workers of its queue. Returns whether there was such a job. */
  changePriority(executor: Executor, name: string, id: string, priority: number): Promise<boolean>;

  /** Removes the rows of jobs in the caller's transaction. Otherwise those of finished jobs are removed after some days. */
  remove(executor: Executor, name: string, ids: readonly string[]): Promise<void>;

  /**
   * Marks an attempt as done, in the transaction that stores its result.
   * @returns false if the attempt is no longer the current one; the caller must then roll back and discard the result
   */
  complete(executor: Executor, name: string, attempt: JobAttempt): Promise<boolean>;

  /** Starts a worker. If the handler returns, the job is done; if it throws, the job is retried. */
  work<Data extends object = JobData>(
    name: string,
    options: WorkOptions,
    handler: (job: ActiveJob<Data>) => Promise<void>,
  ): Promise<void>;

  /** Registers or changes a recurring job. Only one process runs each occurrence. */
  schedule(name: string, cron: string, data?: object, options?: ScheduleOptions): Promise<void>;

  /** Removes a recurring job. */
  unschedule(name: string, key?: string): Promise<void>;

  /**
   * Stops taking jobs and waits for the active ones. After the timeout, or when `hurry` is aborted, it aborts their
   * signals and returns the jobs that have not ended to their queues for another attempt.
   */
  stop(options?: StopOptions): Promise<void>;
}

export interface StopOptions {
  /** Default: 30 seconds. */
  readonly timeoutMs?: number;
  /** Ends the wait before the timeout. */
  readonly hurry?: AbortSignal;
}
