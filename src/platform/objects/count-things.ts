import { sql } from 'kysely';
import type { Executor } from '../database/database.ts';
import type { MovableThings } from './move-things.ts';

export interface CountedThings {
  readonly things: number;
  readonly bytes: number;
}

/** How many things and bytes of a kind are in each place. */
export type CountedPlaces = { readonly [Place in 'database' | 's3']: CountedThings };

/** Counts the things of a kind by place. A thing whose parts are moving is counted in both. */
export async function countPlaces(executor: Executor, { table, key }: MovableThings): Promise<CountedPlaces> {
  const thing = sql.join(
    key.map((name) => sql`${sql.ref(name)}::text`),
    sql` || '/' || `,
  );
  const { rows } = await sql<{ place: 'database' | 's3'; things: number; bytes: number }>`
    SELECT place, count(DISTINCT thing)::float8 AS things, coalesce(sum(bytes), 0)::float8 AS bytes FROM (
      SELECT 'database' AS place, ${thing} AS thing, octet_length(packed) AS bytes
      FROM ${sql.table(table)} WHERE packed IS NOT NULL
      UNION ALL
      SELECT CASE WHEN object IS NULL THEN 'database' ELSE 's3' END, stored_part.thing, stored_part.bytes
      FROM ${sql.table(table)} JOIN stored_part ON stored_part.thing = ${thing}
    ) AS placed GROUP BY place`.execute(executor.query());
  const countIn = (place: string): CountedThings => {
    const { things = 0, bytes = 0 } = rows.find((row) => row.place === place) ?? {};
    return { things, bytes };
  };
  return { database: countIn('database'), s3: countIn('s3') };
}

/** Returns the number of objects that wait for their deletion. */
export async function countUnusedObjects(executor: Executor): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::float8 AS count FROM stored_object WHERE state = 'unused'`.execute(executor.query());
  return rows[0]?.count ?? 0;
}

/** Returns whether rows name objects. */
export async function hasObjects(executor: Executor): Promise<boolean> {
  const { rows } = await sql`SELECT FROM stored_part WHERE object IS NOT NULL LIMIT 1`.execute(executor.query());
  return rows.length > 0;
}
