import { sql } from 'kysely';
import { forgetReader } from '../datasets/index.ts';
import { removeAccountFeeds } from '../feeds/index.ts';
import { keepNameless, removeAccountForecasts } from '../forecasts/index.ts';
import { lockAdministrators, lockForRemoval, readPrincipal, removeAccount } from '../identity/index.ts';
import { removeWebhooks } from '../notifications/index.ts';
import { isRetryableConflict, type Transaction } from '../platform/index.ts';
import { removeAccountEvents } from '../scout/index.ts';
import { deleteFilter, listFilters } from '../screener/index.ts';
import { leaveWorkspaces, listOwnedWorkspaces, lockWorkspaces, removeWorkspace } from '../workspaces/index.ts';
import type { OwnershipContext } from './context.ts';
import {
  accountGone,
  accountInUse,
  lastAdministrator,
  notKeepable,
  passwordChangedMeanwhile,
  sharedWorkspacesOwned,
} from './faults.ts';

/** How many items of each kind were removed with an account. */
export interface RemovedCounts {
  readonly workspaces: number;
  readonly csv_files: number;
  readonly forecasts: number;
  readonly events: number;
  readonly filters: number;
  readonly feeds: number;
  readonly webhooks: number;
  readonly memberships: number;
  readonly api_keys: number;
  readonly sessions: number;
  readonly grants: number;
}

export interface ErasedAccount {
  readonly id: string;
  readonly email: string;
  readonly removed: RemovedCounts;
  /** The number of forecasts that were queued or running. */
  readonly canceled_forecasts: number;
  /** What stays in workspaces of other accounts and now belongs to the owners of those workspaces. */
  readonly handed_over: { readonly forecasts: number; readonly events: number };
  /** The number of public forecasts that stay without an owner. */
  readonly kept_forecasts: number;
}

export interface Erasure {
  readonly account: { readonly id: string; readonly email: string };
  /** The public forecasts that stay without an owner: their ids, or `all`. */
  readonly keepPublic: readonly string[] | 'all';
  /** The hash of the password that was checked before; absent if no password was required. */
  readonly passwordHash?: string | undefined;
  /** Whether the only administrator is refused. The command line works without one, so it can remove every account. */
  readonly leavesAdministrator: boolean;
}

/** How often an erasure is tried while other requests of the account store something. */
const MAX_ATTEMPTS = 3;

/**
 * Erases an account with everything that belongs to it, in one transaction. Refuses while the account owns a workspace
 * that has other members, or if no administrator would remain.
 */
export async function eraseAccount(context: OwnershipContext, erasure: Erasure): Promise<ErasedAccount> {
  for (let attempt = 1; ; attempt++) {
    const erased = await context.database
      .transaction((tx) => eraseInTransaction(context, tx, erasure))
      .catch((error: unknown) => {
        // After a deadlock, nothing of the transaction remains.
        if (error instanceof NewContents || isRetryableConflict(error)) return null;
        throw error;
      });
    if (erased !== null) return erased;
    if (attempt === MAX_ATTEMPTS) throw accountInUse();
  }
}

/** A request has stored contents of the account while the earlier ones were removed. */
class NewContents extends Error {}

async function eraseInTransaction(
  context: OwnershipContext,
  tx: Transaction,
  { account, keepPublic, passwordHash, leavesAdministrator }: Erasure,
): Promise<ErasedAccount> {
  const { id } = account;
  const now = context.clock.now();
  // Other transactions lock workspaces, then forecasts, then slots, and refer to the account last. In another order, this
  // one and a request of the account could wait for each other.
  await lockWorkspaces(tx, id, await findWorkspacesWithContents(tx, id));
  const owned = await listOwnedWorkspaces(tx, id);
  const shared = owned.filter(({ has_others }) => has_others);
  if (shared.length > 0) throw sharedWorkspacesOwned(shared);
  const kept = await keepChosen(tx, id, keepPublic);
  const contents = { files: 0, forecasts: 0, canceled: 0, events: 0 };
  const workspaceWebhooks = await removeWebhooks(
    tx,
    'workspace',
    owned.map((workspace) => workspace.id),
  );
  for (const { id: workspaceId } of owned) {
    const removed = await removeWorkspace(context, tx, workspaceId);
    for (const kind of Object.keys(contents) as (keyof typeof contents)[]) contents[kind] += removed[kind];
  }
  const forecasts = await removeAccountForecasts(context, tx, id, now);
  const events = await removeAccountEvents(tx, id);
  const filters = await listFilters(tx, id);
  for (const filter of filters) await deleteFilter({ database: tx }, id, filter.id);
  const memberships = await leaveWorkspaces(tx, id);
  await forgetReader(tx, id);
  if (leavesAdministrator && (await lockAdministrators(tx, id))) throw lastAdministrator();
  const locked = await lockForRemoval(tx, id);
  if (locked === null) throw accountGone();
  if (passwordHash !== undefined && locked.passwordHash !== passwordHash) throw passwordChangedMeanwhile();
  if (await hasContents(tx, id)) throw new NewContents();
  // After the account is locked, as in the requests that create and delete feeds and webhooks.
  const feeds = await removeAccountFeeds(tx, id);
  const webhooks = await removeWebhooks(tx, 'account', [id]);
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
      webhooks: workspaceWebhooks + webhooks,
      memberships,
      api_keys: apiKeys,
      sessions,
      grants,
    },
    canceled_forecasts: contents.canceled + forecasts.canceled,
    handed_over: { forecasts: forecasts.handedOver, events: events.handedOver },
    kept_forecasts: kept,
  };
}

/** Makes the chosen forecasts nameless. Refuses if one of them cannot stay. Returns their number. */
async function keepChosen(tx: Transaction, accountId: string, chosen: Erasure['keepPublic']): Promise<number> {
  const kept = new Set(await keepNameless(tx, accountId, chosen));
  const missing = chosen === 'all' ? [] : chosen.filter((id) => !kept.has(id));
  // A concurrent erasure has removed the forecasts with the account.
  if (missing.length > 0) throw (await readPrincipal(tx, accountId)) === null ? accountGone() : notKeepable(missing);
  return kept.size;
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
