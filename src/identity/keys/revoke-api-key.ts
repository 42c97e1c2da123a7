import { sql } from 'kysely';
import { SCOPES, type Scope } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { lockAccount } from '../accounts/accounts.ts';
import type { IdentityContext } from '../context.ts';
import { type Origin, recordSecurityEvent } from '../security-events.ts';
import type { IdentityTables } from '../tables.ts';
import { liveKeyCondition } from './authenticate-key.ts';

interface Revocation {
  readonly keyId: string;
  /** If given, the key is revoked only if it belongs to this account. */
  readonly accountId?: string;
  /** If given, the key is revoked only if it has no scopes other than these. */
  readonly withinScopes?: readonly Scope[];
  readonly origin?: Origin;
}

/**
 * Revokes a key immediately, and every key that was created with it, because a thief may have created some. Returns false
 * if there is no such live key, or if the restrictions exclude it.
 */
export async function revokeApiKey(context: IdentityContext, revocation: Revocation): Promise<boolean> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const key = await findRevocable(tx, revocation, now);
    if (!key) return false;
    // Creating a key takes the same lock. A key that is being created with this key is either found here or refused
    // later.
    await lockAccount(tx, key.account_id);
    const { rows } = await sql<{ id: string }>`
      WITH RECURSIVE line AS (
        SELECT id FROM api_key WHERE id = ${key.id} AND revoked_at IS NULL
        UNION ALL
        SELECT made.id FROM api_key AS made JOIN line ON made.made_by = line.id
      )
      UPDATE api_key SET revoked_at = ${now} FROM line
      WHERE api_key.id = line.id AND api_key.revoked_at IS NULL
      RETURNING api_key.id
    `.execute(tx.query());
    if (rows.length === 0) return false;
    const details = { key_id: key.id, keys: String(rows.length) };
    const { origin } = revocation;
    await recordSecurityEvent(tx, { accountId: key.account_id, kind: 'key_revoked', at: now, origin, details });
    return true;
  });
}

function findRevocable(executor: Executor, { keyId, accountId, withinScopes }: Revocation, now: Date) {
  const beyond = SCOPES.filter((scope) => withinScopes && !withinScopes.includes(scope));
  let select = executor
    .query<IdentityTables>()
    .selectFrom('api_key')
    .select(['id', 'account_id'])
    .where('id', '=', keyId)
    .where(liveKeyCondition(now));
  if (accountId !== undefined) select = select.where('account_id', '=', accountId);
  for (const scope of beyond) select = select.where((eb) => eb.not(eb(eb.val(scope), '=', eb.fn.any('scopes'))));
  return select.executeTakeFirst();
}
