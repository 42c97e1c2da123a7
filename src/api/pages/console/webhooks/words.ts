import {
  type Operations,
  type Output,
  WEBHOOK_TEST_EVENT,
  type WebhookAttemptError,
  type WebhookDeliveryState,
  type WebhookEventType,
  type WebhookOffReason,
} from '../../../../contract/index.ts';
import { formatCount, formatInteger } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderTime } from '../account/times.ts';
import type { Tone } from '../states.ts';

export type Webhook = Output<Operations['readWebhook']>;
export type Delivery = Output<Operations['listWebhookDeliveries']>['deliveries'][number];
type Attempt = Delivery['attempts'][number];

/** Each type of event: its name, and when it happens. */
export const EVENT_WORDS: Readonly<Record<WebhookEventType, readonly [name: string, when: string]>> = {
  'forecast.completed': ['Forecast completed', 'A forecast has its result.'],
  'forecast.failed': ['Forecast failed', 'A forecast has failed or was canceled.'],
  'forecast.outcome': [
    'Outcome known',
    'All rows that a forecast predicted are there and are scored, or can no longer be read.',
  ],
  'receipt.stamped': ['Proof stamped', 'The proof of a forecast, or of a probability of a question, was stamped.'],
  'event.resolved': ['Question resolved', 'A question was resolved or annulled.'],
  'screener.matched': ['Filter matched', 'A filter has matches in a session of the exchange.'],
};

/** Returns the name of a type of event. A type that this version does not know has no other name. */
export function nameType(type: string): string {
  if (type === WEBHOOK_TEST_EVENT) return 'Test';
  return Object.hasOwn(EVENT_WORDS, type) ? EVENT_WORDS[type as WebhookEventType][0] : type;
}

/** Returns the name of a webhook or, if it has none, the host of its URL. */
export function titleOf({ name, url }: Pick<Webhook, 'name' | 'url'>): string {
  return name ?? new URL(url).host;
}

interface StateWords {
  readonly tone: Tone | '';
  readonly label: string;
  readonly text: string | Html;
}

const OFF_WORDS: Readonly<Record<WebhookOffReason, string>> = {
  requested: 'It was turned off on request.',
  failing: 'The service turned it off, because no attempt of a week got a 2xx status.',
  gone: 'The service turned it off, because the receiver replied 410 Gone.',
};

/** Returns the state of a webhook in words. */
export function describeState(webhook: Webhook): StateWords {
  const { off_reason: reason, failures, failing_since: since } = webhook;
  if (reason !== null) return { tone: reason === 'requested' ? '' : 'bad', label: 'Off', text: OFF_WORDS[reason] };
  if (failures === 0 || since === null) return { tone: 'good', label: 'On', text: describeSuccess(webhook) };
  return {
    tone: 'warning',
    label: 'Failing',
    text: html`${formatCount(failures, 'attempt')} failed since ${renderTime(since)}. ${describeSuccess(webhook)}`,
  };
}

function describeSuccess({ last_success_at: at }: Webhook): Html {
  return at === null ? html`No attempt has succeeded yet.` : html`The last success was ${renderTime(at)}.`;
}

/** The states of a delivery: tone and name. */
export const DELIVERY_WORDS: Readonly<Record<WebhookDeliveryState, readonly [tone: Tone, name: string]>> = {
  pending: ['info', 'Waiting'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
  skipped: ['warning', 'Not sent'],
};

const ERROR_WORDS: Readonly<Record<WebhookAttemptError, string>> = {
  timeout: 'no reply within 10 seconds',
  unreachable: 'the receiver could not be reached, or closed the connection',
  malformed: 'the reply was not valid HTTP, or its headers were too large',
  not_public: 'the URL leads to an address that is not on the public internet',
  not_https: 'the URL uses http, which the operator of this site has not allowed for this address',
  interrupted: 'the service stopped during the attempt, so the receiver may have got the event',
};

/** Returns how an attempt ended. @example describeAttempt(attempt) // Attempt 2: status 503 after 120 ms */
export function describeAttempt({ number, status_code: status, error, duration_ms: duration }: Attempt): string {
  const result = error === null ? `status ${status}` : ERROR_WORDS[error];
  // The words for a timeout and for a stop of the service already state the time, or that it is unknown.
  const isTimed = duration !== null && error !== 'timeout' && error !== 'interrupted';
  return `Attempt ${number}: ${result}${isTimed ? `, after ${formatDuration(duration)}` : ''}`;
}

function formatDuration(milliseconds: number): string {
  return milliseconds < 1_000 ? `${formatInteger(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** Returns the page of what an event is about; null for a test. */
export function findSubject({ payload: { data } }: Delivery): { readonly href: string; readonly label: string } | null {
  if ('alert_id' in data) {
    const query = new URLSearchParams({ session: data.session }).toString();
    return { href: `/screener/${encodeURIComponent(data.alert_id)}?${query}`, label: 'Open the filter' };
  }
  if (!('forecast_id' in data)) return null;
  const id = encodeURIComponent(data.forecast_id);
  return isForecast(data.forecast_id)
    ? { href: `/forecasts/${id}`, label: 'Open the forecast' }
    : { href: `/questions/${id}`, label: 'Open the question' };
}

/** Payloads call the ids of forecasts and of questions by the same name. */
function isForecast(id: string): boolean {
  return id.startsWith('ef_');
}
