import { z } from 'zod';
import { WorkspaceMembership } from './access.ts';
import { identifier, instant, text } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { ROLES } from './vocabulary.ts';

/** Maximum number of invitations in one page. */
const MAX_LISTED_INVITATIONS = 100;

/** An invitation, as the invited account sees it. */
export const Invitation = z
  .strictObject({
    invitation_id: z.string(),
    kind: z
      .enum(['membership', 'ownership'])
      .describe(
        '`membership`: become a member. `ownership`: become the owner of a workspace that you are a member of.',
      ),
    workspace_id: z.string(),
    workspace_name: z.string(),
    role: z.enum(ROLES).describe('The role that accepting gives.'),
    resource_scope: WorkspaceMembership.shape.resource_scope.describe('The resource scope that accepting gives.'),
    invited_by: z.string().describe('The email address of the member that sent the invitation.'),
    created_at: instant(),
    expires_at: instant(),
  })
  .meta({ id: 'Invitation' });

const PATH = '/v1/me/invitations';
const ONE = `${PATH}/{invitation_id}` as const;

const byId = z.strictObject({ invitation_id: identifier() });
const answered = { invitation_id: z.string(), workspace_id: z.string() };

export const invitationOperations = {
  listInvitations: operation({
    group: 'Access',
    method: 'GET',
    path: PATH,
    action: 'invitations.read',
    summary: 'List invitations',
    description:
      'Lists the open invitations to the caller’s verified email address, newest first: to become a member of a workspace, or to become its owner.',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(MAX_LISTED_INVITATIONS).default(20),
      cursor: text({ max: 500 }).optional(),
    }),
    status: 200,
    reply: resource(z.strictObject({ invitations: z.array(Invitation), next_cursor: z.string().nullable() })),
  }),
  acceptInvitation: operation({
    group: 'Access',
    method: 'POST',
    path: `${ONE}/accept`,
    action: 'invitations.answer',
    summary: 'Accept an invitation',
    description:
      'Makes the caller a member of the workspace, or its owner. From then on the owner’s plan applies to the workspace, and its new forecasts use the owner’s credits and slots. An invitation to another address, and one that was answered, was withdrawn or has expired, gets 404.',
    params: byId,
    status: 200,
    reply: resource(z.strictObject({ ...answered, accepted: z.literal(true) })),
    errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  }),
  declineInvitation: operation({
    group: 'Access',
    method: 'POST',
    path: `${ONE}/decline`,
    action: 'invitations.answer',
    summary: 'Decline an invitation',
    description: 'Ends the invitation. Nothing else changes, and the sender can invite the address again.',
    params: byId,
    status: 200,
    reply: resource(z.strictObject({ ...answered, declined: z.literal(true) })),
    errors: ['NOT_FOUND'],
  }),
};
