import { sql } from 'kysely';
import { Fault, MAX_SCOPE_IDS } from '../contract/index.ts';
import type { Transaction } from '../platform/index.ts';
import type { FoundMembership } from './find-membership.ts';

/** The parts of a resource scope. */
export type ScopePart = 'csv' | 'forecasts';

const COLUMNS: Record<ScopePart, { readonly mode: string; readonly ids: string; readonly things: string }> = {
  csv: { mode: 'csv_scope_mode', ids: 'csv_scope_ids', things: 'files' },
  forecasts: { mode: 'forecasts_scope_mode', ids: 'forecasts_scope_ids', things: 'forecasts' },
};

/**
 * Lets a member whose scope lists things see the one that it has just made. To be called in the transaction that makes
 * it, with the place from `lockPlace`.
 */
export async function addToOwnScope(
  tx: Transaction,
  place: FoundMembership,
  part: ScopePart,
  id: string,
): Promise<void> {
  if (place[part].mode !== 'selected') return;
  const { ids, things } = COLUMNS[part];
  const column = sql.ref(ids);
  const { rows } = await sql`
    UPDATE workspace_member SET ${column} = array_append(${column}, ${id})
    WHERE id = ${place.collaboratorId} AND cardinality(${column}) < ${MAX_SCOPE_IDS}
    RETURNING id`.execute(tx.query());
  if (rows.length > 0) return;
  throw new Fault(
    'LIMIT_REACHED',
    `Your place in the workspace lists ${MAX_SCOPE_IDS} ${things}, as many as it can. Ask the owner for the scope all.`,
  );
}

/**
 * Takes things that are removed out of every scope of the workspace, those of invitations included. To be called in the
 * transaction that removes them, after `lockPlace`: without that lock two of these could wait for each other.
 */
export async function dropFromScopes(
  tx: Transaction,
  workspaceId: string,
  part: ScopePart,
  removed: readonly string[],
): Promise<void> {
  const column = sql.ref(COLUMNS[part].ids);
  for (const table of ['workspace_member', 'workspace_invitation']) {
    await sql`
      UPDATE ${sql.table(table)}
      SET ${column} = ARRAY(
        SELECT id FROM unnest(${column}) WITH ORDINALITY AS listed (id, place)
        WHERE NOT id = ANY (${[...removed]}::text[]) ORDER BY place
      )
      WHERE workspace_id = ${workspaceId} AND ${column} && ${[...removed]}::text[]`.execute(tx.query());
  }
}
