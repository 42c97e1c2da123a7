import { type Kysely, sql } from 'kysely';

/**
 * Adds the time at which a mail server rejected the mailbox permanently. Verifying the address sets it to null again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE account ADD COLUMN bounced_at timestamptz`.execute(db);
}
