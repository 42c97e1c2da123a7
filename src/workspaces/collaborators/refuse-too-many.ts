import { sql } from 'kysely';
import { Fault, MAX_COLLABORATORS } from '../../contract/index.ts';
import type { Transaction } from '../../platform/index.ts';

/** Additions an hour: each sends a mail to somebody who may not have asked for it. */
const AN_HOUR_A_WORKSPACE = 50;
/** Over all workspaces of the one who adds: making another workspace must not help. */
const AN_HOUR_AN_ACCOUNT = 100;
const HOUR = 3_600_000;

interface Adding {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly now: Date;
}

interface Counts {
  readonly collaborators: number;
  readonly here: number;
  readonly anywhere: number;
  /** When the first of the additions in the last hour was. */
  readonly since: Date | null;
}

/** Refuses one collaborator too many, and one too many for this hour. With the workspace locked, nobody comes between. */
export async function refuseTooMany(tx: Transaction, { workspaceId, accountId, now }: Adding): Promise<void> {
  const hourAgo = new Date(now.getTime() - HOUR);
  const { rows } = await sql<Counts>`
    SELECT
      (SELECT count(*) FROM workspace_member WHERE workspace_id = ${workspaceId} AND role <> 'owner')
        + (SELECT count(*) FROM workspace_invitation
          WHERE workspace_id = ${workspaceId} AND ended_at IS NULL AND expires_at > ${now}) AS collaborators,
      count(*) FILTER (WHERE workspace_id = ${workspaceId}) AS here,
      count(*) FILTER (WHERE added_by = ${accountId}) AS anywhere,
      min(created_at) AS since
    FROM workspace_invitation
    WHERE (workspace_id = ${workspaceId} OR added_by = ${accountId}) AND created_at > ${hourAgo}
  `.execute(tx.query());
  const [counts] = rows;
  if (counts === undefined) throw new Error('The collaborators could not be counted.');
  if (counts.collaborators >= MAX_COLLABORATORS) {
    throw new Fault(
      'LIMIT_REACHED',
      `The workspace has ${MAX_COLLABORATORS} members and open invitations, as many as it can. Remove one first.`,
    );
  }
  if (counts.here < AN_HOUR_A_WORKSPACE && counts.anywhere < AN_HOUR_AN_ACCOUNT) return;
  const retryAfter = Math.max(1, Math.ceil(((counts.since ?? now).getTime() + HOUR - now.getTime()) / 1000));
  throw new Fault(
    'RATE_LIMITED',
    `${AN_HOUR_A_WORKSPACE} additions an hour to a workspace, and ${AN_HOUR_AN_ACCOUNT} by one account. Wait ${retryAfter} s.`,
    { retryAfter },
  );
}
