import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { endThread } from './toto-client.ts';

const STUCK = "require('node:worker_threads').parentPort.on('message', () => {})";
const STOPPING = "require('node:worker_threads').parentPort.on('message', () => process.exit(0))";
const BROKEN = "require('node:worker_threads').parentPort.on('message', () => { throw new Error('broken') })";

const start = async (code: string): Promise<Worker> => {
  const worker = new Worker(code, { eval: true });
  await once(worker, 'online');
  return worker;
};

test('waits for a thread that stops or crashes, and not for one that has ended', async () => {
  const stopping = await start(STOPPING);
  assert.equal(await endThread(stopping, 60_000), true);
  assert.equal(await endThread(stopping, 60_000), true);
  const broken = await start(BROKEN);
  broken.on('error', () => {});
  assert.equal(await endThread(broken, 60_000), true);
});

test('abandons a thread that does not end, without terminating it', async () => {
  const stuck = await start(STUCK);
  assert.equal(await endThread(stuck, 50), false);
  assert.notEqual(stuck.threadId, -1);
  assert.deepEqual([stuck.listenerCount('exit'), stuck.listenerCount('error')], [0, 0]);
  await stuck.terminate();
});
