import { sql } from 'kysely';
import type { z } from 'zod';
import type { Account } from '../access/index.ts';
import type { WorkspaceContents } from '../contract/index.ts';
import { readStoredBytes } from '../snapshots/index.ts';
import type { WorkspaceContext } from './context.ts';
import { requireMembership } from './memberships.ts';
import { workspaceBudget } from './storage-budgets.ts';

type WorkspaceContentsView = z.output<typeof WorkspaceContents>;

interface Counts {
  readonly files: number;
  readonly members: number;
  readonly invitations: number;
}

/** Returns what is in a workspace, in numbers: everything that is removed with it, and what it stores. */
export async function readWorkspaceContents(
  { database, clock, storage, countContents }: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
): Promise<WorkspaceContentsView> {
  const { workspaceId } = await requireMembership(database, principal, workspaceIdOrSlug, 'workspace.read_contents');
  const { rows } = await sql<Counts>`
    SELECT
      (SELECT count(*) FROM csv_file WHERE workspace_id = ${workspaceId} AND ready_at IS NOT NULL) AS files,
      (SELECT count(*) FROM workspace_member WHERE workspace_id = ${workspaceId} AND role <> 'owner') AS members,
      (SELECT count(*) FROM workspace_invitation
        WHERE workspace_id = ${workspaceId} AND kind = 'invitation' AND ended_at IS NULL AND expires_at > ${clock.now()}
      ) AS invitations`.execute(database.query());
  const [counts] = rows;
  if (counts === undefined) throw new Error('Counting the contents of a workspace returned no row.');
  const { forecasts, unfinished, publicForecasts, events, pendingEvents } = await countContents(database, workspaceId);
  const { payers, limit } = workspaceBudget(storage, workspaceId);
  return {
    workspace_id: workspaceId,
    ...counts,
    forecasts,
    unfinished_forecasts: unfinished,
    public_forecasts: publicForecasts,
    events,
    pending_events: pendingEvents,
    stored_bytes: await readStoredBytes(database, payers),
    limit_bytes: limit,
  };
}
