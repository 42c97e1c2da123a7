import { sql } from 'kysely';
import type { z } from 'zod';
import type { Account, Guest } from '../../access/index.ts';
import type { UsageRecord } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { countSnapshotBytes, readStoredBytes } from '../../snapshots/index.ts';
import { ownedWorkspaces, readOwnedFileBytes } from '../../workspaces/index.ts';
import type { ForecastContext } from '../context.ts';
import { hashGuestNetwork } from '../create/check-limits.ts';
import { findPayer, type Payer } from '../owner.ts';
import { findBudgets } from '../storage/storage-budgets.ts';
import {
  countCreditsLeft,
  countTakenSlots,
  creditMonth,
  creditPeriod,
  MAX_NETWORK_SLOTS,
  readUsage,
} from './charges.ts';

/** The usage of a caller, without the requests, which this room does not count. */
export type PlanUsage = Omit<z.output<typeof UsageRecord>, 'requests'>;

type UsageContext = Pick<ForecastContext, 'database' | 'clock' | 'guestNetworkKey' | 'storage'>;

/**
 * Returns how much of its plan a caller uses, from the same rows with which the limits are enforced. Takes no slot and
 * reserves no credits.
 *
 * @param network the network of the caller's address, as the rate limits count it
 */
export async function readPlanUsage(
  context: UsageContext,
  principal: Account | Guest,
  network: string | null,
): Promise<PlanUsage> {
  const { database } = context;
  const now = context.clock.now();
  const payer = await findPayer(database, principal, null);
  const { id, limits } = payer;
  const { start, end } = creditPeriod(now);
  const credits = await readUsage(database, id, creditMonth(now));
  return {
    plan: principal.kind === 'guest' ? 'guest' : principal.plan,
    period: { start: start.toISOString(), end: end.toISOString() },
    credits: {
      limit: limits.credits,
      used: credits.spent,
      reserved: credits.reserved,
      left: limits.credits === null ? null : countCreditsLeft(credits, limits.credits),
    },
    slots: await readSlots(context, id, limits.slots, await hashGuestNetwork(context, principal, network)),
    storage: await readStorage(context, payer),
  };
}

async function readStorage(context: UsageContext, payer: Pick<Payer, 'id' | 'plan'>): Promise<PlanUsage['storage']> {
  const { database } = context;
  const [budget] = await findBudgets(context, database, payer, { workspaceId: null, network: null });
  const bytes = await readStoredBytes(database, budget.payers);
  // Guests cannot own workspaces.
  const files = payer.plan === null ? 0 : await readOwnedFileBytes(database, payer.id);
  const snapshots = await countInputBytes(database, payer.id);
  return {
    bytes,
    limit_bytes: budget.limit,
    csv_bytes: files,
    snapshot_bytes: snapshots,
    // Something may have been stored between the statements.
    forecast_bytes: Math.max(0, bytes - files - snapshots),
  };
}

/** @param network the hash that `hashGuestNetwork` returns */
async function readSlots(
  { database }: Pick<UsageContext, 'database'>,
  owner: string,
  limit: number,
  network: string | null,
): Promise<PlanUsage['slots']> {
  const used = await countTakenSlots(database, owner);
  const shared = network === null ? limit : MAX_NETWORK_SLOTS - (await countTakenSlots(database, network));
  // More can be in use than the limit allows, if the plan was changed to one with fewer slots.
  return { limit, used, left: Math.max(0, Math.min(limit - used, shared)) };
}

/**
 * Counts the bytes of the snapshots that the owner's forecasts outside workspaces and all forecasts in its workspaces
 * were made from. The snapshots of outcomes do not count toward the storage.
 */
function countInputBytes(executor: Executor, owner: string): Promise<number> {
  return countSnapshotBytes(
    executor,
    sql`
      SELECT snapshot_id FROM forecast WHERE owner = ${owner} AND workspace_id IS NULL
      UNION ALL
      SELECT snapshot_id FROM forecast WHERE workspace_id IN (${ownedWorkspaces(owner)})`,
  );
}
