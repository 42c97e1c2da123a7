import { z } from 'zod';
import { instant, text } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

/** The states of the email about the matches of one session. */
export const SCREENER_MAIL_STATES = [
  'queued',
  'sending',
  'sent',
  'failed',
  'bounced',
  'over_budget',
  'unknown',
  'skipped',
] as const;
export type ScreenerMailState = (typeof SCREENER_MAIL_STATES)[number];

/** Why an email was not sent, or has not been sent yet. */
export const SCREENER_MAIL_REASONS = {
  budget_used_up: 'This service reached its daily email limit with emails to accounts that had waited longer.',
  server_away: 'The mail server was unreachable or busy. The email will be retried.',
  attempts_used_up: 'The mail server was unreachable or busy in all eight attempts, over most of a day.',
  too_late: 'The email could not be sent within a day.',
  refused: 'The mail server rejected the email permanently.',
  address_refused: 'The mailbox does not exist. Emails are suspended until the address is verified again.',
  interrupted:
    'The connection or the service ended during delivery, or the mail server gave no clear reply. The email may have arrived and is not sent again.',
  account_locked: 'The account was locked.',
  address_not_verified: 'The email address is not verified.',
  mails_suspended: 'An earlier email bounced. Emails are suspended until the address is verified again.',
  session_over:
    'The next session had already closed when this one was evaluated. The email about the next session replaces this one.',
  no_longer_wanted: 'The matching filters were deleted, or their emails were turned off.',
  no_mail_server: 'This service has no mail server. The email was written to its log.',
} as const;
export type ScreenerMailReason = keyof typeof SCREENER_MAIL_REASONS;

const REASONS = Object.keys(SCREENER_MAIL_REASONS) as [ScreenerMailReason, ...ScreenerMailReason[]];
const reasonTexts = Object.entries(SCREENER_MAIL_REASONS).map(([reason, when]) => `\`${reason}\`: ${when}`);

/** Whether an account receives emails about its filters. */
export const ScreenerMailDelivery = z
  .strictObject({
    state: z.enum(['on', 'off', 'suspended']),
    since: instant().nullable().describe('When emails were suspended; null if they are not.'),
  })
  .describe(
    '`off`: emails are turned off for all filters. `suspended`: an email bounced. `POST /v1/me/verification` sends a link that ends the suspension.',
  )
  .meta({ id: 'ScreenerMailDelivery' });

const ScreenerMail = z
  .strictObject({
    session: z.iso.date().describe('The session date of the exchange. There is at most one email per session.'),
    state: z.enum(SCREENER_MAIL_STATES),
    reason: z.enum(REASONS).nullable().describe(reasonTexts.join(' ')),
    attempts: z.int(),
    created_at: instant(),
    sent_at: instant().nullable(),
  })
  .meta({ id: 'ScreenerMail' });

export const screenerMailOperations = {
  listScreenerMails: operation({
    group: 'Screener',
    method: 'GET',
    path: '/v1/me/screener-mails',
    action: 'screener.read',
    summary: 'List emails about matches',
    description:
      'Lists one email for each session in which a filter with emails turned on had matches, newest first. Each email has a state and, if it was not sent, a reason.',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      cursor: text({ max: 500 }).optional(),
    }),
    status: 200,
    reply: resource(
      z.strictObject({
        delivery: ScreenerMailDelivery,
        mails: z.array(ScreenerMail),
        next_cursor: z.string().nullable(),
      }),
    ),
    errors: ['EMAIL_NOT_VERIFIED'],
  }),
};
