import type { Queue, QueueDefinition } from '../../platform/index.ts';
import type { ScreenerRunContext } from './context.ts';
import { runDue } from './run-due.ts';

/** A run that could not be made is tried again at the next occasion, so an attempt of the job is not. */
export const SCREENER_QUEUE: QueueDefinition = {
  name: 'screener',
  retryLimit: 0,
  policy: 'singleton',
  expireInSeconds: 4 * 3_600,
};

/** Looks every ten minutes whether there is a session to run. */
export async function startScreenerRuns(context: ScreenerRunContext, queue: Queue): Promise<void> {
  await queue.work(SCREENER_QUEUE.name, {}, ({ signal }) => runDue(context, signal));
  await queue.schedule(SCREENER_QUEUE.name, '*/10 * * * *');
}
