import { sql } from 'kysely';
import type { Executor } from '../database/index.ts';
import { QUEUE_SCHEMA, type SequenceState } from './list-tables.ts';
import { quoteName, type TableShape } from './table-access.ts';

interface Reference {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Removes what would refuse or change rows while tables are filled in any order: references, triggers and the rows that
 * migrations added. Returns a function that puts references and triggers back, which checks all rows.
 */
export async function openForRows(executor: Executor, tables: readonly TableShape[]): Promise<() => Promise<void>> {
  const references = await listReferences(executor);
  const run = (text: string) => sql.raw(text).execute(executor.query());
  for (const { table, name } of references) await run(`ALTER TABLE ${table} DROP CONSTRAINT ${quoteName(name)}`);
  for (const { sql: table } of tables) {
    await run(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await run(`DELETE FROM ${table}`);
  }
  return async () => {
    for (const { sql: table } of tables) await run(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    for (const { table, name, definition } of references)
      await run(`ALTER TABLE ${table} ADD CONSTRAINT ${quoteName(name)} ${definition}`);
  };
}

async function listReferences(executor: Executor): Promise<readonly Reference[]> {
  const { rows } = await sql<Reference>`
    SELECT format('%I.%I', n.nspname, c.relname) AS table, r.conname AS name, pg_get_constraintdef(r.oid) AS definition
    FROM pg_constraint r JOIN pg_class c ON c.oid = r.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE r.contype = 'f' AND r.conparentid = 0 AND n.nspname IN (current_schema(), ${QUEUE_SCHEMA})
    ORDER BY 1, 2`.execute(executor.query());
  return rows;
}

/** Makes sequences continue after the last number that they gave. */
export async function setSequences(executor: Executor, sequences: readonly SequenceState[]): Promise<void> {
  for (const { name, last } of sequences) {
    if (last === null) continue;
    await sql`SELECT setval(format('%I.%I', current_schema(), ${name}::text)::regclass, ${last}::bigint)`.execute(
      executor.query(),
    );
  }
}

interface FoundRelation {
  readonly name: string;
  readonly rows: number;
}

const MAX_NAMED = 5;

/** Describes what is in the database; null if it is empty. */
export async function describeContent(executor: Executor): Promise<string | null> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT format('%I.%I', n.nspname, c.relname) AS name
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN (current_schema(), ${QUEUE_SCHEMA}) AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
      AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY 1`.execute(executor.query());
  if (tables.length === 0) return null;
  const found: FoundRelation[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ rows: number }>`SELECT count(*)::float8 AS rows FROM ${sql.raw(name)}`.execute(
      executor.query(),
    );
    found.push({ name, rows: rows[0]?.rows ?? 0 });
  }
  const largest = found.sort((a, b) => b.rows - a.rows).slice(0, MAX_NAMED);
  const listed = largest.map(({ name, rows }) => `${name} (${rows} ${rows === 1 ? 'row' : 'rows'})`).join(', ');
  return `${tables.length} tables: ${listed}${tables.length > MAX_NAMED ? ' and others' : ''}`;
}
