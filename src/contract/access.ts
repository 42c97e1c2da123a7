import { z } from 'zod';
import { instant } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { PERMISSIONS, PLANS, RESOURCE_SCOPE_MODES, ROLES, SCOPES } from './vocabulary.ts';

const ResourceScope = z.strictObject({
  mode: z.enum(RESOURCE_SCOPE_MODES),
  ids: z.array(z.string()),
});

export const WorkspaceMembership = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    owner_user_id: z.string(),
    role: z.enum(ROLES),
    permissions: z.array(z.enum(PERMISSIONS)),
    resource_scope: z.strictObject({ csv: ResourceScope, forecasts: ResourceScope }),
    capabilities: z.array(z.enum(PERMISSIONS)),
    legacy_personal: z.boolean(),
    member_credits: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Credits that each member other than the owner can use in this workspace in a calendar month (UTC); null if they are not limited.',
      ),
    members: z.int().min(1).describe('Number of members, including the owner.'),
    stored_bytes: z
      .int()
      .min(0)
      .nullable()
      .describe('Counted size, in bytes, of what is stored in the workspace. Null unless the caller is the owner.'),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'WorkspaceMembership' });

export const AccessRecord = z
  .strictObject({
    user: z.strictObject({
      id: z.string(),
      email: z.string(),
      email_verified: z.boolean(),
      email_bounces: z.boolean().describe('Whether emails to the address came back. Verify the address again.'),
    }),
    token_scopes: z.array(z.enum(SCOPES)),
    personal_plan: z.enum(PLANS),
    workspaces: z.array(WorkspaceMembership),
  })
  .meta({ id: 'AccessRecord' });

export const accessOperations = {
  readAccess: operation({
    group: 'Access',
    method: 'GET',
    path: '/v1/me/access',
    action: 'access.read',
    summary: 'Read the caller’s access',
    description:
      'Returns the scopes of the credential, the personal plan and the workspace memberships. They are read from the database on every request.',
    status: 200,
    reply: resource(AccessRecord),
  }),
};
