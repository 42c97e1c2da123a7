import { type Kysely, sql } from 'kysely';

/** The hash and the salt of proof documents. Documents of earlier forecasts have neither. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE forecast
      ADD COLUMN proof_hash text,
      ADD COLUMN proof_salt text,
      ADD CONSTRAINT forecast_proof_sealed CHECK (num_nulls(proof_hash, proof_salt) IN (0, 2))`.execute(db);
}
