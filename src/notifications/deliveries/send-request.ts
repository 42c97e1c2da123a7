import type { WebhookAttemptError } from '../../contract/index.ts';
import {
  guardedRequest,
  OutboundError,
  type OutboundFault,
  readRetryAfter,
  type SigningKeys,
} from '../../platform/index.ts';
import { signMessage } from '../webhooks/secrets.ts';
import type { ClaimedDelivery } from './claim-delivery.ts';

/** What one request got. */
export interface Sent {
  readonly statusCode: number | null;
  readonly error: WebhookAttemptError | null;
  /** The beginning of the reply. */
  readonly reply: string | null;
  /** The milliseconds to wait before another attempt, if the reply states them. */
  readonly retryAfterMs: number | null;
}

export interface SendOptions {
  readonly keys: SigningKeys;
  readonly allow: readonly string[];
  readonly timeoutMs: number;
  readonly now: Date;
  readonly signal: AbortSignal;
}

const MAX_REPLY_BYTES = 4_096;
const MAX_REPLY_CHARACTERS = 500;
const USER_AGENT = 'Almanac-Webhooks/1';

/** Sends a delivery once. Throws only if the signal aborts. */
export async function sendRequest(delivery: ClaimedDelivery, options: SendOptions): Promise<Sent> {
  const { event_id: eventId, body, url, webhook_id: id } = delivery;
  const timestamp = Math.floor(options.now.getTime() / 1_000);
  const signature = signMessage(options.keys, { ...delivery, id }, { eventId, timestamp, body });
  try {
    const { status, headers, bytes } = await guardedRequest(url, {
      method: 'POST',
      body: Buffer.from(body),
      headers: {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        'webhook-id': eventId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      },
      allow: options.allow,
      timeoutMs: options.timeoutMs,
      maxBytes: MAX_REPLY_BYTES,
      // The status decides. A receiver that accepts an event and then breaks off its reply has accepted it.
      acceptsAnyReply: true,
      signal: options.signal,
    });
    const retryAfterMs = readRetryAfter(headers.get('retry-after'), options.now.getTime());
    return { statusCode: status, error: null, reply: readBeginning(bytes), retryAfterMs };
  } catch (error) {
    if (!(error instanceof OutboundError) || error.kind === 'aborted') throw error;
    return { statusCode: null, error: ERRORS[error.kind], reply: null, retryAfterMs: null };
  }
}

const ERRORS: Readonly<Record<Exclude<OutboundFault, 'aborted'>, WebhookAttemptError>> = {
  bad_address: 'unreachable',
  timeout: 'timeout',
  unreachable: 'unreachable',
  truncated: 'unreachable',
  too_large: 'malformed',
  malformed: 'malformed',
  encoded: 'malformed',
  not_public: 'not_public',
  not_https: 'not_https',
};

/** Returns text that the database can store, also from bytes that are not UTF-8. */
function readBeginning(bytes: Buffer): string {
  return new TextDecoder().decode(bytes).replaceAll('\u0000', '\ufffd').slice(0, MAX_REPLY_CHARACTERS).toWellFormed();
}
