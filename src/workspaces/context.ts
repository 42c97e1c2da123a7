import type { Clock, Database, Executor, Transaction } from '../platform/index.ts';
import type { StorageLimits } from '../snapshots/index.ts';

/** How many forecasts and events were removed with a workspace, and how many of the forecasts were canceled first. */
export interface RemovedContents {
  readonly forecasts: number;
  readonly canceled: number;
  readonly events: number;
}

/** How many forecasts and events are in a workspace. */
export interface CountedContents {
  readonly forecasts: number;
  /** Forecasts that are queued or running. */
  readonly unfinished: number;
  readonly publicForecasts: number;
  readonly events: number;
  readonly pendingEvents: number;
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
  /** Counts the forecasts and events of a workspace. Higher floors provide the function, because they store them. */
  readonly countContents: (executor: Executor, workspaceId: string) => Promise<CountedContents>;
  /** Returns the credits that each member other than the owner has used in the workspace this month, by account. */
  readonly memberCredits: (executor: Executor, workspaceId: string, now: Date) => Promise<ReadonlyMap<string, number>>;
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
