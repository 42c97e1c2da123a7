import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import type { Invitation } from '../../contract/index.ts';
import { type PageRequest, readNewestFirst } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import type { CsvContext } from '../csv/find-csv-file.ts';
import { readStoredScope } from '../memberships.ts';
import type { WorkspaceTables } from '../tables.ts';
import { hidePrivateForecasts } from '../workspace-views.ts';

/** An invitation, as the invited account sees it. */
export type InvitationView = z.output<typeof Invitation>;

/** The context for lists, whose cursors are sealed. */
export type InvitationListContext = Pick<WorkspaceContext, 'database' | 'clock' | 'privateToOthers'> &
  Pick<CsvContext, 'cursorKey'>;

interface Tables extends WorkspaceTables {
  account: { id: string; email: string };
}

/** Returns a page of the open invitations to the account's verified address, newest first. */
export async function listInvitations(
  context: InvitationListContext,
  { accountId, email, emailVerified }: Account,
  page: PageRequest,
): Promise<{ invitations: InvitationView[]; nextCursor: string | null }> {
  const { database, clock } = context;
  const query = database
    .query<Tables>()
    .selectFrom((from) =>
      from
        .selectFrom('workspace_invitation as invitation')
        .innerJoin('workspace', 'workspace.id', 'invitation.workspace_id')
        .innerJoin('account as sender', 'sender.id', 'invitation.added_by')
        .select([
          'invitation.id',
          'invitation.kind',
          'invitation.role',
          'invitation.csv_scope_mode',
          'invitation.csv_scope_ids',
          'invitation.forecasts_scope_mode',
          'invitation.forecasts_scope_ids',
          'invitation.created_at',
          'invitation.expires_at',
          'workspace.id as workspace_id',
          'workspace.name as workspace_name',
          'sender.email as invited_by',
        ])
        .where('invitation.email', '=', email)
        .where('invitation.ended_at', 'is', null)
        .where('invitation.expires_at', '>', clock.now())
        // An address that is not verified may belong to another person.
        .where((where) => where.val(emailVerified))
        .as('open_invitation'),
    )
    .selectAll();
  const key = await context.cursorKey();
  const { rows, nextCursor } = await readNewestFirst(key, `invitations of ${accountId}`, page, query);
  const views = rows.map(
    (row): InvitationView => ({
      invitation_id: row.id,
      kind: row.kind === 'ownership' ? 'ownership' : 'membership',
      workspace_id: row.workspace_id,
      workspace_name: row.workspace_name,
      role: row.role,
      resource_scope: {
        csv: readStoredScope(row.csv_scope_mode, row.csv_scope_ids),
        forecasts: readStoredScope(row.forecasts_scope_mode, row.forecasts_scope_ids),
      },
      invited_by: row.invited_by,
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
    }),
  );
  return { invitations: await hidePrivateForecasts(context, database, accountId, views), nextCursor };
}
