import type { GeneratedAlways } from 'kysely';
import type { Transaction } from '../database/index.ts';
import { newId } from '../ids.ts';

/** The types of events, by which readers select them. */
export type OutboxEventType = 'receipt.stamped';

export interface OutboxEventTable {
  id: string;
  type: OutboxEventType;
  /** The id of what the event is about, such as a forecast. */
  subject: string;
  /** Increases with every event. Events of concurrent transactions can become visible in another order. */
  sequence: GeneratedAlways<number>;
  created_at: Date;
}

export interface OutboxTables {
  outbox_event: OutboxEventTable;
}

/** Stores one event for each subject, in the transaction of what happened. */
export async function recordOutboxEvents(
  tx: Transaction,
  type: OutboxEventType,
  subjects: readonly string[],
  now: Date,
): Promise<void> {
  if (subjects.length === 0) return;
  await tx
    .query<OutboxTables>()
    .insertInto('outbox_event')
    .values(subjects.map((subject) => ({ id: newId('oev', now.getTime()), type, subject, created_at: now })))
    .execute();
}
