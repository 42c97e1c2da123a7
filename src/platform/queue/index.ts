export { openQueue, type QueueOptions, readQueueDepths } from './open-queue.ts';
export type {
  ActiveJob,
  EnqueueOptions,
  JobAttempt,
  JobData,
  Queue,
  QueueDefinition,
  ScheduleOptions,
  StopOptions,
  WorkOptions,
} from './queue.ts';
