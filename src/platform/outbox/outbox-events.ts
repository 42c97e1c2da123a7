import { type GeneratedAlways, sql } from 'kysely';
import { type Executor, oldRows, type Removal, type Transaction } from '../database/index.ts';
import { newId } from '../ids.ts';

/** The types of events, by which readers select them. */
export type OutboxEventType =
  | 'forecast.completed'
  | 'forecast.failed'
  | 'forecast.outcome'
  | 'receipt.stamped'
  | 'event.resolved'
  | 'screener.matched';

/** What an event states besides its subject, such as a status. */
export type OutboxDetails = Readonly<Record<string, string>>;

export interface OutboxEventTable {
  id: string;
  type: OutboxEventType;
  /** The id of what the event is about, such as a forecast. */
  subject: string;
  details: OutboxDetails;
  /** Increases with every event. Events of concurrent transactions can become visible in another order. */
  sequence: GeneratedAlways<number>;
  created_at: Date;
  /** When the event was dispatched to its readers; null if it was not yet. */
  dispatched_at: Date | null;
}

export interface OutboxTables {
  outbox_event: OutboxEventTable;
}

export interface NewOutboxEvent {
  readonly subject: string;
  readonly details?: OutboxDetails;
}

/** Stores one event for each subject, in the transaction of what happened. */
export async function recordOutboxEvents(
  tx: Transaction,
  type: OutboxEventType,
  events: readonly NewOutboxEvent[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ subject, details = {} }) => ({ id: newId('oev', now.getTime()), subject, details }));
  // One parameter, because a run of the screener can record thousands.
  await sql`
    INSERT INTO outbox_event (id, type, subject, details, created_at)
    SELECT id, ${type}, subject, details, ${now}::timestamptz
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given(id text, subject text, details jsonb)
  `.execute(tx.query());
}

export type OutboxEvent = Pick<OutboxEventTable, 'id' | 'type' | 'subject' | 'details' | 'created_at'>;

/**
 * Takes the oldest events that were not dispatched, and marks them as dispatched. Transactions that take events at the
 * same time get different ones, and a rollback returns them.
 */
export async function takeOutboxEvents(tx: Transaction, max: number, now: Date): Promise<OutboxEvent[]> {
  const { rows } = await sql<OutboxEvent>`
    WITH taken AS (
      SELECT id FROM outbox_event WHERE dispatched_at IS NULL ORDER BY sequence LIMIT ${max} FOR UPDATE SKIP LOCKED
    ), dispatched AS (
      UPDATE outbox_event AS event SET dispatched_at = ${now} FROM taken WHERE event.id = taken.id
      RETURNING event.id, type, subject, details, created_at, sequence
    )
    SELECT id, type, subject, details, created_at FROM dispatched ORDER BY sequence`.execute(tx.query());
  return rows;
}

/** Returns whether an event was not dispatched yet. */
export async function hasOutboxEvents(executor: Executor): Promise<boolean> {
  const { rows } = await sql`SELECT FROM outbox_event WHERE dispatched_at IS NULL LIMIT 1`.execute(executor.query());
  return rows.length > 0;
}

/** How many days events stay after they were dispatched. */
const DAYS_KEPT = 7;

/** Returns the removal of events that were dispatched long ago. */
export function oldOutboxEvents(now: Date): Removal[] {
  return oldRows({ kind: 'outbox_events', table: 'outbox_event', column: 'dispatched_at', days: DAYS_KEPT, now });
}
