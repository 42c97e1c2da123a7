import { type SelectQueryBuilder, sql } from 'kysely';
import { cursorMismatch } from './faults.ts';
import { openCursor, sealCursor } from './signing/cursor.ts';
import type { SigningKeys } from './signing/signing-key.ts';

interface DatedRow {
  readonly id: string;
  readonly created_at: Date;
}

interface Position {
  readonly createdAt: string;
  readonly id: string;
}

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Returns a page of a list, newest first, and the cursor of the next page. Rows that are added later do not shift the
 * pages.
 *
 * @param list the canonical text of the list and its filters. A cursor is valid only with the same text.
 * @param query a query that selects at least `id` and `created_at` of one table, without an order
 */
export async function readNewestFirst<DB, TB extends keyof DB, Row extends DatedRow>(
  keys: SigningKeys,
  list: string,
  { limit, cursor }: PageRequest,
  query: SelectQueryBuilder<DB, TB, Row>,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : (openCursor(keys, list, cursor) as Position | null);
  if (cursor !== undefined && after === null) throw cursorMismatch();
  const found = (await query
    .$if(after !== null, (all) =>
      all.where(sql<boolean>`(created_at, id) < (${new Date(after?.createdAt ?? 0)}, ${after?.id ?? ''})`),
    )
    .orderBy(sql`created_at`, 'desc')
    .orderBy(sql`id`, 'desc')
    .limit(limit + 1)
    .execute()) as Row[];
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const position = last && { createdAt: last.created_at.toISOString(), id: last.id };
  return { rows, nextCursor: position ? sealCursor(keys, list, position) : null };
}
