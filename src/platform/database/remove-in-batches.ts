import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../calendar/index.ts';
import { count } from '../telemetry/index.ts';
import type { Database, Transaction } from './database.ts';

/** The kinds of rows that are removed by age, as the log and the metrics name them. */
export type RemovedKind =
  | 'failed_snapshots'
  | 'progress_events'
  | 'security_events'
  | 'mail_lines'
  | 'mails'
  | 'screener_mails'
  | 'deliveries'
  | 'outbox_events';

/** How rows of one kind are removed. */
export interface Removal {
  readonly kind: RemovedKind;
  /** Removes at most `limit` rows. Returns how many it removed. */
  readonly removeBatch: (tx: Transaction, limit: number) => Promise<number>;
}

/** The number of rows that one transaction removes. It blocks every other statement of the embedded database. */
const BATCH = 200;

interface RemovalContext {
  readonly database: Pick<Database, 'transaction'>;
  /** Ends the removals after the batch that runs. The next run continues. */
  readonly signal: AbortSignal;
}

/**
 * Removes old rows in batches, each in its own transaction. The kinds take turns, so that many rows of one do not delay
 * the others, and other statements get as much time as the batches. Returns the number of removed rows of each kind.
 */
export async function removeInBatches(
  { database, signal }: RemovalContext,
  removals: readonly Removal[],
): Promise<Partial<Record<RemovedKind, number>>> {
  const removed: Partial<Record<RemovedKind, number>> = {};
  for (let unfinished = [...removals]; unfinished.length > 0; ) {
    const finished = new Set<Removal>();
    for (const removal of unfinished) {
      if (signal.aborted) return removed;
      const startedAt = performance.now();
      const rows = await database.transaction((tx) => removal.removeBatch(tx, BATCH));
      if (rows > 0) {
        count('old_rows_removed_total', { kind: removal.kind }, rows);
        removed[removal.kind] = (removed[removal.kind] ?? 0) + rows;
      }
      if (rows < BATCH) finished.add(removal);
      else await sleep(performance.now() - startedAt, undefined, { signal }).catch(() => {});
    }
    unfinished = unfinished.filter((removal) => !finished.has(removal));
  }
  return removed;
}

interface OldRows {
  readonly kind: RemovedKind;
  readonly table: string;
  /** The time from which the age counts. An index begins with it. */
  readonly column: string;
  /** The number of days after which rows are removed; null if they never are. */
  readonly days: number | null;
  readonly now: Date;
  /** Selects the rows that can be removed. Default: all that are old. */
  readonly where?: RawBuilder<unknown>;
}

/**
 * Returns the removal of rows that are older than a number of days, oldest first. Returns none if they are kept for ever.
 * Rows that another transaction has locked are skipped, so that neither waits for the other.
 */
export function oldRows({ kind, table, column, days, now, where = sql`true` }: OldRows): Removal[] {
  if (days === null) return [];
  const before = new Date(now.getTime() - days * DAY_MS);
  const name = sql.table(table);
  const removeBatch = async (tx: Transaction, limit: number) => {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM ${name} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${name} WHERE ${sql.ref(column)} < ${before} AND ${where}
        ORDER BY ${sql.ref(column)} LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ))`.execute(tx.query());
    return Number(numAffectedRows);
  };
  return [{ kind, removeBatch }];
}
