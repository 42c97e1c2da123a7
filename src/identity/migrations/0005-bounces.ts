import { type Kysely, sql } from 'kysely';

/**
 * Adds the time at which a mail server rejected the mailbox permanently. It is null again once the address is verified.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE account ADD COLUMN bounced_at timestamptz`.execute(db);
}
