import { sql } from 'kysely';
import { MAX_SCOPE_IDS } from '../contract/index.ts';
import type { Transaction } from '../platform/index.ts';
import { scopeFull } from './faults.ts';
import type { FoundMembership } from './memberships.ts';

/** The parts of a resource scope. */
export type ScopePart = 'csv' | 'forecasts';

const COLUMNS: Record<ScopePart, { readonly ids: string; readonly resources: string }> = {
  csv: { ids: 'csv_scope_ids', resources: 'files' },
  forecasts: { ids: 'forecasts_scope_ids', resources: 'forecasts' },
};

/**
 * Adds a file or forecast to the scope of the member that has just created it, if that scope lists ids. Call it in the
 * transaction that creates the file or forecast, with the membership from `lockMembership`.
 */
export async function addToOwnScope(
  tx: Transaction,
  membership: FoundMembership,
  part: ScopePart,
  id: string,
): Promise<void> {
  if (membership[part].mode !== 'selected') return;
  const { ids, resources } = COLUMNS[part];
  const column = sql.ref(ids);
  const { rows } = await sql`
    UPDATE workspace_member SET ${column} = array_append(${column}, ${id})
    WHERE id = ${membership.collaboratorId} AND cardinality(${column}) < ${MAX_SCOPE_IDS}
    RETURNING id`.execute(tx.query());
  if (rows.length === 0) throw scopeFull(resources, MAX_SCOPE_IDS);
}

/**
 * Removes ids from the scopes of all members and invitations of a workspace. Call it in the transaction that removes the
 * files or forecasts, after `lockMembership`, because two such transactions could otherwise deadlock.
 */
export async function removeFromScopes(
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
        SELECT id FROM unnest(${column}) WITH ORDINALITY AS listed (id, position)
        WHERE NOT id = ANY (${[...removed]}::text[]) ORDER BY position
      )
      WHERE workspace_id = ${workspaceId} AND ${column} && ${[...removed]}::text[]`.execute(tx.query());
  }
}

/**
 * Puts another id in the place of one in the scopes of all members and invitations of a workspace, so that they keep what
 * was picked for them. Call it in the transaction that replaces the file or forecast, after `lockMembership`.
 */
export async function replaceInScopes(
  tx: Transaction,
  workspaceId: string,
  part: ScopePart,
  { removed, added }: { readonly removed: string; readonly added: string },
): Promise<void> {
  const column = sql.ref(COLUMNS[part].ids);
  for (const table of ['workspace_member', 'workspace_invitation']) {
    await sql`
      UPDATE ${sql.table(table)} SET ${column} = array_replace(${column}, ${removed}::text, ${added}::text)
      WHERE workspace_id = ${workspaceId} AND ${removed} = ANY (${column})`.execute(tx.query());
  }
}
