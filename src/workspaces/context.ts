import type { Clock, Database, Executor, Transaction } from '../platform/index.ts';

/** What the operations of this folder work with. */
export interface WorkspaceContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Has the mail about an invitation, or about a new place, sent by a worker, if the transaction commits. */
  readonly requestMail: (tx: Transaction, invitationId: string) => Promise<void>;
  /** Lets higher floors end and remove what is in a workspace, in the transaction that removes it. */
  readonly onWorkspaceRemoved: (tx: Transaction, workspaceId: string, now: Date) => Promise<void>;
  /**
   * Which of these forecasts are in the workspace, those left out that are private to somebody else than the account: a
   * higher floor keeps them.
   */
  readonly forecastsIn: (
    executor: Executor,
    workspaceId: string,
    ids: readonly string[],
    accountId: string,
  ) => Promise<string[]>;
  /** Which of these forecasts are private to somebody else than the account. */
  readonly privateToOthers: (executor: Executor, accountId: string, ids: readonly string[]) => Promise<string[]>;
}
