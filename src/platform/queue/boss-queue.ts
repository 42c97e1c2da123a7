import { fromKysely, type PgBoss } from 'pg-boss';
import type { Database, Executor } from '../database/index.ts';
import type { TransactionGuard } from '../database/transaction-guard.ts';
import { ActiveJobs, type HeldJob } from './active-jobs.ts';
import type { QueueLog } from './open-queue.ts';
import type { ActiveJob, EnqueueOptions, JobAttempt, JobData, Queue, ScheduleOptions, WorkOptions } from './queue.ts';
import { settlesWithin } from './settles-within.ts';

/** How long an interrupted handler may take to let go before its job is taken from it. */
const LET_GO_MS = 2_000;

/** The queue on pg-boss. */
export class BossQueue implements Queue {
  readonly #boss: PgBoss;
  readonly #database: Database;
  readonly #guard: TransactionGuard;
  readonly #log: QueueLog | undefined;
  readonly #active = new ActiveJobs();
  readonly #worked = new Set<string>();
  #stopping: Promise<void> | undefined;

  constructor(boss: PgBoss, database: Database, guard: TransactionGuard, log: QueueLog | undefined) {
    this.#boss = boss;
    this.#database = database;
    this.#guard = guard;
    this.#log = log;
  }

  async enqueue(executor: Executor, name: string, data: object, options: EnqueueOptions = {}): Promise<string | null> {
    return this.#boss.send(name, data, { ...options, db: through(executor) });
  }

  async cancel(executor: Executor, name: string, id: string): Promise<boolean> {
    return changedOne(await this.#boss.cancel(name, id, { db: through(executor) }));
  }

  async complete(executor: Executor, name: string, { id, attempt }: JobAttempt): Promise<boolean> {
    return changedOne(
      await this.#boss.complete(name, { id, retryCount: attempt }, undefined, { db: through(executor) }),
    );
  }

  async work<Data extends object = JobData>(
    name: string,
    { concurrency = 1, pollSeconds = 5 }: WorkOptions,
    handler: (job: ActiveJob<Data>) => Promise<void>,
  ): Promise<void> {
    this.#guard.assertOutside('A worker was started inside a transaction.');
    if (this.#stopping !== undefined) throw new Error('The queue is stopping: no worker can be started.');
    this.#worked.add(name);
    for (let worker = 0; worker < concurrency; worker += 1) await this.#startWorker(name, pollSeconds, handler);
  }

  async #startWorker<Data extends object>(
    name: string,
    pollSeconds: number,
    handler: (job: ActiveJob<Data>) => Promise<void>,
  ): Promise<void> {
    const polling = { pollingIntervalSeconds: Math.min(1, pollSeconds), notifyPollingIntervalSeconds: pollSeconds };
    const workerId = await this.#boss.work<Data>(name, { ...polling, batchSize: 1 }, async ([job]) => {
      if (job === undefined) return;
      const { id, data, retryCount: attempt, signal } = job;
      const held = { name, id, attempt };
      try {
        await this.#active.hold(held, async (interrupted) => {
          try {
            await handler({ id, data, attempt, signal: AbortSignal.any([signal, interrupted]) });
          } catch (error) {
            // A job must not use up its last attempt because somebody restarted the service.
            if (!interrupted.aborted) throw error;
            await this.#giveBack(held);
          }
        });
      } finally {
        // Look for the next job at once. pg-boss would wait for a notification or the next poll, but jobs that were
        // enqueued together notify once, so all but the first would be found by polling only.
        this.#boss.notifyWorker(workerId);
      }
    });
  }

  async schedule(
    name: string,
    cron: string,
    data: object = {},
    { timeZone = 'UTC', key }: ScheduleOptions = {},
  ): Promise<void> {
    this.#guard.assertOutside('A schedule was registered inside a transaction.');
    await this.#boss.schedule(name, cron, data, { tz: timeZone, ...(key === undefined ? {} : { key }) });
  }

  async unschedule(name: string, key?: string): Promise<void> {
    this.#guard.assertOutside('A schedule was removed inside a transaction.');
    await this.#boss.unschedule(name, key);
  }

  stop({ timeoutMs = 30_000 }: { readonly timeoutMs?: number } = {}): Promise<void> {
    this.#stopping ??= this.#stop(timeoutMs);
    return this.#stopping;
  }

  async #stop(timeoutMs: number): Promise<void> {
    const idle = Promise.all([...this.#worked].map((name) => this.#boss.offWork(name, { wait: true })));
    if (!(await settlesWithin(idle, timeoutMs))) {
      this.#active.interruptAll();
      if (!(await settlesWithin(idle, LET_GO_MS)))
        await Promise.all(this.#active.all().map((job) => this.#giveBack(job)));
    }
    await this.#boss.stop({ graceful: false });
  }

  /** Puts an unfinished job back on the queue. The attempt stays counted, so a late completion of it changes nothing. */
  async #giveBack({ name, id, attempt }: HeldJob): Promise<void> {
    try {
      await this.#database.transaction(async (tx) => {
        const db = through(tx);
        const cancelled = changedOne(await this.#boss.cancel(name, { id, retryCount: attempt }, { db }));
        if (cancelled) await this.#boss.resume(name, id, { db });
      });
    } catch (error) {
      this.#log?.warn(
        { err: error, queue: name, job: id },
        'a job could not be given back; it returns when its heartbeat runs out',
      );
    }
  }
}

function through(executor: Executor) {
  return fromKysely(executor.query());
}

function changedOne(response: object): boolean {
  return (response as { affected?: number }).affected === 1;
}
