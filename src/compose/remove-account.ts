import { requireAccount } from '../identity/index.ts';
import { type ErasedAccount, eraseAccount } from '../ownership/index.ts';
import { openQueue } from '../platform/index.ts';
import { createWorkspaceContext } from './domains.ts';
import type { Foundation } from './foundation.ts';
import { QUEUES } from './queues.ts';

/** An account that an operator removed, of which no forecast stays. */
export type RemovedAccount = Omit<ErasedAccount, 'kept_forecasts'>;

/** Removes an account with everything that belongs to it, as `eraseAccount` does, for a process without a queue. */
export async function removeAccountWithContents(
  { database, clock, log }: Pick<Foundation, 'database' | 'clock' | 'log'>,
  email: string,
): Promise<RemovedAccount> {
  // Found before the queue is opened, because opening the queue takes longer than everything else.
  const account = await requireAccount(database, email);
  const queue = await openQueue(database, { queues: QUEUES, supervise: false, log });
  try {
    const context = { ...createWorkspaceContext({ database, clock }, { queue }), queue };
    const { kept_forecasts: _, ...removed } = await eraseAccount(context, {
      account,
      keepPublic: [],
      leavesAdministrator: false,
    });
    return removed;
  } finally {
    await queue.stop({ timeoutMs: 1_000 });
  }
}
