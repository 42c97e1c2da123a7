import { sql } from 'kysely';
import { recordSecurityEvents } from '../../identity/index.ts';
import {
  type Clock,
  type Database,
  type Executor,
  lockSigningKeys,
  type RotatedKey,
  rotateSigningKey,
  type Transaction,
} from '../../platform/index.ts';
import { JOIN_OWNER } from '../deliveries/claim-delivery.ts';
import { replaceSecret } from './change-webhook.ts';
import { OVERLAP_MS, WEBHOOK_KEY } from './secrets.ts';

interface Context {
  readonly database: Database;
  readonly clock: Clock;
}

/** The webhooks whose secrets an operator replaces: one, or all that an account pays for. */
export type ChosenWebhooks = { readonly id: string } | { readonly accountId: string };

/**
 * Replaces the secrets of webhooks for an operator. Their owners see it among their security events.
 *
 * @param isWithdrawn whether the previous secrets stop signing at once
 * @returns the new secrets, the oldest webhook first
 */
export async function rotateWebhookSecrets(
  { database, clock }: Context,
  chosen: ChosenWebhooks,
  { isWithdrawn }: { readonly isWithdrawn: boolean },
): Promise<readonly { readonly id: string; readonly secret: string }[]> {
  return database.transaction(async (tx) => {
    const keys = await lockSigningKeys(tx, WEBHOOK_KEY);
    const now = clock.now();
    const webhooks = await lockChosen(tx, chosen);
    const rotated: { id: string; secret: string }[] = [];
    for (const { id } of webhooks) {
      const { secret } = await replaceSecret(tx, keys, id, { now, isWithdrawn });
      rotated.push({ id, secret });
    }
    await recordRotations(tx, webhooks, now);
    return rotated;
  });
}

/**
 * Replaces the key from which secrets of webhooks are derived. Without a withdrawal, webhooks keep their secrets until
 * their owners rotate them, and the earlier key exists as long as one of them is left. With it, every webhook gets another
 * secret at once.
 */
export async function rotateWebhookKey(
  { database, clock }: Context,
  { isWithdrawn }: { readonly isWithdrawn: boolean },
): Promise<RotatedKey & { readonly webhooks: number }> {
  return database.transaction(async (tx) => {
    const rotated = await rotateSigningKey(tx, WEBHOOK_KEY, { isWithdrawn });
    if (!isWithdrawn) return { ...rotated, webhooks: 0 };
    const now = clock.now();
    const webhooks = await lockChosen(tx, null);
    await sql`
      UPDATE webhook SET secret_version = secret_version + 1, key_number = ${rotated.number}, previous_key_number = NULL,
        rotated_at = ${now}, updated_at = ${now}`.execute(tx.query());
    await recordRotations(tx, webhooks, now);
    return { ...rotated, webhooks: webhooks.length };
  });
}

interface OwnedWebhook {
  readonly id: string;
  readonly account_id: string;
}

async function lockChosen(tx: Transaction, chosen: ChosenWebhooks | null): Promise<readonly OwnedWebhook[]> {
  const isId = chosen !== null && 'id' in chosen;
  const value = chosen === null ? null : isId ? chosen.id : chosen.accountId;
  const column = isId ? sql.ref('webhook.id') : sql.ref('account.id');
  const { rows } = await sql<OwnedWebhook>`
    SELECT webhook.id, account.id AS account_id FROM webhook ${JOIN_OWNER}
    WHERE ${value === null ? sql`true` : sql`${column} = ${value}`}
    ORDER BY webhook.id FOR NO KEY UPDATE OF webhook`.execute(tx.query());
  return rows;
}

async function recordRotations(tx: Transaction, webhooks: readonly OwnedWebhook[], at: Date): Promise<void> {
  await recordSecurityEvents(
    tx,
    webhooks.map(({ id, account_id: accountId }) => {
      return { accountId, kind: 'webhook_rotated' as const, at, details: { webhook_id: id } };
    }),
  );
}

/** Removes earlier keys of which no webhook has a secret that still signs. */
export async function removeUnusedWebhookKeys({ database, clock }: Context): Promise<void> {
  const overlapStart = new Date(clock.now().getTime() - OVERLAP_MS);
  await sql`
    DELETE FROM previous_signing_key AS earlier WHERE name = ${WEBHOOK_KEY}
      AND NOT EXISTS (SELECT FROM webhook WHERE key_number = earlier.number
        OR (previous_key_number = earlier.number AND rotated_at > ${overlapStart}))`.execute(database.query());
}

/** Returns how many webhooks have a secret of an earlier key. */
export async function countWebhooksOfEarlierKeys(executor: Executor): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM webhook
    WHERE key_number < (SELECT number FROM signing_key WHERE name = ${WEBHOOK_KEY})`.execute(executor.query());
  return rows[0]?.count ?? 0;
}
