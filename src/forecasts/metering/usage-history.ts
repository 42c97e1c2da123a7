import { sql } from 'kysely';
import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import { DAY_MS } from '../../calendar/index.ts';
import { MAX_USAGE_ENTRIES, type UsageHistory, type UsageInterval } from '../../contract/index.ts';
import type { Clock, Database } from '../../platform/index.ts';
import { dayOf } from './charges.ts';
import { usageRangeAhead, usageRangeReversed, usageRangeTooLong } from './faults.ts';

type History = z.output<typeof UsageHistory>;

/** The days of a history, as the caller chose them. */
export interface HistoryChoice {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly interval?: UsageInterval | undefined;
}

interface Recorded {
  readonly start: string;
  readonly credits: number;
  readonly peak_slots: number | null;
  readonly bytes: number | null;
}

/**
 * Returns what an account used on each day or in each month.
 *
 * @param storedNow the bytes that the account stores now, which are those of the present day
 */
export async function readUsageHistory(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { accountId }: Account,
  choice: HistoryChoice,
  storedNow: number,
): Promise<History> {
  const today = dayOf(clock.now());
  const { interval = 'day' } = choice;
  const starts = listStarts(choice, today);
  const read = interval === 'day' ? readDays : readMonths;
  const [first = today, last = today] = [starts[0], starts.at(-1)];
  const recorded = new Map((await read(database, accountId, first, last)).map((row) => [row.start, row]));
  const { began, before } = await readStart(database, accountId, first);
  let bytes = before;
  const entries = starts.map((start) => {
    const row = recorded.get(start);
    const end = interval === 'day' ? start : lastDay(start);
    const isRecorded = end >= began;
    bytes = row?.bytes ?? bytes;
    return {
      start,
      credits: row?.credits ?? 0,
      peak_slots: row?.peak_slots ?? (isRecorded ? 0 : null),
      stored_bytes: end >= today ? storedNow : (bytes ?? (isRecorded ? 0 : null)),
    };
  });
  return { interval, entries };
}

/** The usual number of entries, up to the present one. */
const USUAL: Readonly<Record<UsageInterval, number>> = { day: 30, month: 12 };

/** Returns the first day of each entry. Throws a fault if the choice is not a range. */
function listStarts({ from, to, interval = 'day' }: HistoryChoice, today: string): string[] {
  const last = to === undefined || to > today ? today : to;
  if (from !== undefined && to !== undefined && from > to) throw usageRangeReversed();
  if (from !== undefined && from > last) throw usageRangeAhead(today);
  const max = MAX_USAGE_ENTRIES[interval];
  const starts: string[] = [];
  const end = startOf(last, interval);
  const isFirst = (start: string): boolean =>
    from === undefined ? starts.length === USUAL[interval] : start <= startOf(from, interval);
  for (let start = end; ; start = previousStart(start, interval)) {
    starts.push(start);
    if (isFirst(start)) return starts.reverse();
    if (starts.length === max) throw usageRangeTooLong(interval, max);
  }
}

function startOf(day: string, interval: UsageInterval): string {
  return interval === 'day' ? day : `${day.slice(0, 7)}-01`;
}

function previousStart(start: string, interval: UsageInterval): string {
  return startOf(dayOf(new Date(Date.parse(start) - DAY_MS)), interval);
}

/** Returns the last day of the month that begins on this day. */
function lastDay(start: string): string {
  return dayOf(new Date(Date.UTC(Number(start.slice(0, 4)), Number(start.slice(5, 7)), 0)));
}

async function readDays(database: Database, accountId: string, first: string, last: string): Promise<Recorded[]> {
  const { rows } = await sql<Recorded>`
    SELECT day AS start, credits, peak_slots, bytes::float8 AS bytes FROM usage_day
    WHERE account_id = ${accountId} AND day BETWEEN ${first} AND ${last}`.execute(database.query());
  return rows;
}

/** The ledger has the credits of every month, also of months before days were recorded and of removed forecasts. */
async function readMonths(database: Database, accountId: string, first: string, last: string): Promise<Recorded[]> {
  const { rows } = await sql<Recorded>`
    SELECT coalesce(spent.month, used.month) || '-01' AS start, coalesce(spent.credits, 0)::int AS credits, peak_slots, bytes
    FROM (
      SELECT month, sum(amount) AS credits FROM ledger_entry
      WHERE owner = ${accountId} AND ledger_account = 'spent' AND month BETWEEN ${first.slice(0, 7)} AND ${last.slice(0, 7)}
      GROUP BY month
    ) AS spent
    FULL JOIN (
      SELECT left(day, 7) AS month, max(peak_slots) AS peak_slots,
        (array_agg(bytes ORDER BY day DESC) FILTER (WHERE bytes IS NOT NULL))[1]::float8 AS bytes
      FROM usage_day WHERE account_id = ${accountId} AND day BETWEEN ${first} AND ${lastDay(last)}
      GROUP BY 1
    ) AS used ON used.month = spent.month`.execute(database.query());
  return rows;
}

/** Returns the day on which the recording began, and the bytes that were stored before the first day of a history. */
async function readStart(
  database: Database,
  accountId: string,
  first: string,
): Promise<{ readonly began: string; readonly before: number | null }> {
  const { rows } = await sql<{ began: string; before: number | null }>`
    SELECT day AS began, (
      SELECT bytes::float8 FROM usage_day AS earlier
      WHERE account_id = ${accountId} AND earlier.day < ${first} AND bytes IS NOT NULL
      ORDER BY earlier.day DESC LIMIT 1
    ) AS before
    FROM usage_start`.execute(database.query());
  return rows[0] ?? { began: first, before: null };
}
