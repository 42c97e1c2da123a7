import { z } from 'zod';
import { instant, text } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

/** What can become of the mail of a session. */
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

/** Why a mail was not sent, or not yet. */
export const SCREENER_MAIL_REASONS = {
  budget_used_up: 'As many mails as this service sends in a day went to others, who had waited longer for one.',
  server_away: 'The mail server could not be reached or was busy. It is tried again.',
  attempts_used_up: 'The mail server could not be reached or was busy, eight times over most of a day.',
  too_late: 'A day went by before it could be sent.',
  refused: 'The mail server refused it for good.',
  address_refused: 'There is no such mailbox. Mails are suspended until the address is verified anew.',
  interrupted:
    'It was being sent when the connection or the service ended, or the answer to it was neither yes nor no: it may have arrived, and is not sent again.',
  address_not_verified: 'The e-mail address is not verified.',
  mails_suspended: 'An earlier mail came back. Mails are suspended until the address is verified anew.',
  session_over: 'The next session had closed when this one was evaluated: the mail about that one is what is new.',
  no_longer_wanted: 'The filters that matched were deleted, or want no mails any more.',
  no_mail_server: 'This service has no mail server. The mail is in its log.',
} as const;
export type ScreenerMailReason = keyof typeof SCREENER_MAIL_REASONS;

const REASONS = Object.keys(SCREENER_MAIL_REASONS) as [ScreenerMailReason, ...ScreenerMailReason[]];
const explained = Object.entries(SCREENER_MAIL_REASONS).map(([reason, when]) => `\`${reason}\`: ${when}`);

/** Whether an account gets mails about its filters. */
export const ScreenerMailDelivery = z
  .strictObject({
    state: z.enum(['on', 'off', 'suspended']),
    since: instant().nullable().describe('Of a suspension.'),
  })
  .describe(
    '`off`: no filter asks for mails. `suspended`: a mail came back; `POST /v1/me/verification` sends a link that ends it.',
  )
  .meta({ id: 'ScreenerMailDelivery' });

const ScreenerMail = z
  .strictObject({
    session: z.iso.date().describe('The exchange’s date: there is at most one mail for each.'),
    state: z.enum(SCREENER_MAIL_STATES),
    reason: z.enum(REASONS).nullable().describe(explained.join(' ')),
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
    summary: 'Mails about matches: what was sent, what was not and why',
    description: 'Newest first: one for each session in which a filter that asks for mails had matches.',
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
