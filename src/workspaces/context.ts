import type { Clock, Database, Executor, Transaction } from '../platform/index.ts';
import type { StorageLimits } from '../snapshots/index.ts';

/** How many forecasts and events were removed with a workspace, and how many of the forecasts were canceled first. */
export interface RemovedContents {
  readonly forecasts: number;
  readonly canceled: number;
  readonly events: number;
}

/** The dependencies of the functions for workspaces, collaborators and invitations. */
export interface WorkspaceContext {
  readonly database: Database;
  readonly clock: Clock;
  /** How much accounts can store. A new owner must have room for the workspace. */
  readonly storage: StorageLimits;
  /** Queues the email of an invitation. The email is sent if the transaction commits. */
  readonly requestMail: (tx: Transaction, invitationId: string) => Promise<void>;
  /**
   * Called in the transaction that removes a workspace, so that higher floors cancel and remove its forecasts and
   * events. Returns their numbers.
   */
  readonly onWorkspaceRemoved: (tx: Transaction, workspaceId: string, now: Date) => Promise<RemovedContents>;
  /**
   * Returns the given ids whose forecasts are in the workspace and are not private to another account. A higher floor
   * provides the function, because it stores the forecasts.
   */
  readonly forecastsIn: (
    executor: Executor,
    workspaceId: string,
    ids: readonly string[],
    accountId: string,
  ) => Promise<string[]>;
  /** Returns the given ids whose forecasts are private to another account. */
  readonly privateToOthers: (executor: Executor, accountId: string, ids: readonly string[]) => Promise<string[]>;
}
