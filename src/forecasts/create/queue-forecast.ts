import { randomUUID } from 'node:crypto';
import type { Account, Guest } from '../../access/index.ts';
import type { Fault, Visibility } from '../../contract/index.ts';
import { type JobGroup, json, newId, slugOf, type Transaction } from '../../platform/index.ts';
import { holdSnapshot } from '../../snapshots/index.ts';
import {
  addToOwnScope,
  type FoundMembership,
  findMembership,
  lockWorkspace,
  requirePermission,
  workspaceDenied,
} from '../../workspaces/index.ts';
import type { ForecastContext } from '../context.ts';
import {
  forecastRemoved,
  frozenRowsRemoved,
  networkSlotsTaken,
  ownerLacksCredits,
  slotsTaken,
  snapshotRemoved,
  tooFewCredits,
} from '../faults.ts';
import { forecastQueue } from '../forecast-queues.ts';
import { recordEvent } from '../forecast-state.ts';
import {
  countCreditsLeft,
  creditMonth,
  MAX_NETWORK_SLOTS,
  type Reservation,
  readUsage,
  reserveCredits,
  takeNetworkSlot,
  takeSlot,
} from '../metering/charges.ts';
import { chargeMember } from '../metering/member-credits.ts';
import { readUnpaidCpu } from '../metering/unpaid-cpu.ts';
import { creatorMembership, findPayer, type Owner, type Payer } from '../owner.ts';
import { countWaiting, priorityOf } from '../queue-order.ts';
import { requireStorage } from '../storage/storage-budgets.ts';
import type { ForecastSettings, ForecastTables } from '../tables.ts';

/** A forecast that is ready to be queued. */
export interface NewForecast {
  readonly owner: Owner;
  /** The hash that `hashGuestNetwork` returns. */
  readonly network: string | null;
  readonly workspaceId: string | null;
  readonly visibility: Visibility;
  readonly title: string | null;
  readonly request: object;
  readonly settings: ForecastSettings;
  readonly snapshotId: string;
  readonly checkpoints: Record<string, string>;
  readonly reproduces: string | null;
  readonly credits: number;
}

/**
 * Queues a forecast. Since the request was checked, the caller may have lost its membership in the workspace, or the
 * workspace may have a new owner, which then pays. Both are checked again here, under a lock that is held until the
 * forecast is stored.
 *
 * @returns the id of the forecast
 */
export async function queueForecast(
  context: ForecastContext,
  tx: Transaction,
  principal: Account | Guest,
  forecast: NewForecast,
): Promise<string> {
  const { workspaceId } = forecast;
  if (workspaceId === null) return insertForecast(context, tx, forecast, await findPayer(tx, principal, null));
  if (principal.kind === 'guest') throw workspaceDenied();
  await lockWorkspace(tx, workspaceId);
  const { accountId } = principal;
  const membership = await findMembership(tx, accountId, workspaceId);
  requireMayCreate(principal, membership, forecast);
  const id = await insertForecast(context, tx, forecast, await findPayer(tx, principal, membership));
  if (membership !== null) {
    const { credits } = forecast;
    await chargeMember(tx, { accountId, membership }, { forecastId: id, credits, now: context.clock.now() });
  }
  // A private forecast stays out of the scope, because other members see the scope.
  if (membership !== null && forecast.visibility !== 'private') await addToOwnScope(tx, membership, 'forecasts', id);
  return id;
}

/**
 * Returns the caller's membership in a workspace if the membership allows it to create this forecast there.
 *
 * @param membership null if the caller is not a member
 */
export function requireMayCreate(
  principal: Account,
  membership: FoundMembership | null,
  { visibility, reproduces }: Pick<NewForecast, 'visibility' | 'reproduces'>,
): FoundMembership {
  // Only the creator of a private forecast can reproduce it, and a selected resource scope contains neither the
  // original nor the copy.
  const isOwnCopy = visibility === 'private' && reproduces !== null;
  const applicable = membership && isOwnCopy ? creatorMembership(membership) : membership;
  return requirePermission(principal, applicable, 'forecast.create');
}

/** Stores a forecast with its slot, credits, snapshot, queue entry and first event, in the caller's transaction. */
async function insertForecast(
  context: ForecastContext,
  tx: Transaction,
  forecast: NewForecast,
  payer: Payer,
): Promise<string> {
  const { owner, settings, network, credits } = forecast;
  const { limits } = payer;
  const now = context.clock.now();
  if (!(await takeSlot(tx, payer.id, limits.slots))) throw slotsTaken(limits.slots, payer.isCaller);
  if (forecast.reproduces !== null) await lockOriginal(tx, forecast.reproduces);
  const id = newId('ef', now.getTime());
  const jobId = randomUUID();
  const engine = context.checkpoints.engines.present;
  const queue = forecastQueue(engine);
  const progress = { completed_models: 0, total_models: settings.models.length, current_model: null };
  await tx
    .query<ForecastTables>()
    .insertInto('forecast')
    .values({
      id,
      slug: slugOf(forecast.title ?? describeSubject(settings), 'forecast'),
      owner: owner.id,
      payer: payer.id,
      account_id: owner.accountId,
      guest_id: owner.guestId,
      workspace_id: forecast.workspaceId,
      visibility: forecast.visibility,
      title: forecast.title,
      status: 'queued',
      request: forecast.request,
      settings,
      snapshot_id: forecast.snapshotId,
      guest_network: network,
      checkpoints: forecast.checkpoints,
      reproduces: forecast.reproduces,
      is_copy: forecast.reproduces !== null,
      credits,
      job_id: jobId,
      queue,
      progress: json(progress),
      created_at: now,
    })
    .execute();
  if (network !== null && !(await takeNetworkSlot(tx, network, id))) throw networkSlotsTaken(MAX_NETWORK_SLOTS);
  const reservation = { owner: payer.id, forecastId: id, credits, limit: limits.credits, now };
  if (!(await reserveCredits(tx, reservation))) throw await creditFault(tx, reservation, payer);
  if (!(await holdSnapshot(tx, forecast.snapshotId, id))) throw snapshotRemoved();
  const place = await chooseQueuePlace(context, tx, payer, network);
  await context.queue.enqueue(tx, queue, { forecast_id: id, engine }, { id: jobId, ...place });
  await recordEvent(tx, { forecastId: id, kind: 'queued', data: { status: 'queued', progress }, now });
  await requireStorage(context, tx, payer, forecast);
  return id;
}

interface QueuePlace {
  readonly priority: number;
  readonly group: JobGroup;
}

/**
 * Returns the place of a new forecast in the queue, after its slot was taken. Plans come first. Within a plan, the payer
 * with the fewest waiting forecasts goes first, so another payer waits for at most one forecast of a payer that has queued
 * many. A payer whose canceled and failed forecasts have used too much CPU in this hour comes last, and its forecasts run
 * one at a time.
 *
 * @param network the hash that `hashGuestNetwork` returns. All guests of a network count as one payer
 */
async function chooseQueuePlace(
  { clock, unpaidCpuSeconds }: Pick<ForecastContext, 'clock' | 'unpaidCpuSeconds'>,
  tx: Transaction,
  { id, limits }: Payer,
  network: string | null,
): Promise<QueuePlace> {
  const isLast = (await readUnpaidCpu(tx, id, clock.now())) > unpaidCpuSeconds;
  const waiting = isLast ? null : await countWaiting(tx, id, network);
  return { priority: priorityOf(limits.priority, waiting), group: { id, oneAtATime: isLast } };
}

/** Returns the fault for too few credits. Only the payer may learn how many are left. */
async function creditFault(
  tx: Transaction,
  { owner, credits, limit, now }: Reservation,
  { isCaller }: Payer,
): Promise<Fault> {
  if (!isCaller || limit === null) return ownerLacksCredits(now);
  const left = countCreditsLeft(await readUsage(tx, owner, creditMonth(now)), limit);
  return tooFewCredits({ needed: credits, left, limit }, now);
}

/**
 * Locks the original of a copy and checks that it still exists and has its snapshot, because either may have been removed.
 * The slot must be locked before the original, because a removal also locks slots before it removes forecasts.
 */
async function lockOriginal(tx: Transaction, id: string): Promise<void> {
  const original = await tx
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select('removed_snapshot')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  if (original === undefined) throw forecastRemoved();
  if (original.removed_snapshot) throw frozenRowsRemoved(original.removed_snapshot.removed_at);
}

/** Returns the subject of a forecast, for its slug. @example describeSubject(settings) // AAPL 1D 30 */
function describeSubject({ source, horizon }: Pick<ForecastSettings, 'source' | 'horizon'>): string {
  if (source === null) return 'forecast';
  if (source.type === 'market') return `${source.symbol} ${source.timeframe} ${horizon}`;
  if (source.type === 'warehouse_table') return `${source.table} ${source.value_field} ${horizon}`;
  return `${source.type === 'workspace_csv' ? source.value_field : source.series_id} ${horizon}`;
}
