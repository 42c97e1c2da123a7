import { sql } from 'kysely';
import type { Database } from '../../src/platform/index.ts';

/** Deletes a forecast, ends another one twice, duplicates a title and leaks a slot. */
export async function corruptForecasts(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    const { rows } = await sql<{ id: string }>`SELECT id FROM forecast ORDER BY id LIMIT 4`.execute(tx.query());
    const [lost, ended, doubled, original] = rows.map(({ id }) => id);
    await sql`DELETE FROM forecast WHERE id = ${lost}`.execute(tx.query());
    await sql`
      INSERT INTO forecast_event (forecast_id, number, kind, data, created_at)
      SELECT id, last_event + 1, status, '{}', finished_at FROM forecast WHERE id = ${ended}`.execute(tx.query());
    await sql`
      UPDATE forecast SET title = (SELECT title FROM forecast WHERE id = ${original})
      WHERE id = ${doubled}`.execute(tx.query());
    await sql`UPDATE admission SET active = active + 1`.execute(tx.query());
  });
}
