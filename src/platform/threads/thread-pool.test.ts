import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Fault } from '../../contract/index.ts';
import { ThreadPool } from './thread-pool.ts';

interface Input {
  readonly add?: number;
  readonly fail?: 'fault' | 'error' | 'exit';
}

const SERVE = new URL('./serve-sessions.ts', import.meta.url);
const FAULT = new URL('../../contract/fault.ts', import.meta.url);
/** Adds numbers to the one that the session began with. */
const SCRIPT = `
  import { serveSessions } from ${JSON.stringify(SERVE.href)};
  import { Fault } from ${JSON.stringify(FAULT.href)};
  serveSessions((sum) => ({ add = 0, fail }) => {
    if (fail === 'fault') throw new Fault('UNPROCESSABLE', 'no', { retryAfter: 3 });
    if (fail === 'error') throw new TypeError('broken');
    if (fail === 'exit') process.exit(3);
    sum += add;
    return sum;
  });`;
const script = new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`);

const lost: Error[] = [];
const pool = new ThreadPool<number, Input, number>(script, { maxThreads: 2, onLost: (error) => lost.push(error) });
after(() => pool.close());

test('keeps the state of each session and answers its calls in order', async () => {
  const [one, other] = [pool.open(10), pool.open(100)];
  const answers = await Promise.all([one.call({ add: 1 }), other.call({ add: 1 }), one.call({ add: 2 })]);
  assert.deepEqual(answers, [11, 101, 13]);
  one.close();
  other.close();
  assert.equal(await pool.run(5, { add: 1 }), 6);
  assert.ok(pool.threadIds.length <= 2);
});

test('passes faults and errors on, and the thread goes on', async () => {
  const [before] = pool.threadIds;
  await assert.rejects(
    pool.run(0, { fail: 'fault' }),
    (error) => error instanceof Fault && error.code === 'UNPROCESSABLE' && error.details.retryAfter === 3,
  );
  await assert.rejects(pool.run(0, { fail: 'error' }), TypeError);
  assert.ok(pool.threadIds.includes(before as number));
});

test('a thread that ends fails its own calls with a fault, and the next session gets another thread', async () => {
  const [one, other] = [pool.open(1), pool.open(2)];
  await Promise.all([one.call({}), other.call({})]);
  await assert.rejects(one.call({ fail: 'exit' }), { code: 'UNAVAILABLE' });
  await assert.rejects(one.call({}), { code: 'UNAVAILABLE' });
  assert.equal(await other.call({ add: 1 }), 3, 'the other thread is not affected');
  assert.equal(lost.length, 1);
  assert.equal(await pool.run(7, {}), 7);
  one.close();
  other.close();
});
