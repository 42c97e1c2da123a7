import { type Kysely, sql } from 'kysely';

/** Whose slots and credits a forecast takes. Until now it was whoever made it, as the ledger has it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE forecast ADD COLUMN payer text`.execute(db);
  await sql`
    UPDATE forecast SET payer = coalesce(
      (SELECT entry.owner FROM ledger_entry AS entry
        WHERE entry.transfer = 'reserve:' || forecast.id AND entry.ledger_account = 'reserved'),
      forecast.owner
    )`.execute(db);
  await sql`ALTER TABLE forecast ALTER COLUMN payer SET NOT NULL`.execute(db);
}
