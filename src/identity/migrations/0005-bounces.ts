import { type Kysely, sql } from 'kysely';

/** When a mail server rejected the mailbox permanently; null: never, or the address was verified again since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE account ADD COLUMN bounced_at timestamptz`.execute(db);
}
