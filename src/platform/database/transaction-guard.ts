import { AsyncLocalStorage } from 'node:async_hooks';
import { TransactionMisuseError } from './errors.ts';

/**
 * Knows whether the running code is inside a transaction, by following its chain of awaits.
 *
 * On PGlite a statement sent past the open transaction waits for that transaction, which waits for the statement: the
 * whole service hangs. On PostgreSQL it would run on another connection, outside the transaction, and commit by itself.
 * Both are bugs nobody sees in review, so both throw at once.
 */
export class TransactionGuard {
  readonly #current = new AsyncLocalStorage<{ stage: 'opening' | 'open' | 'ended' }>();

  /** Runs `open`, which calls `begun` once its transaction is open. The mark ends with it, even for work it left behind. */
  async run<T>(open: (begun: () => void) => Promise<T>): Promise<T> {
    this.assertOutside('A transaction was opened inside a transaction. Pass the open one on instead.');
    const transaction = { stage: 'opening' as 'opening' | 'open' | 'ended' };
    const begun = () => {
      transaction.stage = 'open';
    };
    try {
      return await this.#current.run(transaction, open, begun);
    } finally {
      transaction.stage = 'ended';
    }
  }

  /** Throws when called from code that runs inside a transaction. */
  assertOutside(message: string): void {
    if (this.#current.getStore()?.stage === 'open') throw new TransactionMisuseError(message);
  }

  /** Throws unless `run` is opening a transaction here: a transaction this guard does not know of would go unguarded. */
  assertOpening(): void {
    if (this.#current.getStore()?.stage !== 'opening') {
      throw new TransactionMisuseError('Open transactions with database.transaction(), not with the query builder.');
    }
  }
}
