import type { Clock, Database, Executor, Transaction } from '../platform/index.ts';

/** The dependencies of the operations on workspaces, collaborators and invitations. */
export interface WorkspaceContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Queues the mail about an invitation or a new membership; it is sent if the transaction commits. */
  readonly requestMail: (tx: Transaction, invitationId: string) => Promise<void>;
  /** Called in the transaction that removes a workspace, so that higher floors end and remove what is in it. */
  readonly onWorkspaceRemoved: (tx: Transaction, workspaceId: string, now: Date) => Promise<void>;
  /**
   * Returns those of these forecasts that are in the workspace, except those that are private to another account. A
   * higher floor stores forecasts.
   */
  readonly forecastsIn: (
    executor: Executor,
    workspaceId: string,
    ids: readonly string[],
    accountId: string,
  ) => Promise<string[]>;
  /** Returns those of these forecasts that are private to another account than this one. */
  readonly privateToOthers: (executor: Executor, accountId: string, ids: readonly string[]) => Promise<string[]>;
}
