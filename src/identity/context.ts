import type { Clock, Database, Transaction } from '../platform/index.ts';

/** The dependencies that the functions of this room share. */
export interface IdentityContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Creates the personal workspace of a new account in the same transaction. A higher floor provides the function. */
  readonly onAccountCreated: (tx: Transaction, account: { id: string; email: string }, now: Date) => Promise<void>;
  /** Queues the email of a link. A worker sends it if the transaction commits. */
  readonly requestMail: (tx: Transaction, linkId: string) => Promise<void>;
}
