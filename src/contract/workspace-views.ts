import { z } from 'zod';
import { WorkspaceMembership } from './access.ts';
import { instant } from './fields.ts';
import { ROLES } from './vocabulary.ts';

/** A transfer that the receiving member has not answered yet. */
export const PendingTransfer = z
  .strictObject({
    invitation_id: z.string(),
    collaborator_id: z.string().describe('The member that becomes the owner by accepting.'),
    email: z.string(),
    created_at: instant(),
    expires_at: instant(),
  })
  .meta({ id: 'PendingTransfer' });

export const Collaborator = z
  .strictObject({
    collaborator_id: z.string().describe('Stays the same when an invitation is accepted.'),
    kind: z.enum(['member', 'invitation']),
    user: z.strictObject({ id: z.string(), email: z.string() }).nullable().describe('Null for an invitation.'),
    email: z.string(),
    role: z.enum(ROLES),
    resource_scope: WorkspaceMembership.shape.resource_scope.describe(
      'For another member, callers that cannot manage members see only the ids that are also in their own scope. Private forecasts of other accounts are not listed.',
    ),
    credits_used: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Credits that the member has used in this workspace in this calendar month (UTC), as `member_credits` counts them. Null for the owner and for invitations. Only the owner and the member itself see it; it is null for other callers.',
      ),
    created_at: instant(),
    expires_at: instant().nullable().describe('When an invitation expires; null for a member.'),
  })
  .meta({ id: 'Collaborator' });

const count = (description: string) => z.int().min(0).describe(description);

/** What is in a workspace, in numbers. */
export const WorkspaceContents = z
  .strictObject({
    workspace_id: z.string(),
    files: count('Number of files.'),
    forecasts: count('Number of forecasts, including private forecasts of other members.'),
    unfinished_forecasts: count('Number of these that are queued or running.'),
    public_forecasts: count('Number of these that are public.'),
    events: count('Number of event forecasts.'),
    pending_events: count('Number of these that are not resolved yet.'),
    members: count('Number of members besides the owner.'),
    invitations: count('Number of open invitations to become a member.'),
    stored_bytes: count('Counted size, in bytes, of the files, snapshots and results.'),
    limit_bytes: count('Maximum of `stored_bytes`.'),
  })
  .meta({ id: 'WorkspaceContents' });
