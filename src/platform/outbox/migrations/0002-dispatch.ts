import { type Kysely, sql } from 'kysely';

/** Adds what an event states, and when it was dispatched. Earlier events count as dispatched, because they had no readers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE outbox_event
      ADD COLUMN details jsonb NOT NULL DEFAULT '{}',
      ADD COLUMN dispatched_at timestamptz`.execute(db);
  await sql`UPDATE outbox_event SET dispatched_at = created_at`.execute(db);
  await sql`CREATE INDEX outbox_event_waiting ON outbox_event (sequence) WHERE dispatched_at IS NULL`.execute(db);
  await sql`CREATE INDEX outbox_event_dispatched ON outbox_event (dispatched_at)`.execute(db);
}
