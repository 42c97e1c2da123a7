import { z } from 'zod';
import { instant } from './fields.ts';
import type { Scope } from './vocabulary.ts';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './vocabulary.ts';

/** Maximum number of webhooks of an account, and of a workspace. */
export const MAX_WEBHOOKS = 10;

/** The scope with which an object of each type of event is read. */
export const WEBHOOK_EVENT_SCOPES: Readonly<Record<WebhookEventType, Scope>> = {
  'forecast.completed': 'forecasts:read',
  'forecast.failed': 'forecasts:read',
  'forecast.outcome': 'forecasts:read',
  'receipt.stamped': 'forecasts:read',
  'event.resolved': 'events:read',
  'screener.matched': 'screener:read',
};

/** When an event of each type happens. */
export const WEBHOOK_EVENTS: Readonly<Record<WebhookEventType, string>> = {
  'forecast.completed': 'A forecast has completed.',
  'forecast.failed': 'A forecast has failed or was canceled.',
  'forecast.outcome': 'The outcome of a forecast is `complete`, or `unavailable` because its rows cannot be read.',
  'receipt.stamped': 'The proof of a forecast, or of a revision of an event, was stamped.',
  'event.resolved': 'An event was resolved or annulled.',
  'screener.matched': 'A filter has matches in a session. Only webhooks of accounts get it.',
};

/** The type of the event that `POST …/test` sends. No webhook has to choose it. */
export const WEBHOOK_TEST_EVENT = 'webhook.test';

const types = z.array(z.enum(WEBHOOK_EVENT_TYPES));

/** Why a webhook is off. */
export const WEBHOOK_OFF_REASONS = {
  requested: 'A request turned it off.',
  failing: 'No attempt of a week, and at least 20, got a 2xx status.',
  gone: 'The receiver replied 410 Gone.',
} as const;
export type WebhookOffReason = keyof typeof WEBHOOK_OFF_REASONS;

export const Webhook = z
  .strictObject({
    id: z.string(),
    workspace_id: z.string().nullable().describe('Null for a webhook of an account.'),
    url: z.string(),
    name: z.string().nullable(),
    types: types.describe(describeEach(WEBHOOK_EVENTS)),
    enabled: z.boolean(),
    off_reason: z
      .enum(Object.keys(WEBHOOK_OFF_REASONS) as [WebhookOffReason, ...WebhookOffReason[]])
      .nullable()
      .describe(`Null if it is on. ${describeEach(WEBHOOK_OFF_REASONS)}`),
    failures: z.int().min(0).describe('The number of failed attempts since the last one that got a 2xx status.'),
    failing_since: instant().nullable().describe('The time of the first of these attempts.'),
    last_success_at: instant().nullable().describe('The time of the last attempt that got a 2xx status.'),
    secret_rotated_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'Webhook' });

/** A webhook with its secret. */
export const WebhookWithSecret = z
  .strictObject({
    ...Webhook.shape,
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]+=*$/)
      .describe('The secret that signs the requests, in the form of Standard Webhooks. It is not shown again.'),
  })
  .meta({ id: 'WebhookWithSecret' });

export const WEBHOOK_DELIVERY_STATES = {
  pending: 'The first attempt, or the next one, is due at `next_attempt_at`.',
  delivered: 'The receiver replied with a 2xx status. The event is not sent again unless a request replays it.',
  failed: 'No attempt of three days got a 2xx status.',
  skipped:
    'The webhook was turned off, or its account lost the access that webhooks need, before an attempt got a 2xx status.',
} as const;
export type WebhookDeliveryState = keyof typeof WEBHOOK_DELIVERY_STATES;

/** Why an attempt failed without an HTTP status. */
export const WEBHOOK_ATTEMPT_ERRORS = {
  timeout: 'No reply arrived within 10 seconds.',
  unreachable: 'The connection could not be made, or it was closed before a reply arrived.',
  malformed: 'The reply was not HTTP.',
  not_public: 'The URL leads to an address that is not on the public internet.',
  not_https: 'The URL uses http, which the operator has not allowed for this address.',
  interrupted: 'The service stopped during the attempt, so the receiver may have got the event.',
} as const;
export type WebhookAttemptError = keyof typeof WEBHOOK_ATTEMPT_ERRORS;

const WebhookAttempt = z
  .strictObject({
    number: z.int().min(1),
    started_at: instant(),
    duration_ms: z.int().min(0).nullable().describe('Null if the service stopped during the attempt.'),
    status_code: z.int().nullable(),
    error: z
      .enum(Object.keys(WEBHOOK_ATTEMPT_ERRORS) as [WebhookAttemptError, ...WebhookAttemptError[]])
      .nullable()
      .describe(describeEach(WEBHOOK_ATTEMPT_ERRORS)),
    reply: z.string().nullable().describe('The beginning of the body of the reply, at most 500 characters.'),
  })
  .meta({ id: 'WebhookAttempt' });

/** What a webhook receives: the ids of what happened. What they lead to is read with a credential. */
export const WebhookPayload = z
  .strictObject({
    id: z.string().describe('The id of the event, the same in every request about it.'),
    type: z.string(),
    created_at: instant(),
    sequence: z
      .int()
      .min(1)
      .describe('Increases by one with every event of this webhook. Requests can arrive in another order.'),
    data: z.union([
      z.strictObject({ forecast_id: z.string(), status: z.string(), result_url: z.string() }),
      z.strictObject({ forecast_id: z.string(), status: z.string(), resolution_url: z.string() }),
      z.strictObject({ alert_id: z.string(), session: z.iso.date(), matches_url: z.string() }),
      z.strictObject({ webhook_id: z.string() }),
    ]),
  })
  .meta({ id: 'WebhookPayload' });

export const WebhookDelivery = z
  .strictObject({
    id: z.string(),
    webhook_id: z.string(),
    event_id: z.string().describe('The header `webhook-id` of every attempt, and the `id` of the payload.'),
    type: z.string(),
    state: z
      .enum(Object.keys(WEBHOOK_DELIVERY_STATES) as [WebhookDeliveryState, ...WebhookDeliveryState[]])
      .describe(describeEach(WEBHOOK_DELIVERY_STATES)),
    replays: z.string().nullable().describe('The id of the delivery that this one repeats.'),
    payload: WebhookPayload,
    attempts: z.array(WebhookAttempt).describe('Oldest first.'),
    next_attempt_at: instant().nullable(),
    created_at: instant(),
    ended_at: instant().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

function describeEach(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .map(([name, when]) => `\`${name}\`: ${when}`)
    .join(' ');
}
