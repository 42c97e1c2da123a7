import { AsyncLocalStorage } from 'node:async_hooks';
import { TransactionMisuseError } from './errors.ts';

/**
 * Tracks whether the running code is inside a transaction, even after it has awaited something.
 *
 * Code inside a transaction must not send statements to the database itself. On PGlite the statement and the
 * transaction would wait for each other, and the whole service would hang. On PostgreSQL the statement would run on
 * another connection and commit separately. Both bugs are easy to miss in a review, so the guard throws immediately.
 */
export class TransactionGuard {
  readonly #current = new AsyncLocalStorage<{ stage: 'opening' | 'open' | 'ended' }>();

  /**
   * Runs `open`, which calls `markOpen` once its transaction is open. When `open` ends, code that it started no longer
   * counts as inside the transaction.
   */
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

  /** Throws if called from code that runs inside a transaction. */
  assertOutside(message: string): void {
    if (this.#current.getStore()?.stage === 'open') throw new TransactionMisuseError(message);
  }

  /** Throws unless `run` is opening a transaction: a transaction opened in another way would not be guarded. */
  assertOpening(): void {
    if (this.#current.getStore()?.stage !== 'opening') {
      throw new TransactionMisuseError('Open transactions with database.transaction(), not with the query builder.');
    }
  }
}
