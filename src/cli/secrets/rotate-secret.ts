import type { Foundation } from '../../compose/index.ts';
import { SIGNING_DELAY_MS, SIGNING_KEYS, SIGNING_KEYS_FRESH_MS } from '../../platform/index.ts';
import { formatCount } from '../../wording/index.ts';
import { noWebhooks, webhookTargetMissing, webhookTargetUnused } from '../faults.ts';
import { OAUTH_KIND, signingKeyOf, WEBHOOK_KIND } from './kinds.ts';

export interface RotationRequest {
  readonly kind: string;
  /** The id of a webhook, or the email address of the account that pays for webhooks. */
  readonly target?: string | undefined;
  /** Withdraws the earlier secret at once. */
  readonly now?: boolean | undefined;
}

/** Replaces a secret of the service. The result names what follows, in words. */
export async function rotateSecret(foundation: Foundation, request: RotationRequest): Promise<object> {
  const { kind, target, now: isWithdrawn = false } = request;
  if (kind === WEBHOOK_KIND) return rotateWebhooks(foundation, target, isWithdrawn);
  if (target !== undefined) throw webhookTargetUnused(kind);
  if (kind === OAUTH_KIND) return rotateOAuth(foundation, isWithdrawn);
  const { database } = foundation;
  const name = signingKeyOf(kind);
  if (name === null) throw new TypeError(`${kind} is not a kind of secret.`);
  if (name === 'webhooks') return rotateWebhookKey(foundation, isWithdrawn);
  const { rotateSigningKey } = await import('../../platform/index.ts');
  const rotated = await database.transaction((tx) => rotateSigningKey(tx, name, { isWithdrawn }));
  return {
    kind,
    signs_at: rotated.signsAt.toISOString(),
    previous_until: rotated.previousUntil?.toISOString() ?? null,
    effect: isWithdrawn
      ? `${SIGNING_KEYS[name].withdrawal} Every process follows within ${SIGNING_KEYS_FRESH_MS / 1000} seconds.`
      : `Every process signs with the new key in ${SIGNING_DELAY_MS / 1000} to ${(SIGNING_DELAY_MS + SIGNING_KEYS_FRESH_MS) / 1000} seconds.`,
  };
}

async function rotateOAuth({ identity }: Foundation, isWithdrawn: boolean): Promise<object> {
  const { listSigningKeyTimes, rotateSigningKey } = await import('../../identity/index.ts');
  const kid = await rotateSigningKey(identity, { isWithdrawn });
  const [newest, previous] = await listSigningKeyTimes(identity.database);
  return {
    kind: OAUTH_KIND,
    kid,
    signs_at: newest?.createdAt.toISOString() ?? null,
    previous_until: previous?.acceptedUntil?.toISOString() ?? null,
    effect: isWithdrawn
      ? 'Access tokens that were issued until now are refused within 60 seconds; applications get others with their refresh tokens.'
      : 'Every process signs with the new key within 60 seconds.',
  };
}

async function rotateWebhookKey(foundation: Foundation, isWithdrawn: boolean): Promise<object> {
  const { countWebhooksOfEarlierKeys, rotateWebhookKey: rotate } = await import('../../notifications/index.ts');
  const { signsAt, webhooks } = await rotate(foundation, { isWithdrawn });
  const left = await countWebhooksOfEarlierKeys(foundation.database);
  return {
    kind: 'webhooks',
    signs_at: signsAt.toISOString(),
    previous_until: null,
    webhooks_with_earlier_key: left,
    effect: isWithdrawn
      ? `${SIGNING_KEYS.webhooks.withdrawal} That concerns ${formatCount(webhooks, 'webhook')}.`
      : `New secrets of webhooks come from the new key. ${formatCount(left, 'webhook')} with a secret of an earlier key: each keeps it until it is rotated.`,
  };
}

async function rotateWebhooks(
  foundation: Foundation,
  target: string | undefined,
  isWithdrawn: boolean,
): Promise<object> {
  if (target === undefined) throw webhookTargetMissing();
  const [{ requireAccount }, { rotateWebhookSecrets }] = await Promise.all([
    import('../../identity/index.ts'),
    import('../../notifications/index.ts'),
  ]);
  const chosen = target.includes('@')
    ? { accountId: (await requireAccount(foundation.database, target)).id }
    : { id: target };
  const webhooks = await rotateWebhookSecrets(foundation, chosen, { isWithdrawn });
  if (webhooks.length === 0) throw noWebhooks(target);
  return {
    kind: WEBHOOK_KIND,
    webhooks,
    effect: isWithdrawn
      ? 'Deliveries are signed with the new secret only; the receiver needs it now.'
      : 'For a day, deliveries are signed with the new and the previous secret.',
  };
}
