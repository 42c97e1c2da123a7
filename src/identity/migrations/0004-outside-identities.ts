import { type Kysely, sql } from 'kysely';

/** Links between subjects of external issuers and accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An account has at most one subject of each issuer: if an issuer gives an address to another subject, that subject
  // does not get the account.
  await sql`
    CREATE TABLE outside_identity (
      id text NOT NULL CONSTRAINT outside_identity_id_unique UNIQUE,
      issuer text NOT NULL,
      subject text NOT NULL,
      account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
      linked_at timestamptz NOT NULL,
      last_used_at timestamptz NOT NULL,
      PRIMARY KEY (issuer, subject),
      CONSTRAINT outside_identity_one_per_issuer UNIQUE (account_id, issuer)
    )`.execute(db);
}
