import { type Kysely, sql } from 'kysely';

/** The payer of a forecast. Before this migration the creator always paid, as the ledger shows. */
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
