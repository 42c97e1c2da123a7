import { z } from 'zod';
import { identifier, instant, text } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { UsageRecord } from './usage.ts';
import { PLANS } from './vocabulary.ts';

/** The states by which administrators find accounts. */
export const ACCOUNT_STATES = ['active', 'locked', 'unverified', 'administrator'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

const count = (description: string) => z.int().min(0).describe(description);

/** An account as administrators see it. */
export const AdministeredAccount = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    email_verified: z.boolean(),
    plan: z.enum(PLANS),
    administrator: z.boolean(),
    locked: z.boolean(),
    locked_at: instant().nullable(),
    created_at: instant(),
    last_sign_in_at: instant()
      .nullable()
      .describe('The last time that a browser signed in; null if none did in the last 400 days.'),
  })
  .meta({ id: 'AdministeredAccount' });

/** An account with what it uses, in numbers only. */
export const AdministeredAccountDetails = AdministeredAccount.extend({
  is_own: z
    .boolean()
    .describe('Whether it is the account of the caller, which the caller can neither lock nor demote.'),
  counts: z.strictObject({
    workspaces: count('Workspaces that the account owns.'),
    forecasts: count('Forecasts that the account created.'),
    unfinished_forecasts: count('Of those, the queued and running ones.'),
    events: count('Event forecasts that the account created.'),
    filters: count('Saved screener filters.'),
    feeds: count('Feeds.'),
    api_keys: count('API keys that work, or would work if the account were not locked.'),
    sessions: count('Browsers that are signed in, or would be if the account were not locked.'),
    applications: count('Applications with access.'),
  }),
  usage: UsageRecord.pick({ period: true, credits: true, slots: true, storage: true }),
}).meta({ id: 'AdministeredAccountDetails' });

const params = z.strictObject({ user_id: identifier() });

export const adminOperations = {
  listAccounts: operation({
    group: 'Administration',
    method: 'GET',
    path: '/v1/admin/users',
    action: 'administration.read',
    summary: 'List the accounts',
    description:
      'Lists the accounts, newest first. For administrators with a verified email address; each of their credentials with the scope `account:read` is enough.',
    query: z.strictObject({
      q: text({ max: 254 }).optional().describe('A part of the email address, in any case.'),
      plan: z.enum(PLANS).optional(),
      state: z
        .enum(ACCOUNT_STATES)
        .optional()
        .describe('`active`: not locked. `unverified`: the email address is not verified.'),
      limit: z.coerce.number().int().min(1).max(100).default(50),
      cursor: text({ max: 500 }).optional().describe('`next_cursor` of the page before, with the same criteria.'),
    }),
    weight: 2,
    status: 200,
    reply: resource(z.strictObject({ users: z.array(AdministeredAccount), next_cursor: z.string().nullable() })),
    errors: ['ADMINISTRATOR_REQUIRED', 'EMAIL_NOT_VERIFIED'],
  }),

  readAccount: operation({
    group: 'Administration',
    method: 'GET',
    path: '/v1/admin/users/{user_id}',
    action: 'administration.read',
    summary: 'Read an account',
    description:
      'Returns an account with counts and sums. It never contains names, titles or contents of what the account has.',
    params,
    weight: 2,
    status: 200,
    reply: resource(AdministeredAccountDetails),
    errors: ['ADMINISTRATOR_REQUIRED', 'EMAIL_NOT_VERIFIED', 'NOT_FOUND'],
  }),

  updateAccount: operation({
    group: 'Administration',
    method: 'PATCH',
    path: '/v1/admin/users/{user_id}',
    action: 'administration.change',
    summary: 'Change the plan, administration or lock of an account',
    description:
      'Requires a browser session of an administrator. Changes apply from the next request on, and each is a security event of both accounts. Locking an account refuses all its credentials and feeds, stops its emails and cancels its queued and running forecasts; unlocking it makes them work again, except canceled forecasts. Administrators can neither lock nor demote themselves, so that one always remains.',
    params,
    body: z
      .strictObject({
        plan: z.enum(PLANS).optional(),
        administrator: z.boolean().optional(),
        locked: z.boolean().optional(),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must contain plan, administrator or locked',
      }),
    status: 200,
    reply: resource(AdministeredAccountDetails),
    errors: ['ADMINISTRATOR_REQUIRED', 'EMAIL_NOT_VERIFIED', 'SESSION_REQUIRED', 'NOT_FOUND', 'CONFLICT'],
  }),
};
