import type { PgBoss } from 'pg-boss';
import { settlesWithin } from '../settles-within.ts';
import { type ActiveJob, familyOf, type JobAttempt, type WorkOptions } from './queue.ts';
import { watchJob, withoutOrigin } from './watch-job.ts';

/** How long an interrupted handler may take to end before its job is returned to the queue. */
const INTERRUPT_MS = 2_000;
const HURRIED_INTERRUPT_MS = 200;

/** How long a worker without a job may wait for the database when it stops. */
const IDLE_MS = 2_000;

/** The tier of jobs that wait while another job of their group is active. */
export const ONE_AT_A_TIME = 'one_at_a_time';

/** Other jobs of a group run side by side. pg-boss requires a number. */
const GROUP_CONCURRENCY = { default: 1_000_000, tiers: { [ONE_AT_A_TIME]: 1 } };

/** The workers of this process. Each takes one job at a time from its queue. */
export class Workers {
  readonly #boss: PgBoss;
  readonly #returnJob: (job: HeldJob) => Promise<void>;
  readonly #active = new ActiveJobs();
  readonly #queues = new Set<string>();

  /** @param returnJob returns an unfinished job to its queue */
  constructor(boss: PgBoss, returnJob: (job: HeldJob) => Promise<void>) {
    this.#boss = boss;
    this.#returnJob = returnJob;
  }

  async start<Data extends object>(
    name: string,
    { concurrency = 1, pollSeconds = 5 }: WorkOptions,
    handler: (job: ActiveJob<Data>) => Promise<void>,
  ): Promise<void> {
    this.#queues.add(name);
    for (let started = 0; started < concurrency; started += 1) await this.#startOne(name, pollSeconds, handler);
  }

  async #startOne<Data extends object>(
    name: string,
    pollSeconds: number,
    handler: (job: ActiveJob<Data>) => Promise<void>,
  ): Promise<void> {
    const polling = { pollingIntervalSeconds: Math.min(1, pollSeconds), notifyPollingIntervalSeconds: pollSeconds };
    let worker = '';
    worker = await this.#boss.work<Data>(
      name,
      { ...polling, batchSize: 1, groupConcurrency: GROUP_CONCURRENCY },
      async ([job]) => {
        if (job === undefined) return;
        const { id, retryCount: attempt, signal } = job;
        const { data, origin } = withoutOrigin(job.data);
        try {
          await this.#handle({ name, id, attempt }, (interrupted) =>
            watchJob({ queue: name, attempt, origin }, () =>
              handler({ id, data, attempt, signal: AbortSignal.any([signal, interrupted]) }),
            ),
          );
        } finally {
          // Fetches the next job immediately. pg-boss would wait for a notification or the next poll, but jobs that were
          // added together cause only one notification.
          this.#boss.notifyWorker(worker);
        }
      },
    );
  }

  #handle(job: HeldJob, handler: (interrupted: AbortSignal) => Promise<void>): Promise<void> {
    return this.#active.hold(job, async (interrupted) => {
      try {
        await handler(interrupted);
      } catch (error) {
        // The job is returned instead of failed, so that restarting the service does not use up the job's last attempt.
        if (!interrupted.aborted) throw error;
        await this.#returnJob(job);
      }
    });
  }

  /** Returns the queue of each running job, as it is counted. */
  activeQueues(): string[] {
    return this.#active.all().map(({ name }) => familyOf(name));
  }

  /** Stops taking jobs, waits for the active ones, and interrupts them after `timeoutMs` or when `hurry` is aborted. */
  async stop(timeoutMs: number, hurry?: AbortSignal): Promise<void> {
    const idle = Promise.all([...this.#queues].map((name) => this.#boss.offWork(name, { wait: true })));
    const deadline = performance.now() + timeoutMs;
    for (let left = timeoutMs; left > 0 && !hurry?.aborted; left = deadline - performance.now()) {
      if (await settlesWithin(idle, Math.min(left, IDLE_MS), hurry)) return;
      // No worker has a job, so they wait for the next one from a database that has vanished.
      if (this.#active.all().length === 0) return;
    }
    this.#active.interruptAll();
    if (await settlesWithin(idle, hurry?.aborted ? HURRIED_INTERRUPT_MS : INTERRUPT_MS)) return;
    await Promise.all(this.#active.all().map((job) => this.#returnJob(job)));
  }
}

export interface HeldJob extends JobAttempt {
  readonly name: string;
}

/** The running jobs of this process, so that they can be interrupted and returned to their queues. */
class ActiveJobs {
  readonly #held = new Map<HeldJob, AbortController>();

  /** Runs `handle` with a signal that `interruptAll` aborts. */
  async hold(job: HeldJob, handle: (interrupted: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#held.set(job, controller);
    try {
      await handle(controller.signal);
    } finally {
      this.#held.delete(job);
    }
  }

  all(): HeldJob[] {
    return [...this.#held.keys()];
  }

  /** Aborts the signals of all handlers. */
  interruptAll(): void {
    const reason = new DOMException('The service is stopping.', 'AbortError');
    for (const controller of this.#held.values()) controller.abort(reason);
  }
}
