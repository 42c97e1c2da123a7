import { type SelectQueryBuilder, sql } from 'kysely';
import { Fault } from '../contract/index.ts';
import { openCursor, sealCursor } from './signing/index.ts';

interface Dated {
  readonly id: string;
  readonly created_at: Date;
}

interface Place {
  readonly createdAt: string;
  readonly id: string;
}

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * A page of a list, newest first, and the cursor of the next page; rows that are added meanwhile move nothing.
 *
 * @param list what it is a list of, filters included, in one spelling: a cursor leads on in the list that it was made
 * for, and in no other
 * @param query selects `id` and `created_at` of one table, whatever else, and no order
 */
export async function readNewestFirst<DB, TB extends keyof DB, Row extends Dated>(
  key: Buffer,
  list: string,
  { limit, cursor }: PageRequest,
  query: SelectQueryBuilder<DB, TB, Row>,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : (openCursor(key, list, cursor) as Place | null);
  if (cursor !== undefined && after === null) {
    throw new Fault('INVALID_REQUEST', 'cursor: was not made for this list. Send the same filters with it.');
  }
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
  const place = last && { createdAt: last.created_at.toISOString(), id: last.id };
  return { rows, nextCursor: place ? sealCursor(key, list, place) : null };
}
