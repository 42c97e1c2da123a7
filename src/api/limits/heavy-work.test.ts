import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../contract/index.ts';
import { createHeavyWork, type HeavyWork } from './heavy-work.ts';

/** Starts work that ends when `finish` is called. */
function begin(heavy: HeavyWork, caller: string, onStart: () => void = () => undefined) {
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const done = heavy.run(caller, () => {
    onStart();
    return promise;
  });
  return { finish, done };
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const error = await work.then(
    () => assert.fail('the work was not refused'),
    (reason) => reason,
  );
  assert.ok(error instanceof Fault);
  return error;
}

test('runs few heavy requests of a caller at a time, lets some wait, and does not slow down other callers', async () => {
  const heavy = createHeavyWork({ perCaller: 2, perProcess: 10, waitMs: 60_000 });
  let started = 0;
  const works = Array.from({ length: 10 }, () => begin(heavy, 'greedy', () => started++));
  const refused = await faultOf(heavy.run('greedy', async () => undefined));
  assert.equal(refused.code, 'RATE_LIMITED');
  assert.match(refused.message, /2 heavy requests running and 8 waiting at the same time/);
  assert.equal(await heavy.run('bystander', async () => 'done'), 'done');
  assert.equal(started, 2);
  for (const { finish, done } of works) {
    finish();
    await done;
  }
  assert.equal(started, 10);
  assert.equal(await heavy.run('greedy', async () => 'again'), 'again');
});

test('limits the transfers of a caller, apart from its other requests', async () => {
  const heavy = createHeavyWork({ perCaller: 1, perProcess: 1, waitMs: 60_000 });
  const [end, ...others] = Array.from({ length: 8 }, () => heavy.startTransfer('greedy'));
  assert.throws(() => heavy.startTransfer('greedy'), /8 uploads and downloads running/);
  heavy.startTransfer('bystander')();
  assert.equal(await heavy.run('greedy', async () => 'done'), 'done');
  end?.();
  end?.();
  others.push(heavy.startTransfer('greedy'));
  assert.throws(() => heavy.startTransfer('greedy'), Fault, 'a transfer ends once');
});

test('lets waiting callers take turns', async () => {
  const heavy = createHeavyWork({ perCaller: 3, perProcess: 1, waitMs: 60_000 });
  const order: string[] = [];
  const works = ['a', 'a', 'a', 'b', 'c', 'b'].map((caller) => begin(heavy, caller, () => order.push(caller)));
  for (const { finish } of works) finish();
  await Promise.all(works.map(({ done }) => done));
  assert.deepEqual(order, ['a', 'a', 'b', 'c', 'a', 'b']);
});

test('refuses a request that has waited in line for too long, and forgets it', async () => {
  const heavy = createHeavyWork({ perCaller: 1, perProcess: 1, waitMs: 20 });
  const running = begin(heavy, 'a');
  const refused = await faultOf(heavy.run('b', async () => undefined));
  assert.deepEqual([refused.code, refused.details.retryAfter], ['UNAVAILABLE', 1]);
  running.finish();
  await running.done;
  assert.equal(await heavy.run('b', async () => 'done'), 'done');
});

test('refuses a request that its own caller held up for too long', async () => {
  const heavy = createHeavyWork({ perCaller: 1, perProcess: 2, waitMs: 20 });
  const running = begin(heavy, 'a');
  assert.equal((await faultOf(heavy.run('a', async () => undefined))).code, 'RATE_LIMITED');
  running.finish();
  await running.done;
});

test('passes the turn on when work fails', async () => {
  const heavy = createHeavyWork({ perCaller: 1, perProcess: 1, waitMs: 60_000 });
  const failing = heavy.run('a', () => Promise.reject(new Error('broken')));
  const next = heavy.run('b', async () => 'done');
  await assert.rejects(failing, /broken/);
  assert.equal(await next, 'done');
});
