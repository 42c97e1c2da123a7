import type { Clock, Database, Transaction } from '../platform/index.ts';

/** What the operations of this folder work with. */
export interface IdentityContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Lets a higher floor add what every new account has (its personal workspace), in the same transaction. */
  readonly onAccountCreated: (tx: Transaction, account: { id: string; email: string }, now: Date) => Promise<void>;
  /** Has the mail of a link sent by a worker, if the transaction commits. */
  readonly requestMail: (tx: Transaction, linkId: string) => Promise<void>;
}
