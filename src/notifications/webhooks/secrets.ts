import { createHmac } from 'node:crypto';
import type { Selectable } from 'kysely';
import { DAY_MS } from '../../calendar/index.ts';
import type { SigningKeys } from '../../platform/index.ts';
import type { WebhookTable } from '../tables.ts';

/** The name of the signing keys from which all secrets are derived. It is stored, so it must not change. */
export const WEBHOOK_KEY = 'webhooks';

/** How long the previous secret still signs after a rotation. */
export const OVERLAP_MS = DAY_MS;

type WebhookSecrets = Pick<Selectable<WebhookTable>, 'id' | 'secret_version' | 'key_number'>;

/** Returns the present secret of a webhook, in the form of Standard Webhooks. */
export function formatSecret(keys: SigningKeys, { id, secret_version, key_number }: WebhookSecrets): string {
  return `whsec_${deriveSecret(keys, key_number, id, secret_version).toString('base64')}`;
}

/** What signs the requests to a webhook. */
export type SigningWebhook = WebhookSecrets & Pick<Selectable<WebhookTable>, 'rotated_at' | 'previous_key_number'>;

export interface SignedMessage {
  readonly eventId: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * Returns the signatures of a request by the scheme of Standard Webhooks: one by the present secret and, for a day after a
 * rotation, one by the previous secret, unless that one was withdrawn.
 */
export function signMessage(
  keys: SigningKeys,
  { id, secret_version: version, rotated_at, key_number, previous_key_number }: SigningWebhook,
  { eventId, timestamp, body }: SignedMessage,
): string {
  const isOverlapping = rotated_at !== null && timestamp * 1_000 < rotated_at.getTime() + OVERLAP_MS;
  const secrets = [
    deriveSecret(keys, key_number, id, version),
    ...(isOverlapping && version > 1 && previous_key_number !== null
      ? [deriveSecret(keys, previous_key_number, id, version - 1)]
      : []),
  ];
  return secrets
    .map((secret) => {
      const digest = createHmac('sha256', secret).update(`${eventId}.${timestamp}.${body}`);
      return `v1,${digest.digest('base64')}`;
    })
    .join(' ');
}

/** Returns whether the keys are older than the one from which the present secret of a webhook is derived. */
export function areOlderThan({ accepted: [newest] }: SigningKeys, { key_number }: WebhookSecrets): boolean {
  return newest.number < key_number;
}

function deriveSecret({ accepted }: SigningKeys, keyNumber: number, id: string, version: number): Buffer {
  const key = accepted.find(({ number }) => number === keyNumber);
  if (key === undefined) throw new Error(`The signing key ${keyNumber} of webhooks does not exist.`);
  return createHmac('sha256', key.secret).update(`${id}.${version}`).digest();
}
