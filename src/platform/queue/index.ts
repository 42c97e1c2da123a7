export { openQueue, type QueueOptions, readQueueDepths } from './open-queue.ts';
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
