import type { Log, Queue, QueueDefinition } from '../../platform/index.ts';
import type { ScoutContext } from '../context.ts';
import { checkDueEvents } from './check-due-events.ts';

/** One run at a time, however many workers there are. A run that was lost is made up for by the next one. */
export const SCOUT_QUEUE: QueueDefinition = { name: 'scout-resolution', retryLimit: 0, policy: 'singleton' };

/** Starts resolving events by their rules, every five minutes. */
export async function startScoutWorker(
  context: ScoutContext & { readonly queue: Queue; readonly log: Log },
): Promise<void> {
  const { queue, log } = context;
  await queue.work(SCOUT_QUEUE.name, {}, async ({ signal }) => {
    await checkDueEvents(context, { log, signal });
  });
  await queue.schedule(SCOUT_QUEUE.name, '*/5 * * * *');
}
