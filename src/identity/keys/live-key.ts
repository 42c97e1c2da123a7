import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { IdentityTables } from '../tables.ts';

/** The condition that a key can still be used: neither revoked nor expired. */
export function isLiveKey(now: Date) {
  return (eb: ExpressionBuilder<IdentityTables, 'api_key'>): Expression<SqlBool> =>
    eb.and([
      eb('api_key.revoked_at', 'is', null),
      eb.or([eb('api_key.expires_at', 'is', null), eb('api_key.expires_at', '>', now)]),
    ]);
}
