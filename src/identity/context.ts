import type { Clock, Database, Transaction } from '../platform/index.ts';

/** The dependencies of the operations in this folder. */
export interface IdentityContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Adds what every new account has (its personal workspace), in the same transaction. A higher floor provides it. */
  readonly onAccountCreated: (tx: Transaction, account: { id: string; email: string }, now: Date) => Promise<void>;
  /** Queues the mail of a link for a worker, if the transaction commits. */
  readonly requestMail: (tx: Transaction, linkId: string) => Promise<void>;
}
