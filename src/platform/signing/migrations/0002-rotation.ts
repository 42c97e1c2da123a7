import { type Kysely, sql } from 'kysely';

/** Builds without rotation read and create the key of a name as before: new columns have defaults. */
export const compatible = true;

/** The keys before the present one, which are accepted for a while. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE signing_key
      ADD COLUMN number integer NOT NULL DEFAULT 1,
      ADD COLUMN created_at timestamptz,
      ADD COLUMN signs_at timestamptz`.execute(db);
  // The keys that exist have no known age.
  await sql`ALTER TABLE signing_key ALTER COLUMN created_at SET DEFAULT now()`.execute(db);
  await sql`
    CREATE TABLE previous_signing_key (
      name text NOT NULL REFERENCES signing_key ON DELETE CASCADE,
      number integer NOT NULL,
      secret bytea NOT NULL,
      created_at timestamptz,
      signs_at timestamptz,
      accepted_until timestamptz,
      PRIMARY KEY (name, number)
    )`.execute(db);
}
