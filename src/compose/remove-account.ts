import { sql } from 'kysely';
import { forgetReader } from '../datasets/index.ts';
import { removeAccountFeeds } from '../feeds/index.ts';
import { removeAccountForecasts } from '../forecasts/index.ts';
import { lockForRemoval, removeAccount, requireAccount } from '../identity/index.ts';
import { openQueue, type Queue, type Transaction } from '../platform/index.ts';
import { removeAccountEvents } from '../scout/index.ts';
import { deleteFilter, listFilters } from '../screener/index.ts';
import {
  leaveWorkspaces,
  listOwnedWorkspaces,
  lockWorkspaces,
  removeWorkspace,
  type WorkspaceContext,
} from '../workspaces/index.ts';
import { createWorkspaceContext } from './domains.ts';
import { accountInUse, sharedWorkspacesOwned } from './faults.ts';
import type { Foundation } from './foundation.ts';
import { QUEUES } from './queues.ts';

/** How many items of each kind were removed with an account. */
export interface RemovedCounts {
  readonly workspaces: number;
  readonly csv_files: number;
  readonly forecasts: number;
  readonly events: number;
  readonly filters: number;
  readonly feeds: number;
  readonly memberships: number;
  readonly api_keys: number;
  readonly sessions: number;
  readonly grants: number;
}

export interface RemovedAccount {
  readonly id: string;
  readonly email: string;
  readonly removed: RemovedCounts;
  /** The number of forecasts that were queued or running. */
  readonly canceled_forecasts: number;
  /** What stays in workspaces of other accounts and now belongs to the owners of those workspaces. */
  readonly handed_over: { readonly forecasts: number; readonly events: number };
}

/**
 * Removes an account with everything that belongs to it, in one transaction. Refuses while the account owns a workspace
 * that has other members.
 */
export async function removeAccountWithContents(
  { database, clock, log }: Pick<Foundation, 'database' | 'clock' | 'log'>,
  email: string,
): Promise<RemovedAccount> {
  // Found before the queue is opened, because opening the queue takes longer than everything else.
  const account = await requireAccount(database, email);
  const queue = await openQueue(database, { queues: QUEUES, supervise: false, log });
  try {
    const context = createWorkspaceContext({ database, clock }, { queue });
    return await database.transaction((tx) => removeInTransaction(context, queue, tx, account));
  } finally {
    await queue.stop({ timeoutMs: 1_000 });
  }
}

async function removeInTransaction(
  context: WorkspaceContext,
  queue: Queue,
  tx: Transaction,
  account: { readonly id: string; readonly email: string },
): Promise<RemovedAccount> {
  const { id } = account;
  const now = context.clock.now();
  // Other transactions lock workspaces, then forecasts, then slots, and refer to the account last. In another order, this
  // one and a request of the account could wait for each other.
  await lockWorkspaces(tx, id, await findWorkspacesWithContents(tx, id));
  const owned = await listOwnedWorkspaces(tx, id);
  const shared = owned.filter(({ has_others }) => has_others);
  if (shared.length > 0) throw sharedWorkspacesOwned(shared.map(({ slug }) => slug));
  const contents = { files: 0, forecasts: 0, canceled: 0, events: 0 };
  for (const { id: workspaceId } of owned) {
    const removed = await removeWorkspace(context, tx, workspaceId);
    for (const kind of Object.keys(contents) as (keyof typeof contents)[]) contents[kind] += removed[kind];
  }
  const forecasts = await removeAccountForecasts({ queue }, tx, id, now);
  const events = await removeAccountEvents(tx, id);
  const filters = await listFilters(tx, id);
  for (const filter of filters) await deleteFilter({ database: tx }, id, filter.id);
  const memberships = await leaveWorkspaces(tx, id);
  await forgetReader(tx, id);
  if (!(await lockForRemoval(tx, id)) || (await hasContents(tx, id))) throw accountInUse();
  // After the account is locked, as in the requests that create and delete feeds.
  const feeds = await removeAccountFeeds(tx, id);
  const { apiKeys, sessions, grants } = await removeAccount(tx, account);
  return {
    ...account,
    removed: {
      workspaces: owned.length,
      csv_files: contents.files,
      forecasts: contents.forecasts + forecasts.forecasts,
      events: contents.events + events.events,
      filters: filters.length,
      feeds,
      memberships,
      api_keys: apiKeys,
      sessions,
      grants,
    },
    canceled_forecasts: contents.canceled + forecasts.canceled,
    handed_over: { forecasts: forecasts.handedOver, events: events.handedOver },
  };
}

/** Returns the workspaces that contain forecasts or events of an account, even if it is no longer a member. */
async function findWorkspacesWithContents(tx: Transaction, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    SELECT workspace_id FROM forecast WHERE owner = ${accountId} AND workspace_id IS NOT NULL
    UNION SELECT workspace_id FROM event_forecast WHERE author_account_id = ${accountId} AND workspace_id IS NOT NULL
  `.execute(tx.query());
  return rows.map(({ workspace_id }) => workspace_id);
}

/**
 * Returns whether a request has stored new contents of the account since the earlier ones were removed. Removing the
 * account would also remove these, but would not cancel their jobs or release their slots.
 */
async function hasContents(tx: Transaction, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM forecast WHERE account_id = ${accountId} OR (payer = ${accountId} AND status IN ('queued', 'running'))
    UNION ALL SELECT 1 FROM event_forecast WHERE author_account_id = ${accountId}
    UNION ALL SELECT 1 FROM workspace WHERE owner_account_id = ${accountId}
    LIMIT 1`.execute(tx.query());
  return rows.length > 0;
}
