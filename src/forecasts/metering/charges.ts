import { sql } from 'kysely';
import type { Executor, Transaction } from '../../platform/index.ts';
import type { ForecastTables, LedgerEntryTable } from '../tables.ts';

// When a forecast is created, it takes a slot and reserves credits of its payer. The transaction that ends the forecast
// releases the slot and captures or releases the credits.

/**
 * Takes one of the owner's slots in one statement, so that concurrent requests cannot take more slots than there are.
 * The owner's row stays locked until the transaction ends: until then no other request takes a slot of this owner or
 * reserves its credits.
 *
 * @returns false if all slots are taken
 */
export async function takeSlot(tx: Transaction, owner: string, slots: number): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO admission (owner, active)
    SELECT ${owner}, 1 WHERE ${slots}::int > 0
    ON CONFLICT (owner) DO UPDATE SET active = admission.active + 1 WHERE admission.active < ${slots}::int
    RETURNING owner`.execute(tx.query());
  return rows.length > 0;
}

/** Counts the slots that are taken. Nothing is locked, so the number can change before `takeSlot`. */
export async function countTakenSlots(executor: Executor, owner: string): Promise<number> {
  const row = await executor
    .query<ForecastTables>()
    .selectFrom('admission')
    .select('active')
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row?.active ?? 0;
}

/** Releases a slot. Call it once for each slot that was taken, in the transaction that ends the forecast. */
export async function releaseSlot(tx: Transaction, owner: string): Promise<void> {
  const { rows } = await sql`
    UPDATE admission SET active = active - 1 WHERE owner = ${owner} AND active > 0 RETURNING owner
  `.execute(tx.query());
  if (rows.length === 0) throw new Error(`${owner} has no slot to release.`);
}

/**
 * The number of forecasts that all guests of one network together may have queued or running: one person can be many
 * guests.
 */
export const MAX_NETWORK_SLOTS = 10;

/**
 * Takes one of the slots that the guests of a network share, for a forecast that is already stored. Call it after
 * `takeSlot`, and `releaseNetworkSlot` after `releaseSlot`: locks that are always taken in the same order cannot
 * deadlock.
 *
 * @returns false if all slots are taken; the caller must then roll back
 */
export async function takeNetworkSlot(tx: Transaction, network: string, forecastId: string): Promise<boolean> {
  if (!(await takeSlot(tx, network, MAX_NETWORK_SLOTS))) return false;
  await tx.query<ForecastTables>().insertInto('network_slot').values({ forecast_id: forecastId, network }).execute();
  return true;
}

/** Releases the network slot of a forecast, if it has one. The slot was stored with the hash of its network. */
export async function releaseNetworkSlot(tx: Transaction, forecastId: string): Promise<void> {
  const released = await tx
    .query<ForecastTables>()
    .deleteFrom('network_slot')
    .where('forecast_id', '=', forecastId)
    .returning('network')
    .executeTakeFirst();
  if (released) await releaseSlot(tx, released.network);
}

const ROWS_PER_CREDIT = 1_000;

/** The fit for the validation window, and the final fit. */
const FITS_BESIDE_FOLDS = 2;

/**
 * Returns the price of a forecast in credits. A credit pays for one model fitted once on up to 1,000 rows.
 *
 * @param size.folds 0 for manual weights, which need no folds
 */
export function countCredits({ models, rows, folds }: { models: number; rows: number; folds: number }): number {
  return models * (folds + FITS_BESIDE_FOLDS) * Math.ceil(rows / ROWS_PER_CREDIT);
}

/** Returns the month whose quota is used, in UTC. @example creditMonth(new Date('2026-11-30T23:59:59Z')) // 2026-11 */
export function creditMonth(now: Date): string {
  return now.toISOString().slice(0, 7);
}

/** Returns the start of the month whose quota is used and the start of the next month, in UTC. */
export function creditPeriod(now: Date): { readonly start: Date; readonly end: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}

export interface Usage {
  /** Credits of queued and running forecasts. */
  readonly reserved: number;
  /** Credits of completed forecasts. */
  readonly spent: number;
}

/**
 * Returns the credits that an owner has reserved and spent in a month.
 *
 * @example await readUsage(database, account.accountId, creditMonth(clock.now()))
 */
export async function readUsage(executor: Executor, owner: string, month: string): Promise<Usage> {
  return executor
    .query<ForecastTables>()
    .selectFrom('ledger_entry')
    .select([
      sql<number>`coalesce(sum(amount) FILTER (WHERE ledger_account = 'reserved'), 0)`.as('reserved'),
      sql<number>`coalesce(sum(amount) FILTER (WHERE ledger_account = 'spent'), 0)`.as('spent'),
    ])
    .where('owner', '=', owner)
    .where('month', '=', month)
    .executeTakeFirstOrThrow();
}

/** Returns the number of credits that are left for the next forecast. */
export function countCreditsLeft({ reserved, spent }: Usage, limit: number): number {
  // More can be in use than the limit allows, if the plan was changed to one with fewer credits.
  return Math.max(0, limit - reserved - spent);
}

export interface Reservation {
  readonly owner: string;
  readonly forecastId: string;
  readonly credits: number;
  /** The owner's credits for a month; null if they are unlimited. */
  readonly limit: number | null;
  readonly now: Date;
}

/**
 * Reserves the credits of a forecast in the current month (UTC). Call it after `takeSlot`, in the same transaction.
 *
 * @returns false if too few credits are left. Nothing was written then, but the slot is still taken, so the caller must
 * roll back.
 */
export async function reserveCredits(tx: Transaction, reservation: Reservation): Promise<boolean> {
  const { owner, forecastId, credits, limit, now } = reservation;
  // A negative reservation would increase the quota.
  if (!Number.isSafeInteger(credits) || credits < 0) throw new RangeError(`${credits} is not a number of credits.`);
  const month = creditMonth(now);
  await lockAdmission(tx, owner);
  if (limit !== null && credits > countCreditsLeft(await readUsage(tx, owner, month), limit)) return false;
  const transfer = transferName('reserve', forecastId);
  const entry = (ledger_account: LedgerEntryTable['ledger_account'], amount: number) => {
    return { transfer, owner, month, forecast_id: forecastId, created_at: now, ledger_account, amount };
  };
  await tx
    .query<ForecastTables>()
    .insertInto('ledger_entry')
    .values([entry('available', 0 - credits), entry('reserved', credits)])
    .execute();
  await recordTakenSlots(tx, owner, now);
  return true;
}

/**
 * Serializes the reservations of an owner, so that each sees all that were committed before it. `takeSlot` already
 * holds this lock, so this does not block; the lock is taken again so that correctness does not depend on the caller.
 */
async function lockAdmission(tx: Transaction, owner: string): Promise<void> {
  const row = await tx
    .query<ForecastTables>()
    .selectFrom('admission')
    .select('owner')
    .where('owner', '=', owner)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new Error(`${owner} has no slot, so no credits can be reserved.`);
}

export interface Settlement {
  readonly owner: string;
  readonly forecastId: string;
  readonly credits: number;
  readonly now: Date;
}

/** Spends the credits of a completed forecast, in the month of the reservation. */
export async function captureCredits(tx: Transaction, settlement: Settlement): Promise<void> {
  await settleReservation(tx, settlement, 'capture', 'spent');
  await recordSpentCredits(tx, transferName('reserve', settlement.forecastId));
}

/** Makes the credits of a failed or canceled forecast available again, in the month of the reservation. */
export function releaseCredits(tx: Transaction, settlement: Settlement): Promise<void> {
  return settleReservation(tx, settlement, 'release', 'available');
}

/**
 * Captures or releases reserved credits in one statement. A unique index allows one settlement per forecast, so the
 * second of two concurrent settlements blocks until the first commits and then changes nothing.
 *
 * Throws unless the reservation is open and matches the settlement. Callers settle only after they have ended an
 * unfinished forecast, so an error thrown here indicates a bug.
 */
async function settleReservation(
  tx: Transaction,
  settlement: Settlement,
  kind: 'capture' | 'release',
  to: 'spent' | 'available',
): Promise<void> {
  const { owner, forecastId, credits, now } = settlement;
  const transfer = transferName(kind, forecastId);
  const { rows } = await sql`
    WITH taken AS (
      INSERT INTO ledger_entry (transfer, owner, month, ledger_account, amount, forecast_id, created_at)
      SELECT ${transfer}, owner, month, 'reserved', -amount, forecast_id, ${now}::timestamptz
      FROM ledger_entry
      WHERE transfer = ${transferName('reserve', forecastId)} AND ledger_account = 'reserved'
        AND owner = ${owner} AND amount = ${credits}
      ON CONFLICT DO NOTHING
      RETURNING transfer, owner, month, amount, forecast_id, created_at
    )
    INSERT INTO ledger_entry (transfer, owner, month, ledger_account, amount, forecast_id, created_at)
    SELECT transfer, owner, month, ${to}, -amount, forecast_id, created_at FROM taken
    RETURNING id`.execute(tx.query());
  if (rows.length === 0) throw new Error(await explainUnsettled(tx, settlement));
}

async function explainUnsettled(tx: Transaction, { owner, forecastId, credits }: Settlement): Promise<string> {
  const entries = await tx
    .query<ForecastTables>()
    .selectFrom('ledger_entry')
    .select(['transfer', 'owner', 'amount'])
    .where('forecast_id', '=', forecastId)
    .where('ledger_account', '=', 'reserved')
    .execute();
  const reservation = entries.find(({ transfer }) => transfer === transferName('reserve', forecastId));
  const settled = entries.find((entry) => entry !== reservation);
  if (!reservation) return `No credits are reserved for ${forecastId}.`;
  if (reservation.owner !== owner) return `${owner} has no reservation for ${forecastId}.`;
  if (reservation.amount !== credits)
    return `${reservation.amount} credits are reserved for ${forecastId}, not ${credits}.`;
  return settled ? `${forecastId} is already settled: ${settled.transfer}.` : `${forecastId} could not be settled.`;
}

/**
 * Returns the name of a transfer. A forecast has one name for each kind of transfer, and the database accepts each name
 * only once.
 */
export function transferName(kind: 'reserve' | 'capture' | 'release', forecastId: string): string {
  return `${kind}:${forecastId}`;
}

/** Returns the day of an instant, in UTC. @example dayOf(new Date(0)) // 1970-01-01 */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** Records how many slots an account has in use, after one was taken. Guests have no history. */
async function recordTakenSlots(tx: Transaction, owner: string, now: Date): Promise<void> {
  await sql`
    INSERT INTO usage_day (account_id, day, peak_slots)
    SELECT owner, ${dayOf(now)}, active FROM admission WHERE owner = ${owner} AND owner LIKE 'usr\\_%'
    ON CONFLICT (account_id, day) DO UPDATE
    SET peak_slots = greatest(usage_day.peak_slots, excluded.peak_slots)`.execute(tx.query());
}

/**
 * Records the credits of a completed forecast on the day of its reservation, so that the days of a month add up to what
 * the ledger counts for that month.
 *
 * @param reservation the transfer that reserved the credits
 */
async function recordSpentCredits(tx: Transaction, reservation: string): Promise<void> {
  await sql`
    INSERT INTO usage_day (account_id, day, credits)
    SELECT owner, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), amount FROM ledger_entry
    WHERE transfer = ${reservation} AND ledger_account = 'reserved' AND owner LIKE 'usr\\_%'
    ON CONFLICT (account_id, day) DO UPDATE SET credits = usage_day.credits + excluded.credits`.execute(tx.query());
}
