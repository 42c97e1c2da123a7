import { type Kysely, sql } from 'kysely';

/** Adds the network that an interaction of the OAuth provider came from, to limit the open ones of each network. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE oauth_record ADD COLUMN network text`.execute(db);
  await sql`
    CREATE INDEX oauth_record_by_network ON oauth_record (network, created_at DESC, id) WHERE network IS NOT NULL`.execute(
    db,
  );
}
