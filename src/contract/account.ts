import { z } from 'zod';
import { identifier, instant, text } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

export const accountOperations = {
  changePassword: operation({
    group: 'Access',
    method: 'POST',
    path: '/v1/me/password',
    action: 'password.change',
    summary: 'Change the password',
    description:
      'Requires a browser session. Signs out every other browser, revokes the access of applications and invalidates reset links sent earlier.',
    body: z.strictObject({ current_password: text({ max: 1024 }), new_password: text({ max: 1024 }) }),
    status: 200,
    reply: resource(z.strictObject({ changed: z.literal(true) })),
    errors: ['SESSION_REQUIRED'],
  }),
  requestVerification: operation({
    group: 'Access',
    method: 'POST',
    path: '/v1/me/verification',
    action: 'verification.request',
    summary: 'Send the verification email again',
    description:
      'The link works once and expires after a day. An address gets at most five emails an hour, and one network can request at most three of them. After that, a network that has not requested any can still request one, up to ten emails an hour in total.',
    status: 202,
    reply: resource(z.strictObject({ requested: z.literal(true) })),
    errors: ['CONFLICT'],
  }),
};

export const ConnectedApplication = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    allowed_at: instant(),
    last_used_at: instant().nullable().describe('Accurate to five minutes; null if it was not used yet.'),
  })
  .meta({ id: 'ConnectedApplication' });

export const applicationOperations = {
  listApplications: operation({
    group: 'Access',
    method: 'GET',
    path: '/v1/me/applications',
    action: 'applications.manage',
    summary: 'List connected applications',
    description:
      'Lists the applications that can use the account by OAuth, newest first, at most 200. An application that was allowed several times is listed once for each grant.',
    status: 200,
    reply: resource(z.strictObject({ applications: z.array(ConnectedApplication) })),
  }),
  revokeApplication: operation({
    group: 'Access',
    method: 'DELETE',
    path: '/v1/me/applications/{application_id}',
    action: 'applications.manage',
    summary: 'Revoke the access of an application',
    description:
      'Takes effect immediately, for the grant, every token under it, and the API keys and feeds created with them.',
    params: z.strictObject({ application_id: identifier().describe('The id in the list of applications.') }),
    status: 200,
    reply: resource(z.strictObject({ id: z.string(), removed: z.literal(true) })),
    errors: ['NOT_FOUND'],
  }),
};

/** The kinds of security events that are recorded for an account. */
export const SECURITY_EVENT_KINDS = [
  'account_created',
  'plan_changed',
  'administrator_changed',
  'account_locked',
  'account_unlocked',
  'account_administered',
  'email_verified',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'sessions_ended',
  'password_changed',
  'password_change_failed',
  'password_reset',
  'reset_requested',
  'key_created',
  'key_revoked',
  'feed_created',
  'webhook_created',
  'webhook_rotated',
  'webhook_deleted',
  'feed_deleted',
  'client_authorized',
  'grant_revoked',
  'token_reuse_detected',
  'outside_identity_linked',
  'outside_identity_unlinked',
] as const;

export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

const MAX_EVENTS = 200;

export const SecurityEvent = z
  .strictObject({
    id: z.string(),
    kind: z.enum(SECURITY_EVENT_KINDS),
    at: instant(),
    network: z
      .string()
      .nullable()
      .describe('The network that the request came from, such as 192.0.2.0/24. The full IP address is not stored.'),
    user_agent: z.string().nullable(),
    details: z.record(z.string(), z.string()),
  })
  .meta({ id: 'SecurityEvent' });

export const securityEventOperations = {
  listSecurityEvents: operation({
    group: 'Access',
    method: 'GET',
    path: '/v1/me/security-events',
    action: 'security_events.read',
    summary: 'List security events',
    description:
      'Lists sign-ins and changes to the password, keys, feeds, sessions, applications and plan, newest first. Failed attempts are recorded at most once a minute. Events are kept for at least 400 days.',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(MAX_EVENTS).default(50),
      cursor: z
        .string()
        .regex(/^sev_[0-9A-HJKMNP-TV-Z]{26}$/, { error: 'must be a next_cursor from this list' })
        .optional(),
    }),
    status: 200,
    reply: resource(z.strictObject({ events: z.array(SecurityEvent), next_cursor: z.string().nullable() })),
  }),
};
