import { sql } from 'kysely';
import { type Executor, newId } from '../../../src/platform/index.ts';

const DAY_MS = 86_400_000;

interface InvitationSpec {
  readonly workspaceId: string;
  readonly email: string;
  /** The membership that becomes the owner's; by default the invitation is to become a member, an editor of everything. */
  readonly memberId?: string;
  readonly now?: Date;
}

/**
 * Stores an open invitation by the owner of a workspace, without its email, and ends those that it replaces. Stores
 * nothing if the workspace does not exist. Returns the id.
 */
export async function makeInvitation(
  executor: Executor,
  { workspaceId, email, memberId, now = new Date() }: InvitationSpec,
): Promise<string> {
  const kind = memberId === undefined ? 'invitation' : 'ownership';
  const id = newId(kind === 'invitation' ? 'col' : 'inv');
  await sql`
    UPDATE workspace_invitation SET ended_at = ${now}
    WHERE workspace_id = ${workspaceId} AND kind = ${kind} AND ended_at IS NULL
      AND (kind = 'ownership' OR email = ${email})`.execute(executor.query());
  await sql`
    INSERT INTO workspace_invitation (
      id, kind, workspace_id, email, role, added_by, member_id, created_at, expires_at,
      csv_scope_mode, csv_scope_ids, forecasts_scope_mode, forecasts_scope_ids
    )
    SELECT ${id}, ${kind}, id, ${email}, ${kind === 'invitation' ? 'editor' : 'owner'}, owner_account_id,
      ${memberId ?? null}, ${now}, ${new Date(now.getTime() + 14 * DAY_MS)}, 'all', '{}', 'all', '{}'
    FROM workspace WHERE id = ${workspaceId}`.execute(executor.query());
  return id;
}
