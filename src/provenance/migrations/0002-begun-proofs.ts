import { type Kysely, sql } from 'kysely';

/** Finds the proofs that were taken before among many that were not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX proof_begun ON proof (created_at, content_cid)
    WHERE status <> 'stamped' AND transaction_id IS NULL AND claimed_at IS NOT NULL`.execute(db);
}
