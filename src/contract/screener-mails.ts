import { z } from 'zod';
import { instant, text } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

/** The states of the mail about the matches of one session. */
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

/** Why a mail was not sent, or has not been sent yet. */
export const SCREENER_MAIL_REASONS = {
  budget_used_up: 'This service reached its daily mail limit with mails to accounts that had waited longer.',
  server_away: 'The mail server was unreachable or busy. The mail will be retried.',
  attempts_used_up: 'The mail server was unreachable or busy in all eight attempts, over most of a day.',
  too_late: 'The mail could not be sent within a day.',
  refused: 'The mail server rejected the mail permanently.',
  address_refused: 'The mailbox does not exist. Mails are suspended until the address is verified again.',
  interrupted:
    'The connection or the service ended during delivery, or the mail server gave no clear reply. The mail may have arrived and is not sent again.',
  address_not_verified: 'The email address is not verified.',
  mails_suspended: 'An earlier mail bounced. Mails are suspended until the address is verified again.',
  session_over:
    'The next session had already closed when this one was evaluated. The mail about the next session replaces this one.',
  no_longer_wanted: 'The matching filters were deleted, or their mails were turned off.',
  no_mail_server: 'This service has no mail server. The mail was written to its log.',
} as const;
export type ScreenerMailReason = keyof typeof SCREENER_MAIL_REASONS;

const REASONS = Object.keys(SCREENER_MAIL_REASONS) as [ScreenerMailReason, ...ScreenerMailReason[]];
const reasonTexts = Object.entries(SCREENER_MAIL_REASONS).map(([reason, when]) => `\`${reason}\`: ${when}`);

/** Whether an account receives mails about its filters. */
export const ScreenerMailDelivery = z
  .strictObject({
    state: z.enum(['on', 'off', 'suspended']),
    since: instant().nullable().describe('When mails were suspended; null if they are not.'),
  })
  .describe(
    '`off`: mails are turned off for all filters. `suspended`: a mail bounced. `POST /v1/me/verification` sends a link that ends the suspension.',
  )
  .meta({ id: 'ScreenerMailDelivery' });

const ScreenerMail = z
  .strictObject({
    session: z.iso.date().describe('The session date of the exchange. There is at most one mail per session.'),
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
    summary: 'List mails about matches',
    description:
      'Lists one mail for each session in which a filter with mails turned on had matches, newest first, with its state and, if it was not sent, the reason.',
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
