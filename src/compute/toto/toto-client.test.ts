import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { endThread } from './toto-client.ts';

const DEAF = "require('node:worker_threads').parentPort.on('message', () => {})";
const OBEDIENT = "require('node:worker_threads').parentPort.on('message', () => process.exit(0))";
const BROKEN = "require('node:worker_threads').parentPort.on('message', () => { throw new Error('broken') })";

const start = async (code: string): Promise<Worker> => {
  const worker = new Worker(code, { eval: true });
  await once(worker, 'online');
  return worker;
};

test('a thread that ends is waited for, however it ends, and one that has ended is not', async () => {
  const obedient = await start(OBEDIENT);
  assert.equal(await endThread(obedient, 60_000), true);
  assert.equal(await endThread(obedient, 60_000), true);
  const broken = await start(BROKEN);
  broken.on('error', () => {});
  assert.equal(await endThread(broken, 60_000), true);
});

test('a thread that does not end is given up, and left as it is', async () => {
  const deaf = await start(DEAF);
  assert.equal(await endThread(deaf, 50), false);
  assert.notEqual(deaf.threadId, -1);
  assert.deepEqual([deaf.listenerCount('exit'), deaf.listenerCount('error')], [0, 0]);
  await deaf.terminate();
});
