import { z } from 'zod';
import { instant } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

/** Maximum number of emails about forecasts that an account gets in 24 hours. */
export const MAX_NOTIFICATION_MAILS_PER_DAY = 20;

/** The shortest time between two of these emails. What happens in between is in the next one. */
export const MIN_MINUTES_BETWEEN_NOTIFICATION_MAILS = 10;

/** The states of an email about forecasts. */
export const NOTIFICATION_MAIL_STATES = ['queued', 'sent', 'failed', 'unknown', 'skipped'] as const;
export type NotificationMailState = (typeof NOTIFICATION_MAIL_STATES)[number];

const NotificationMail = z
  .strictObject({
    state: z
      .enum(NOTIFICATION_MAIL_STATES)
      .describe(
        '`queued`: it is waiting, or is being sent. `failed`: the mail server rejected it, or was unreachable in all attempts. `unknown`: the connection ended before the mail server confirmed it, so it may have arrived; it is not sent again. `skipped`: the emails were turned off, or the address cannot get emails.',
      ),
    created_at: instant(),
    sent_at: instant().nullable(),
  })
  .meta({ id: 'NotificationMail' });

export const Notifications = z
  .strictObject({
    forecasts: z.boolean().describe('Whether an email is sent when a forecast of the account completes or fails.'),
    outcomes: z
      .boolean()
      .describe('Whether an email is sent when the outcome of a forecast of the account is complete.'),
    delivery: z
      .strictObject({
        state: z.enum(['on', 'off', 'suspended']),
        since: instant().nullable().describe('When emails were suspended; null if they are not.'),
      })
      .describe('`suspended`: an email bounced. `POST /v1/me/verification` sends a link that ends the suspension.'),
    last_email: NotificationMail.nullable(),
  })
  .meta({ id: 'Notifications' });

export const notificationOperations = {
  readNotifications: operation({
    group: 'Access',
    method: 'GET',
    path: '/v1/me/notifications',
    action: 'notifications.read',
    summary: 'Read the settings of emails about forecasts',
    status: 200,
    reply: resource(Notifications),
  }),
  updateNotifications: operation({
    group: 'Access',
    method: 'PATCH',
    path: '/v1/me/notifications',
    action: 'notifications.change',
    summary: 'Turn emails about forecasts on or off',
    description: `Both kinds of emails are off until the account turns them on. An account gets at most one email in ${MIN_MINUTES_BETWEEN_NOTIFICATION_MAILS} minutes and ${MAX_NOTIFICATION_MAILS_PER_DAY} in 24 hours; one email lists everything since the last one. Forecasts that the account canceled are left out. Each email has a link that turns these emails off.`,
    body: z
      .strictObject({ forecasts: z.boolean().optional(), outcomes: z.boolean().optional() })
      .refine((body) => Object.keys(body).length > 0, { error: 'must contain forecasts or outcomes' }),
    status: 200,
    reply: resource(Notifications),
    errors: ['EMAIL_NOT_VERIFIED'],
  }),
};
