import { SCOPES, type Scope } from '../../contract/index.ts';
import type { IdentityContext } from '../context.ts';
import type { IdentityTables } from '../tables.ts';
import { isLiveKey } from './live-key.ts';

export interface Revocation {
  readonly keyId: string;
  /** Only a key of this account; absent: whoever's it is. */
  readonly accountId?: string;
  /** Only a key that carries no scope beyond these. */
  readonly withinScopes?: readonly Scope[];
}

/** Ends a key at once. False when there is no such live key within the bounds. */
export async function revokeApiKey(context: IdentityContext, revocation: Revocation): Promise<boolean> {
  const now = context.clock.now();
  const beyond = SCOPES.filter((scope) => revocation.withinScopes && !revocation.withinScopes.includes(scope));
  let update = context.database
    .query<IdentityTables>()
    .updateTable('api_key')
    .set({ revoked_at: now })
    .where('id', '=', revocation.keyId)
    .where(isLiveKey(now));
  if (revocation.accountId !== undefined) update = update.where('account_id', '=', revocation.accountId);
  for (const scope of beyond) update = update.where((eb) => eb.not(eb(eb.val(scope), '=', eb.fn.any('scopes'))));
  const revoked = await update.returning('id').executeTakeFirst();
  return revoked !== undefined;
}
