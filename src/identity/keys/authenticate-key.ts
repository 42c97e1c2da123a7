import type { Kysely } from 'kysely';
import type { Account } from '../../access/index.ts';
import { compileOnce } from '../../platform/index.ts';
import { ACCOUNT_COLUMNS, accountPrincipal } from '../account-principal.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret, isWellFormedSecret } from '../secrets.ts';
import type { IdentityTables } from '../tables.ts';
import { isLiveKey } from './live-key.ts';

/** How stale a shown last use may be: the price of not writing on every request. */
const LAST_USE_PRECISION_MS = 5 * 60_000;

const liveKey = compileOnce((db: Kysely<IdentityTables>, { hash, now }: { hash: string; now: Date }) =>
  db
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.account_id')
    .select([
      'api_key.id as key_id',
      'api_key.scopes',
      'api_key.expires_at',
      'api_key.last_used_at',
      'api_key.made_under',
      ...ACCOUNT_COLUMNS,
    ])
    .where('api_key.secret_hash', '=', hash)
    .where(isLiveKey(now)),
);

/** The account behind an API key, or null when the key is not one of ours, revoked or expired. */
export async function authenticateKey(context: IdentityContext, key: string): Promise<Account | null> {
  if (!isWellFormedSecret(key, 'alm_pat_') && !isWellFormedSecret(key, 'alm_svc_')) return null;
  const now = context.clock.now();
  const [row] = await liveKey(context.database, { hash: hashSecret(key), now });
  if (!row) return null;
  const stale = new Date(now.getTime() - LAST_USE_PRECISION_MS);
  if (!row.last_used_at || row.last_used_at < stale) await recordUse(context, row.key_id, now, stale);
  return accountPrincipal(row, {
    credential: 'key',
    credentialId: row.key_id,
    credentialExpiresAt: row.expires_at,
    ...(row.made_under !== null && { standsOn: row.made_under }),
    scopes: row.scopes,
  });
}

async function recordUse(context: IdentityContext, keyId: string, now: Date, stale: Date): Promise<void> {
  await context.database
    .query<IdentityTables>()
    .updateTable('api_key')
    .set({ last_used_at: now })
    .where('id', '=', keyId)
    // Of many concurrent first requests one writes; the others find nothing to do.
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', stale)]))
    .execute();
}
