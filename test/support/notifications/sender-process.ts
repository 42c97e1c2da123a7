// A process that records events and sends webhooks, until it is killed. Its arguments are a JSON object: where the
// database is, which filter the events are about, and how many it records. It prints the number of committed events.

import { QUEUES } from '../../../src/compose/index.ts';
import { startDeliveryWorker, startDispatch } from '../../../src/notifications/index.ts';
import {
  createLog,
  type DatabaseOptions,
  openDatabase,
  openQueue,
  recordOutboxEvents,
  systemClock,
} from '../../../src/platform/index.ts';
import { LOOPBACK } from './webhook-scene.ts';

export interface SenderArguments {
  readonly location: DatabaseOptions;
  readonly filterId: string;
  readonly events: number;
}

const { location, filterId, events } = JSON.parse(process.argv[2] ?? '') as SenderArguments;
const log = createLog('silent');
const database = await openDatabase({ ...location, lockWaitMs: 10_000 });
const queue = await openQueue(database, { queues: QUEUES, supervise: true, log });
const retryTimes = {
  // As many attempts as it takes, because this receiver fails at random.
  delaysMs: Array.from({ length: 500 }, () => 50),
  pauseStepMs: 10,
  timeoutMs: 300,
  pollSeconds: 0.5,
};
const context = { database, clock: systemClock, log, queue, outboundAllow: LOOPBACK, retryTimes };
await startDeliveryWorker(context);
startDispatch(context);
for (let recorded = 0; recorded < events; recorded += 1) {
  const details = { session: '2026-03-02' };
  await database.transaction((tx) =>
    recordOutboxEvents(tx, 'screener.matched', [{ subject: filterId, details }], systemClock.now()),
  );
  console.log(recorded + 1);
}
