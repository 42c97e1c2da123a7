import { createHmac } from 'node:crypto';
import { DAY_MS } from '../../calendar/index.ts';
import type { WebhookTable } from '../tables.ts';

/** The name of the signing key from which all secrets are derived. It is stored, so it must not change. */
export const WEBHOOK_KEY = 'webhooks';

/** How long the previous secret still signs after a rotation. */
const OVERLAP_MS = DAY_MS;

type SecretVersion = Pick<WebhookTable, 'id'> & { readonly secret_version: number };

/** Returns the present secret of a webhook, in the form of Standard Webhooks. */
export function formatSecret(key: Buffer, { id, secret_version }: SecretVersion): string {
  return `whsec_${deriveSecret(key, id, secret_version).toString('base64')}`;
}

export interface SignedMessage {
  readonly eventId: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * Returns the signatures of a request by the scheme of Standard Webhooks: one by the present secret and, for a day after a
 * rotation, one by the previous secret.
 */
export function signMessage(
  key: Buffer,
  webhook: SecretVersion & { readonly rotated_at: Date | null },
  { eventId, timestamp, body }: SignedMessage,
): string {
  const { id, secret_version: version, rotated_at } = webhook;
  const isOverlapping = rotated_at !== null && timestamp * 1_000 < rotated_at.getTime() + OVERLAP_MS;
  return [version, ...(isOverlapping && version > 1 ? [version - 1] : [])]
    .map((each) => {
      const digest = createHmac('sha256', deriveSecret(key, id, each)).update(`${eventId}.${timestamp}.${body}`);
      return `v1,${digest.digest('base64')}`;
    })
    .join(' ');
}

function deriveSecret(key: Buffer, id: string, version: number): Buffer {
  return createHmac('sha256', key).update(`${id}.${version}`).digest();
}
