import { AsyncLocalStorage } from 'node:async_hooks';
import { TransactionMisuseError } from './errors.ts';

/**
 * Tracks whether the running code is inside a transaction, through its chain of awaits.
 *
 * On PGlite a statement sent past the open transaction waits for that transaction, which waits for the statement: the
 * whole service hangs. On PostgreSQL it would run on another connection, outside the transaction, and commit
 * separately. Both bugs are easy to miss in a review, so both throw immediately.
 */
export class TransactionGuard {
  readonly #current = new AsyncLocalStorage<{ stage: 'opening' | 'open' | 'ended' }>();

  /** Runs `open`, which calls `markOpen` once its transaction is open. The state ends with it, also for detached work. */
  async run<T>(open: (markOpen: () => void) => Promise<T>): Promise<T> {
    this.assertOutside('A transaction was opened inside a transaction. Pass on the open one instead.');
    const transaction = { stage: 'opening' as 'opening' | 'open' | 'ended' };
    const markOpen = () => {
      transaction.stage = 'open';
    };
    try {
      return await this.#current.run(transaction, open, markOpen);
    } finally {
      transaction.stage = 'ended';
    }
  }

  /** Throws when called from code that runs inside a transaction. */
  assertOutside(message: string): void {
    if (this.#current.getStore()?.stage === 'open') throw new TransactionMisuseError(message);
  }

  /** Throws unless `run` is opening a transaction: one opened in another way would be unguarded. */
  assertOpening(): void {
    if (this.#current.getStore()?.stage !== 'opening') {
      throw new TransactionMisuseError('Open transactions with database.transaction(), not with the query builder.');
    }
  }
}
