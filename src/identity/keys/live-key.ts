import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { IdentityTables } from '../tables.ts';

/** The condition that a key can still be used: neither revoked nor expired, and what it stands on is still there. */
export function isLiveKey(now: Date) {
  return (eb: ExpressionBuilder<IdentityTables, 'api_key'>): Expression<SqlBool> =>
    eb.and([
      eb('api_key.revoked_at', 'is', null),
      eb.or([eb('api_key.expires_at', 'is', null), eb('api_key.expires_at', '>', now)]),
      eb.or([eb('api_key.made_under', 'is', null), standsOnSomething(now)]),
    ]);
}

/**
 * Looked up at every use, so that whatever ends a grant or a link (and there is a lot) ends the keys that were made
 * under it, too, also one that is made at that very moment.
 */
function standsOnSomething(now: Date): Expression<SqlBool> {
  return sql<SqlBool>`(
    EXISTS (SELECT FROM oauth_record WHERE model = 'Grant' AND id = api_key.made_under AND expires_at > ${now})
    OR EXISTS (SELECT FROM outside_identity WHERE id = api_key.made_under)
  )`;
}
