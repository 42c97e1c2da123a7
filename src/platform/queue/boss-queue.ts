import { fromKysely, type PgBoss } from 'pg-boss';
import type { Database, Executor } from '../database/index.ts';
import type { TransactionGuard } from '../database/transaction-guard.ts';
import type {
  ActiveJob,
  EnqueueAllOptions,
  EnqueueOptions,
  JobAttempt,
  JobData,
  JobGroup,
  Queue,
  QueueLog,
  ScheduleOptions,
  StopOptions,
  WorkOptions,
} from './queue.ts';
import { withOrigin } from './watch-job.ts';
import { type HeldJob, ONE_AT_A_TIME, Workers } from './workers.ts';

function bossGroup({ id, oneAtATime }: JobGroup) {
  return { id, ...(oneAtATime && { tier: ONE_AT_A_TIME }) };
}

/** The queue, implemented with pg-boss. */
export class BossQueue implements Queue {
  readonly #boss: PgBoss;
  readonly #stopBoss: () => Promise<void>;
  readonly #database: Database;
  readonly #guard: TransactionGuard;
  readonly #log: QueueLog | undefined;
  readonly #workers: Workers;
  #stopping: Promise<void> | undefined;

  constructor(
    boss: PgBoss,
    stopBoss: () => Promise<void>,
    database: Database,
    guard: TransactionGuard,
    log: QueueLog | undefined,
  ) {
    this.#boss = boss;
    this.#stopBoss = stopBoss;
    this.#database = database;
    this.#guard = guard;
    this.#log = log;
    this.#workers = new Workers(boss, (job) => this.#returnJob(job));
  }

  async enqueue(executor: Executor, name: string, data: object, options: EnqueueOptions = {}): Promise<string | null> {
    const { group, ...others } = options;
    return this.#boss.send(name, withOrigin(data), {
      ...others,
      ...(group && { group: bossGroup(group) }),
      db: through(executor),
    });
  }

  async enqueueAll<Data extends object>(
    executor: Executor,
    name: string,
    data: readonly Data[],
    { groupOf, ...options }: EnqueueAllOptions<Data> = {},
  ): Promise<void> {
    if (data.length === 0) return;
    const jobs = data.map((item) => ({
      ...options,
      data: withOrigin(item),
      ...(groupOf && { group: bossGroup(groupOf(item)) }),
    }));
    await this.#boss.insert(name, jobs, { db: through(executor) });
  }

  async cancel(executor: Executor, name: string, id: string): Promise<boolean> {
    return changedOne(await this.#boss.cancel(name, id, { db: through(executor) }));
  }

  async changePriority(executor: Executor, name: string, id: string, priority: number): Promise<boolean> {
    const { updated } = await this.#boss.update(name, undefined, { id, priority, db: through(executor) });
    return updated === 1;
  }

  async remove(executor: Executor, name: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#boss.deleteJob(name, [...ids], { db: through(executor) });
  }

  async complete(executor: Executor, name: string, { id, attempt }: JobAttempt): Promise<boolean> {
    const db = through(executor);
    return changedOne(await this.#boss.complete(name, { id, retryCount: attempt }, undefined, { db }));
  }

  async work<Data extends object = JobData>(
    name: string,
    options: WorkOptions,
    handler: (job: ActiveJob<Data>) => Promise<void>,
  ): Promise<void> {
    this.#guard.assertOutside('A worker was started inside a transaction.');
    if (this.#stopping !== undefined) throw new Error('The queue is stopping and cannot start a worker.');
    await this.#workers.start(name, options, handler);
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

  stop(options: StopOptions = {}): Promise<void> {
    this.#stopping ??= this.#stop(options);
    return this.#stopping;
  }

  async #stop({ timeoutMs = 30_000, hurry }: StopOptions): Promise<void> {
    const queues = this.#workers.activeQueues();
    const jobs = queues.length === 1 ? '1 running job' : `${queues.length} running jobs`;
    if (queues.length > 0) this.#log?.info({ queues }, `waiting at most ${timeoutMs / 1000} s for ${jobs}`);
    await this.#workers.stop(timeoutMs, hurry);
    await this.#stopBoss();
  }

  /** Returns a job to its queue. The attempt still counts, so that completing it later has no effect. */
  async #returnJob({ name, id, attempt }: HeldJob): Promise<void> {
    try {
      await this.#database.transaction(async (tx) => {
        const db = through(tx);
        const isCanceled = changedOne(await this.#boss.cancel(name, { id, retryCount: attempt }, { db }));
        if (isCanceled) await this.#boss.resume(name, id, { db });
      });
    } catch (error) {
      const details = { err: error, queue: name, job: id };
      this.#log?.warn(details, 'a job could not be returned to its queue; it returns when its heartbeat expires');
    }
  }
}

function through(executor: Executor) {
  return fromKysely(executor.query());
}

function changedOne(response: object): boolean {
  return (response as { affected?: number }).affected === 1;
}
