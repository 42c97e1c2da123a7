import { sql } from 'kysely';
import type { Executor, Transaction } from '../../platform/index.ts';
import type { JobTables } from '../tables.ts';

/**
 * Takes one of the owner's slots, in one statement, so that however many ask at once no more get in than there are.
 * From here to the end of the transaction the owner's row is locked: nobody else enters or reserves for the owner.
 *
 * @returns false when all are taken
 */
export async function admit(tx: Transaction, owner: string, slots: number): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO admission (owner, active)
    SELECT ${owner}, 1 WHERE ${slots}::int > 0
    ON CONFLICT (owner) DO UPDATE SET active = admission.active + 1 WHERE admission.active < ${slots}::int
    RETURNING owner`.execute(tx.query());
  return rows.length > 0;
}

/** How many slots are taken. Only a look: by the time of `admit` it may be otherwise. */
export async function takenSlots(executor: Executor, owner: string): Promise<number> {
  const row = await executor
    .query<JobTables>()
    .selectFrom('admission')
    .select('active')
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row?.active ?? 0;
}

/** Gives a slot back. To be called once for each that was taken: in the transaction that ends the forecast. */
export async function leave(tx: Transaction, owner: string): Promise<void> {
  const { rows } = await sql`
    UPDATE admission SET active = active - 1 WHERE owner = ${owner} AND active > 0 RETURNING owner
  `.execute(tx.query());
  if (rows.length === 0) throw new Error(`${owner} has no slot to give back.`);
}
