export { openQueue, type QueueOptions, readQueueDepths } from './open-queue.ts';
export type {
  ActiveJob,
  EnqueueOptions,
  JobAttempt,
  JobData,
  JobGroup,
  Queue,
  QueueDefinition,
  ScheduleOptions,
  StopOptions,
  WorkOptions,
} from './queue.ts';
export { type QueueReport, type QueueState, readQueueReport } from './queue-states.ts';
