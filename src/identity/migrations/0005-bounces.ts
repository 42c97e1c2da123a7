import { type Kysely, sql } from 'kysely';

/** When a mail server said that there is no such mailbox; null: none has, or the address was verified since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE account ADD COLUMN bounced_at timestamptz`.execute(db);
}
