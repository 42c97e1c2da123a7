import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { cursorMismatch } from './faults.ts';
import type { PageRequest } from './read-newest-first.ts';
import { openCursor, sealCursor } from './signing/cursor.ts';
import type { SigningKeys } from './signing/signing-key.ts';

/** The order of a list. Rows with equal keys are ordered by their id, and rows without a key come last. */
export interface SortOrder {
  /** The expression whose value is the key of a row. */
  readonly by: RawBuilder<unknown>;
  /** The type of the expression in the database. */
  readonly type: 'text' | 'timestamptz' | 'integer' | 'double precision';
  readonly direction: 'asc' | 'desc';
}

/** The last row of a page. */
interface Position {
  /** The key as the database writes it, so that no digit is lost; null if the row has none. */
  readonly key: string | null;
  readonly id: string;
}

/**
 * Returns a page of a list in this order, and the cursor of the next page. Rows that are added, changed or removed do
 * not shift the others: the next page continues after the key of the last row, even if that row no longer exists.
 *
 * @param list the canonical text of the list, its filters and its order. A cursor is valid only with the same text.
 * @param query a query that selects at least `id` of one table, without an order
 */
export async function readSorted<DB, TB extends keyof DB, Row extends { readonly id: string }>(
  keys: SigningKeys,
  list: string,
  { limit, cursor }: PageRequest,
  query: SelectQueryBuilder<DB, TB, Row>,
  order: SortOrder,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : (openCursor(keys, list, cursor) as Position | null);
  if (cursor !== undefined && after === null) throw cursorMismatch();
  const { by, direction } = order;
  const found = (await query
    .select(sql<string | null>`(${by})::text`.as('sort_key'))
    .$if(after !== null, (all) => all.where(followsPosition(order, after as Position)))
    .orderBy(by, (item) => (direction === 'asc' ? item.asc() : item.desc()).nullsLast())
    .orderBy(sql`id`, direction)
    .limit(limit + 1)
    .execute()) as unknown as (Row & { sort_key: string | null })[];
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const position: Position | undefined = last && { key: last.sort_key, id: last.id };
  return { rows, nextCursor: position ? sealCursor(keys, list, position) : null };
}

function followsPosition({ by, type, direction }: SortOrder, { key, id }: Position): RawBuilder<boolean> {
  const beyond = sql.raw(direction === 'asc' ? '>' : '<');
  if (key === null) return sql`((${by}) IS NULL AND id ${beyond} ${id})`;
  return sql`(((${by}), id) ${beyond} (CAST(${key} AS ${sql.raw(type)}), ${id}) OR (${by}) IS NULL)`;
}
