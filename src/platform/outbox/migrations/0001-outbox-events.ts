import { type Kysely, sql } from 'kysely';

/** Events for readers outside the service, each written in the transaction of what happened. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE outbox_event (
      id text PRIMARY KEY,
      type text NOT NULL,
      subject text NOT NULL,
      sequence bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      created_at timestamptz NOT NULL
    )`.execute(db);
}
