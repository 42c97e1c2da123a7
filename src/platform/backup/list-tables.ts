import { sql } from 'kysely';
import type { Executor } from '../database/index.ts';
import { quoteName, type TableShape } from './table-access.ts';

/** The schema of the queue, in the same database. */
export const QUEUE_SCHEMA = 'queue';

/**
 * What pg-boss records about itself: its version, and measurements, warnings and index builds of the server that it ran
 * on. A restored queue begins with its own.
 */
const LEFT_OUT: readonly string[] = ['version', 'queue_stats', 'warning', 'bam'].map(
  (name) => `${QUEUE_SCHEMA}.${name}`,
);

interface FoundTable {
  readonly schema: string;
  readonly name: string;
  readonly isQueue: boolean;
  readonly columns: readonly string[];
  readonly parts: readonly (readonly [string, string])[];
}

/** Returns the tables of the service and of its queue. Tables of extensions are not among them. */
export async function listTables(executor: Executor): Promise<TableShape[]> {
  const { rows } = await sql<FoundTable>`
    SELECT n.nspname AS schema, c.relname AS name, n.nspname = ${QUEUE_SCHEMA} AS "isQueue",
      (SELECT json_agg(a.attname ORDER BY a.attname COLLATE "C") FROM pg_attribute a
       WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
      (SELECT coalesce(json_agg(json_build_array(pn.nspname, p.relname) ORDER BY p.relname), '[]')
       FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid JOIN pg_namespace pn ON pn.oid = p.relnamespace
       WHERE i.inhparent = c.oid) AS parts
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN (current_schema(), ${QUEUE_SCHEMA}) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY n.nspname = ${QUEUE_SCHEMA}, c.relname COLLATE "C"`.execute(executor.query());
  return rows.map(toShape).filter(({ name }) => !LEFT_OUT.includes(name));
}

function toShape({ schema, name, isQueue, columns, parts }: FoundTable): TableShape {
  const table = qualify(schema, name);
  return {
    name: isQueue ? `${schema}.${name}` : name,
    sql: table,
    columns,
    parts: parts.length === 0 ? [table] : parts.map(([partSchema, part]) => qualify(partSchema, part)),
  };
}

function qualify(schema: string, name: string): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** Returns the size of all tables with their large values, without their indexes. */
export async function measureTables(executor: Executor, tables: readonly TableShape[]): Promise<number> {
  const parts = tables.flatMap((table) => table.parts);
  const { rows } = await sql<{ bytes: number }>`
    SELECT coalesce(sum(pg_table_size(name::regclass)), 0)::float8 AS bytes
    FROM unnest(${parts}::text[]) AS name`.execute(executor.query());
  return rows[0]?.bytes ?? 0;
}

/** A sequence and the last number that it gave; null if it gave none. */
export interface SequenceState {
  readonly name: string;
  readonly last: string | null;
}

/** Returns the sequences of the service. They are not part of a transaction, so read them after the rows. */
export async function readSequences(executor: Executor): Promise<readonly SequenceState[]> {
  const { rows } = await sql<SequenceState>`
    SELECT sequencename AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = current_schema()
    ORDER BY sequencename COLLATE "C"`.execute(executor.query());
  return rows;
}

/** Returns the version of the tables of pg-boss; null if there are none. */
export async function readQueueVersion(executor: Executor): Promise<number | null> {
  const { rows } = await sql<{ exists: boolean }>`
    SELECT to_regclass(${`${QUEUE_SCHEMA}.version`}) IS NOT NULL AS exists`.execute(executor.query());
  if (rows[0]?.exists !== true) return null;
  const found = await sql<{ version: number }>`SELECT version FROM ${sql.table(`${QUEUE_SCHEMA}.version`)}`.execute(
    executor.query(),
  );
  return found.rows[0]?.version ?? null;
}
