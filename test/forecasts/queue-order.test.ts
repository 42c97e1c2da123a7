import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { FORECAST_QUEUE, listForecastQueues } from '../../src/forecasts/index.ts';
import { releaseSlot, takeSlot } from '../../src/forecasts/metering/charges.ts';
import { countWaiting, createQueueTurns, priorityOf } from '../../src/forecasts/queue-order.ts';
import { type Database, openQueue, type Queue } from '../../src/platform/index.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';

interface Job {
  readonly plan: number;
  readonly payer: string;
  /** The waiting jobs of its payer when it was added. */
  readonly before: number;
  /** The number of jobs that were started before it was added. */
  readonly addedAt: number;
}

/** A queue with jobs of payers that have slots, as forecasts are queued. */
class Scene {
  readonly waiting: Job[] = [];
  /** The jobs in the order in which they were started, with those that waited then. */
  readonly started: { readonly job: Job; readonly waiting: readonly Job[] }[] = [];
  readonly #database: Database;
  readonly #queue: Queue;

  constructor(database: Database, queue: Queue) {
    this.#database = database;
    this.#queue = queue;
  }

  async add(plan: number, payer: string): Promise<void> {
    await this.#database.transaction(async (tx) => {
      assert.ok(await takeSlot(tx, payer, 1_000));
      const before = await countWaiting(tx, payer, null);
      assert.equal(before, this.waiting.filter((job) => job.payer === payer).length);
      const job = { plan, payer, before, addedAt: this.started.length };
      const place = { priority: priorityOf(plan, before), group: { id: payer, oneAtATime: false } };
      await this.#queue.enqueue(tx, FORECAST_QUEUE, { ...job, place: this.waiting.push(job) }, place);
    });
  }

  /** Starts all jobs, one after the other, and calls `onStart` after each. */
  async runAll(onStart: (started: number) => Promise<void>): Promise<void> {
    const turns = createQueueTurns({ database: this.#database, queue: this.#queue }, FORECAST_QUEUE);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    await this.#queue.work<Job & { readonly place: number }>(FORECAST_QUEUE, {}, async ({ data }) => {
      try {
        const { plan, payer, before, addedAt } = data;
        const at = this.waiting.findIndex(
          (one) => one.payer === payer && one.before === before && one.addedAt === addedAt,
        );
        const [job] = this.waiting.splice(at, 1);
        assert.ok(job !== undefined && job.plan === plan);
        this.started.push({ job, waiting: [...this.waiting] });
        await turns.take();
        await this.#database.transaction((tx) => releaseSlot(tx, payer));
        await onStart(this.started.length);
        if (this.waiting.length === 0) resolve();
      } catch (error) {
        reject(error);
      }
    });
    await promise;
  }
}

async function openScene() {
  const fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS, queue: true });
  const { database } = fixture;
  const queue = await openQueue(database, {
    queues: listForecastQueues(FORECAST_QUEUE.split('/')[1] ?? ''),
    supervise: false,
  });
  fixture.cleanup(() => queue.stop());
  return { scene: new Scene(database, queue), [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

const PLANS = [0, 1, 2, 3];

for (const seed of [1, 2, 3]) {
  test(`under any load, each plan and payer gets its share and no job waits for ever (seed ${seed}) [${testedKind}]`, async () => {
    await using open = await openScene();
    const { scene } = open;
    const random = createSeededRandom(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const addAny = () => {
      // Higher plans send more, and one payer of each sends most.
      const plan = Math.max(pick(4), pick(4));
      return scene.add(plan, `payer-${plan}-${Math.max(0, pick(6) - 3)}`);
    };
    for (let added = 0; added < 25; added += 1) await addAny();
    await scene.runAll(async (started) => {
      for (let added = pick(3); started < 60 && added > 0; added -= 1) await addAny();
    });
    const { started } = scene;
    for (const plan of PLANS) {
      let [waited, taken] = [0, 0];
      for (const { job, waiting } of started) {
        if (job.plan === plan) taken += 1;
        waited += 1;
        assert.ok(taken >= Math.floor(waited / 10) - 1, `plan ${plan}: ${taken} of ${waited}`);
        if (!waiting.some((other) => other.plan === plan)) [waited, taken] = [0, 0];
      }
    }
    for (const [at, { job }] of started.entries()) {
      const meanwhile = started.slice(job.addedAt, at);
      const older = meanwhile.filter((other) => other.job.addedAt <= job.addedAt).length;
      assert.ok(meanwhile.length <= 10 * (older + 1), 'the oldest runs within ten');
      if (job.before > 0) continue;
      const byPayer = Object.groupBy(
        meanwhile.filter((other) => other.job.plan === job.plan && other.job.payer !== job.payer),
        (other) => other.job.payer,
      );
      for (const [payer, ahead = []] of Object.entries(byPayer)) {
        assert.ok(ahead.length <= 1 + Math.ceil(meanwhile.length / 10), `${payer} was ahead ${ahead.length} times`);
      }
    }
  });
}

test(`an endless stream of a higher plan leaves a job of each plan its turn, and the oldest its own [${testedKind}]`, async () => {
  await using open = await openScene();
  const { scene } = open;
  for (const plan of [0, 0, 0, 1, 1, 2]) await scene.add(plan, `${plan}`);
  await scene.add(3, '3');
  await scene.runAll(async (started) => {
    if (started < 25) await scene.add(3, '3');
  });
  const order = scene.started.map(({ job }) => job.plan).join('');
  // Every second job goes by priority. The others: the oldest (a guest), a guest, free, pro, enterprise, and again.
  assert.equal(order.slice(0, 20), '30303132333033313333');
});
