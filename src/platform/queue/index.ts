export { openQueue, type QueueOptions } from './open-queue.ts';
export type {
  ActiveJob,
  EnqueueOptions,
  JobAttempt,
  JobData,
  Queue,
  QueueDefinition,
  ScheduleOptions,
  WorkOptions,
} from './queue.ts';
export { readQueueDepths } from './queue-depths.ts';
