import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import { MAX_API_KEYS, type NewApiKey, type Scope } from '../../contract/index.ts';
import { type Executor, newId } from '../../platform/index.ts';
import { lockAccount } from '../accounts/accounts.ts';
import type { IdentityContext } from '../context.ts';
import {
  credentialRevoked,
  keyExpiresInPast,
  keyOutlivesCredential,
  scopeBeyondCredential,
  tooManyKeys,
} from '../faults.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import { type Origin, recordSecurityEvent } from '../security-events.ts';
import type { ApiKeyTable, IdentityTables } from '../tables.ts';
import { liveKeyCondition } from './authenticate-key.ts';
import { viewApiKey } from './list-api-keys.ts';

export interface ApiKeyRequest {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date | null;
  readonly kind?: ApiKeyTable['kind'];
  /** The key with which this one is created. The new key is revoked together with it. */
  readonly madeBy?: string | null;
  /** The grant or link that the caller's credential depends on. The new key is valid only while it exists. */
  readonly madeUnder?: string | null;
  readonly origin?: Origin;
}

interface CallerKeyRequest {
  readonly name: string;
  /** Default: all scopes of the caller's credential. */
  readonly scopes?: readonly Scope[] | undefined;
  readonly expiresAt: Date | null;
  readonly origin?: Origin;
}

/**
 * Creates a key for the caller of a request. The key cannot have more scopes than the caller's credential. If that
 * credential is a key or token, the new key cannot outlive it: a leaked credential must not create a stronger one. The
 * key ends with the caller's key or grant.
 */
export async function createApiKeyForCaller(
  context: IdentityContext,
  caller: Account,
  { name, scopes = caller.scopes, expiresAt, origin }: CallerKeyRequest,
): Promise<z.output<typeof NewApiKey>> {
  const missing = scopes.find((scope) => !caller.scopes.includes(scope));
  if (missing) throw scopeBeyondCredential(missing);
  // A key can outlive the browser session with which it is created.
  const end = caller.credential === 'session' ? null : caller.credentialExpiresAt;
  if (end && expiresAt && expiresAt > end) throw keyOutlivesCredential(end);
  return createApiKey(context, {
    accountId: caller.accountId,
    name,
    scopes,
    expiresAt: expiresAt ?? end,
    madeBy: caller.credential === 'key' ? caller.credentialId : null,
    madeUnder: caller.dependsOn ?? null,
    ...(origin && { origin }),
  });
}

/** Creates a key. Only the hash of its secret is stored, so the result is the only way to get the secret. */
export async function createApiKey(
  context: IdentityContext,
  request: ApiKeyRequest,
): Promise<z.output<typeof NewApiKey>> {
  const now = context.clock.now();
  const expiresAt = request.expiresAt ?? null;
  if (expiresAt && expiresAt <= now) throw keyExpiresInPast();
  const kind = request.kind ?? 'personal';
  const key = newSecret(kind === 'service' ? 'alm_svc_' : 'alm_pat_');
  const row = {
    id: newId('key', now.getTime()),
    account_id: request.accountId,
    kind,
    name: request.name,
    hint: key.slice(0, 12),
    made_by: request.madeBy ?? null,
    made_under: request.madeUnder ?? null,
    secret_hash: hashSecret(key),
    scopes: [...new Set(request.scopes)],
    created_at: now,
    expires_at: expiresAt,
    revoked_at: null,
    last_used_at: null,
  };
  await context.database.transaction(async (tx) => {
    const db = tx.query<IdentityTables>();
    await lockAccount(tx, request.accountId);
    if (row.made_by !== null) await requireLive(tx, row.made_by, now);
    const { live } = await db
      .selectFrom('api_key')
      .select((eb) => eb.fn.countAll<number>().as('live'))
      .where('account_id', '=', request.accountId)
      .where(liveKeyCondition(now))
      .executeTakeFirstOrThrow();
    if (live >= MAX_API_KEYS) throw tooManyKeys(MAX_API_KEYS);
    await db.insertInto('api_key').values(row).execute();
    if (row.made_under !== null) await requireLive(tx, row.id, now);
    const details = { key_id: row.id, name: row.name, kind };
    const { accountId, origin } = request;
    await recordSecurityEvent(tx, { accountId, kind: 'key_created', at: now, origin, details });
  });
  return { ...viewApiKey(row), key };
}

/** Throws a fault if a key, or the grant or link it depends on, was revoked after the caller was authenticated. */
async function requireLive(executor: Executor, keyId: string, now: Date): Promise<void> {
  const live = await executor
    .query<IdentityTables>()
    .selectFrom('api_key')
    .select('id')
    .where('id', '=', keyId)
    .where(liveKeyCondition(now))
    .executeTakeFirst();
  if (!live) throw credentialRevoked();
}
