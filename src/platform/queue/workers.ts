import type { PgBoss } from 'pg-boss';
import { ActiveJobs, type HeldJob } from './active-jobs.ts';
import type { ActiveJob, WorkOptions } from './queue.ts';
import { settlesWithin } from './settles-within.ts';
import { watchJob, withoutTrace } from './watch-job.ts';

/** How long an interrupted handler may take to let go before its job is taken from it. */
const LET_GO_MS = 2_000;

/** The workers of this process: each takes one job at a time from its queue. */
export class Workers {
  readonly #boss: PgBoss;
  readonly #giveBack: (job: HeldJob) => Promise<void>;
  readonly #active = new ActiveJobs();
  readonly #queues = new Set<string>();

  /** `giveBack` puts a job that was not finished back on its queue. */
  constructor(boss: PgBoss, giveBack: (job: HeldJob) => Promise<void>) {
    this.#boss = boss;
    this.#giveBack = giveBack;
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
    worker = await this.#boss.work<Data>(name, { ...polling, batchSize: 1 }, async ([job]) => {
      if (job === undefined) return;
      const { id, retryCount: attempt, signal } = job;
      const { data, traceparent } = withoutTrace(job.data);
      try {
        await this.#handle({ name, id, attempt }, (interrupted) =>
          watchJob({ queue: name, attempt, traceparent }, () =>
            handler({ id, data, attempt, signal: AbortSignal.any([signal, interrupted]) }),
          ),
        );
      } finally {
        // Look for the next job at once. pg-boss would wait for a notification or the next poll, but jobs that were
        // enqueued together notify once, so all but the first would be found by polling only.
        this.#boss.notifyWorker(worker);
      }
    });
  }

  #handle(job: HeldJob, handler: (interrupted: AbortSignal) => Promise<void>): Promise<void> {
    return this.#active.hold(job, async (interrupted) => {
      try {
        await handler(interrupted);
      } catch (error) {
        // A job must not use up its last attempt because somebody restarted the service.
        if (!interrupted.aborted) throw error;
        await this.#giveBack(job);
      }
    });
  }

  /** Takes no more jobs, waits for the active ones, and after `timeoutMs` interrupts them. */
  async stop(timeoutMs: number): Promise<void> {
    const idle = Promise.all([...this.#queues].map((name) => this.#boss.offWork(name, { wait: true })));
    if (await settlesWithin(idle, timeoutMs)) return;
    this.#active.interruptAll();
    if (await settlesWithin(idle, LET_GO_MS)) return;
    await Promise.all(this.#active.all().map((job) => this.#giveBack(job)));
  }
}
