import { z } from 'zod';
import { instant } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

/** What can happen to an account that its owner should be able to look up. */
export const SECURITY_EVENT_KINDS = [
  'account_created',
  'plan_changed',
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
    /** The network it came from, such as 192.0.2.0/24: enough to recognise, not enough to locate. */
    network: z.string().nullable(),
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
    summary: 'What happened to the account',
    description:
      'Sign-ins, changes of the password, of keys, of sessions and of the plan, newest first; of failures at most one a minute. Kept for 400 days.',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(MAX_EVENTS).default(50),
      cursor: z
        .string()
        .regex(/^sev_[0-9A-HJKMNP-TV-Z]{26}$/, { error: 'must be a next_cursor of this list' })
        .optional(),
    }),
    status: 200,
    reply: resource(z.strictObject({ events: z.array(SecurityEvent), next_cursor: z.string().nullable() })),
  }),
};
