import { type Kysely, sql } from 'kysely';

/**
 * Lets a public forecast stay when its account is erased. It then belongs to neither an account nor a guest, and its
 * owner is `nameless`, which is not the id of any caller.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // PostgreSQL gave the name to the first condition of the table, that either the account or the guest is known. The new
  // condition keeps it, because stored names stay.
  await sql`
    ALTER TABLE forecast
      DROP CONSTRAINT forecast_check,
      ADD CONSTRAINT forecast_check CHECK (
        num_nonnulls(account_id, guest_id) = 1
        OR (num_nonnulls(account_id, guest_id, workspace_id) = 0 AND owner = 'nameless' AND payer = 'nameless'
          AND visibility = 'public' AND status = 'completed')
      )`.execute(db);
}
