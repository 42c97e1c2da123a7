import { cancelAccountForecasts } from '../forecasts/index.ts';
import { changeLock } from '../identity/index.ts';
import { openQueue } from '../platform/index.ts';
import type { Foundation } from './foundation.ts';
import { QUEUES } from './queues.ts';

/** Locks an account and cancels its queued and running forecasts, for the command line. */
export async function lockAccountWithForecasts(
  { identity, database, clock, log }: Pick<Foundation, 'identity' | 'database' | 'clock' | 'log'>,
  email: string,
): Promise<{ id: string; email: string; locked: boolean; canceled_forecasts: number }> {
  const account = await changeLock(identity, email, true);
  const queue = await openQueue(database, { queues: QUEUES, supervise: false, log });
  try {
    const canceled = await cancelAccountForecasts({ database, clock, queue }, account.id);
    return { ...account, canceled_forecasts: canceled };
  } finally {
    await queue.stop({ timeoutMs: 1_000 });
  }
}
