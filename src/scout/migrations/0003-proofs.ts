import { type Kysely, sql } from 'kysely';

/** The proofs of revisions. The columns are null for revisions that were made before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE event_revision
      ADD COLUMN content_cid text CHECK (content_cid ~ '^0x[0-9a-f]{64}$'),
      ADD COLUMN proof_hash text CHECK (proof_hash = 'sha3-256'),
      ADD COLUMN proof_salt text CHECK (proof_salt ~ '^[0-9a-f]{64}$'),
      ADD CHECK (num_nulls(content_cid, proof_hash, proof_salt) IN (0, 3))`.execute(db);
}
