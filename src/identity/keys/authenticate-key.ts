import { type Expression, type ExpressionBuilder, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Account } from '../../access/index.ts';
import { compileOnce, skipIfDiskFull } from '../../platform/index.ts';
import { ACCOUNT_COLUMNS, buildPrincipal, LAST_USE_PRECISION_MS } from '../accounts/accounts.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret, isWellFormedSecret } from '../secrets.ts';
import type { IdentityTables } from '../tables.ts';

const selectLiveKey = compileOnce((db: Kysely<IdentityTables>, { hash, now }: { hash: string; now: Date }) =>
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
    .where('account.locked_at', 'is', null)
    .where(liveKeyCondition(now)),
);

/** Returns the account of an API key, or null if the key is unknown, revoked or expired, or the account is locked. */
export async function authenticateKey(context: IdentityContext, key: string): Promise<Account | null> {
  if (!isWellFormedSecret(key, 'alm_pat_') && !isWellFormedSecret(key, 'alm_svc_')) return null;
  const now = context.clock.now();
  const [row] = await selectLiveKey(context.database, { hash: hashSecret(key), now });
  if (!row) return null;
  const stale = new Date(now.getTime() - LAST_USE_PRECISION_MS);
  if (!row.last_used_at || row.last_used_at < stale) await skipIfDiskFull(recordUse(context, row.key_id, now, stale));
  return buildPrincipal(row, {
    credential: 'key',
    credentialId: row.key_id,
    credentialExpiresAt: row.expires_at,
    ...(row.made_under !== null && { dependsOn: row.made_under }),
    scopes: row.scopes,
  });
}

async function recordUse(context: IdentityContext, keyId: string, now: Date, stale: Date): Promise<void> {
  await context.database
    .query<IdentityTables>()
    .updateTable('api_key')
    .set({ last_used_at: now })
    .where('id', '=', keyId)
    // Of several concurrent requests, one writes; the others match no row.
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', stale)]))
    .execute();
}

/**
 * Returns the SQL condition that a key is neither revoked nor expired, and that the grant or link it depends on exists.
 */
export function liveKeyCondition(now: Date) {
  return (eb: ExpressionBuilder<IdentityTables, 'api_key'>): Expression<SqlBool> =>
    eb.and([
      eb('api_key.revoked_at', 'is', null),
      eb.or([eb('api_key.expires_at', 'is', null), eb('api_key.expires_at', '>', now)]),
      eb.or([eb('api_key.made_under', 'is', null), dependencyExists('api_key.made_under', now)]),
    ]);
}

/**
 * Returns the SQL condition that a grant or link exists. It is checked on every use, so that ending a grant or link also
 * ends the keys that depend on it, even a key that is created at the same time.
 *
 * @param column the column with the id of the grant or link
 */
function dependencyExists(column: string, now: Date): Expression<SqlBool> {
  const id = sql.ref(column);
  return sql<SqlBool>`(
    EXISTS (SELECT FROM oauth_record WHERE model = 'Grant' AND id = ${id} AND expires_at > ${now})
    OR EXISTS (SELECT FROM outside_identity WHERE id = ${id})
  )`;
}

/**
 * Returns the SQL condition that the credential with which a row was created is still valid: the key in one column, and
 * the grant or link in the other. A column without a value, as after a request of a browser session, requires nothing.
 */
export function liveCreatorCondition(
  columns: { readonly madeBy: string; readonly madeUnder: string },
  now: Date,
): Expression<SqlBool> {
  const [madeBy, madeUnder] = [sql.ref(columns.madeBy), sql.ref(columns.madeUnder)];
  const isLive = liveKeyCondition(now)(expressionBuilder<IdentityTables, 'api_key'>());
  return sql<SqlBool>`(
    (${madeBy} IS NULL OR EXISTS (SELECT FROM api_key WHERE api_key.id = ${madeBy} AND ${isLive}))
    AND (${madeUnder} IS NULL OR ${dependencyExists(columns.madeUnder, now)})
  )`;
}
