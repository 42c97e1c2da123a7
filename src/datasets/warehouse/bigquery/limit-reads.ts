import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../../calendar/index.ts';
import type { Clock, Database, Executor, Transaction } from '../../../platform/index.ts';
import { dayUsedUp, readAboveDayLimit, readsUsedUp } from './faults.ts';
import type { BilledTables } from './tables.ts';

export interface LimitContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Maximum number of MiB that the reads of all accounts are billed for in a UTC day. */
  readonly mibPerDay: number;
}

/** Maximum number of reads of one account in any 60 minutes. */
const MAX_READS_PER_HOUR = 20;
const WINDOW_MS = HOUR_MS;
const MEBIBYTE = 1024 ** 2;
/** BigQuery bills at least this for each table that a query refers to. */
const MIN_BILLED_MIB = 10;
/** Older reads are removed. A day is enough for both limits, but clocks of processes can differ. */
const KEEP_MS = 2 * DAY_MS;

interface NewRead {
  readonly accountId: string;
  /** The bytes of the dry run. */
  readonly estimatedBytes: number;
}

/**
 * Counts a read before it is sent. Throws a fault with the time of the next possible read if the account or the day has
 * none left.
 *
 * @returns the id of the record, with which a query that did not run is taken back
 */
export async function countRead({ database, clock, mibPerDay }: LimitContext, read: NewRead): Promise<number> {
  const mib = billedMib(read.estimatedBytes);
  if (mib > mibPerDay) throw readAboveDayLimit(mib, mibPerDay);
  return database.transaction(async (tx) => {
    // One transaction at a time, because two could otherwise both find the last free read.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('reads of billed warehouse tables', 0))`.execute(
      tx.query(),
    );
    const now = clock.now();
    await requireReadOfHour(tx, read.accountId, now);
    await requireBytesOfDay(tx, mib, mibPerDay, now);
    const { id } = await tx
      .query<BilledTables>()
      .insertInto('warehouse_read')
      .values({ account_id: read.accountId, at: now, bytes: mib * MEBIBYTE })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** Checks that an account has a read left. Throws a fault with the time of the next possible read otherwise. */
export async function requireReadLeft(
  { database, clock }: Pick<LimitContext, 'database' | 'clock'>,
  accountId: string,
): Promise<void> {
  await requireReadOfHour(database, accountId, clock.now());
}

function billedMib(estimatedBytes: number): number {
  return Math.max(MIN_BILLED_MIB, Math.ceil(estimatedBytes / MEBIBYTE));
}

async function requireReadOfHour(executor: Executor, accountId: string, now: Date): Promise<void> {
  // If this read exists, there is none left until it is an hour old.
  const blocking = await executor
    .query<BilledTables>()
    .selectFrom('warehouse_read')
    .select('at')
    .where('account_id', '=', accountId)
    .where('at', '>', new Date(now.getTime() - WINDOW_MS))
    .orderBy('at', 'desc')
    .offset(MAX_READS_PER_HOUR - 1)
    .limit(1)
    .executeTakeFirst();
  if (blocking === undefined) return;
  // The clock may have been set back since.
  const freeAt = new Date(Math.min(blocking.at.getTime(), now.getTime()) + WINDOW_MS);
  throw readsUsedUp(MAX_READS_PER_HOUR, freeAt, secondsUntil(freeAt, now));
}

async function requireBytesOfDay(tx: Transaction, mib: number, mibPerDay: number, now: Date): Promise<void> {
  const start = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const end = new Date(start + DAY_MS);
  const { bytes } = await tx
    .query<BilledTables>()
    .selectFrom('warehouse_read')
    .select(sql<number>`coalesce(sum(bytes), 0)::float8`.as('bytes'))
    .where('at', '>=', new Date(start))
    .where('at', '<', end)
    .executeTakeFirstOrThrow();
  const left = mibPerDay - bytes / MEBIBYTE;
  if (mib > left)
    throw dayUsedUp({ needed: mib, left: Math.max(0, left), limit: mibPerDay }, end, secondsUntil(end, now));
}

function secondsUntil(instant: Date, now: Date): number {
  return Math.max(1, Math.ceil((instant.getTime() - now.getTime()) / 1_000));
}

/** Takes a read back whose query did not run. */
export async function takeReadBack({ database }: Pick<LimitContext, 'database'>, id: number): Promise<void> {
  await database.query<BilledTables>().deleteFrom('warehouse_read').where('id', '=', id).execute();
}

/** Removes the reads that no limit counts. */
export async function removeOldReads({ database, clock }: Pick<LimitContext, 'database' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - KEEP_MS);
  await database.query<BilledTables>().deleteFrom('warehouse_read').where('at', '<', before).execute();
}

/** Removes an account from its reads. Their bytes still count for the day, because they were billed. */
export async function forgetReader(tx: Transaction, accountId: string): Promise<void> {
  await tx
    .query<BilledTables>()
    .updateTable('warehouse_read')
    .set({ account_id: null })
    .where('account_id', '=', accountId)
    .execute();
}
