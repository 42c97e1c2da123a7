import { type Kysely, sql } from 'kysely';

/** Adds when an administrator locked an account, and the order in which administrators list accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE account ADD COLUMN locked_at timestamptz`.execute(db);
  await sql`CREATE INDEX account_by_creation ON account (created_at, id)`.execute(db);
  await sql`CREATE INDEX account_administrators ON account (id) WHERE administrator`.execute(db);
  await sql`CREATE INDEX account_locked ON account (id) WHERE locked_at IS NOT NULL`.execute(db);
}
