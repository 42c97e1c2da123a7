import { type Kysely, sql } from 'kysely';

/** Builds before it derive all secrets from the first key, whose number is the default. */
export const compatible = true;

/** The numbers of the signing keys from which the secrets of a webhook are derived. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE webhook
      ADD COLUMN key_number integer NOT NULL DEFAULT 1,
      ADD COLUMN previous_key_number integer DEFAULT 1`.execute(db);
}
