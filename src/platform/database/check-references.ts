import { sql } from 'kysely';
import type { Executor } from './database.ts';

/** Rows that refer to rows that do not exist. */
export interface BrokenReference {
  readonly table: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly rows: number;
}

interface Reference {
  readonly table: string;
  readonly target: string;
  readonly columns: readonly string[];
  readonly targetColumns: readonly string[];
}

/**
 * Checks every reference between tables again. The database checks them when rows change, but not when a file was
 * damaged or a constraint was switched off.
 */
export async function checkReferences(
  executor: Executor,
): Promise<{ readonly checked: number; readonly broken: readonly BrokenReference[] }> {
  const references = await listReferences(executor);
  const broken: BrokenReference[] = [];
  for (const { table, target, columns, targetColumns } of references) {
    const isPresent = columns.map((column) => `r.${column} IS NOT NULL`).join(' AND ');
    const isFound = columns.map((column, i) => `t.${targetColumns[i]} = r.${column}`).join(' AND ');
    const { rows } = await sql<{ rows: number }>`
      SELECT count(*)::float8 AS rows FROM ${sql.raw(table)} AS r
      WHERE ${sql.raw(isPresent)} AND NOT EXISTS (
        SELECT FROM ${sql.raw(target)} AS t WHERE ${sql.raw(isFound)}
      )`.execute(executor.query());
    const count = rows[0]?.rows ?? 0;
    if (count > 0) broken.push({ table, columns, target, rows: count });
  }
  return { checked: references.length, broken };
}

async function listReferences(executor: Executor): Promise<readonly Reference[]> {
  const columnsOf = (relation: string, keys: string) => sql`
    (SELECT json_agg(quote_ident(a.attname) ORDER BY k.place) FROM unnest(${sql.ref(`r.${keys}`)}) WITH ORDINALITY AS k (number, place)
     JOIN pg_attribute a ON a.attrelid = ${sql.ref(`r.${relation}`)} AND a.attnum = k.number)`;
  const { rows } = await sql<Reference>`
    SELECT r.conrelid::regclass::text AS table, r.confrelid::regclass::text AS target,
      ${columnsOf('conrelid', 'conkey')} AS columns, ${columnsOf('confrelid', 'confkey')} AS "targetColumns"
    FROM pg_constraint r JOIN pg_class c ON c.oid = r.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE r.contype = 'f' AND r.conparentid = 0 AND n.nspname IN (current_schema(), 'queue')
    ORDER BY 1, r.conname`.execute(executor.query());
  return rows;
}
