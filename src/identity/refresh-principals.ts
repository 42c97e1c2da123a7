import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Account, Guest } from '../access/index.ts';
import type { Plan, Scope } from '../contract/index.ts';
import type { IdentityContext } from './context.ts';
import { liveKeyCondition } from './keys/authenticate-key.ts';
import { liveSessionCondition } from './sessions/browser-sessions.ts';
import type { IdentityTables } from './tables.ts';

type Caller = Account | Guest;

interface LiveRow {
  readonly place: number;
  readonly account_id: string | null;
  readonly email: string;
  readonly email_verified: boolean;
  readonly plan: Plan;
  readonly administrator: boolean;
  readonly scopes: Scope[] | null;
}

/**
 * Returns the current principal of each caller, in their order, or null if its credential is no longer valid or its
 * account is locked. One statement checks all of them. It does not record a use of the credentials.
 */
export async function refreshPrincipals(
  { database, clock }: Pick<IdentityContext, 'database' | 'clock'>,
  callers: readonly Caller[],
): Promise<(Caller | null)[]> {
  if (callers.length === 0) return [];
  const now = clock.now();
  const given = callers.map((caller, place) =>
    caller.kind === 'guest'
      ? { place, credential: 'guest', id: caller.guestId, account_id: null, under: null }
      : {
          place,
          credential: caller.credential,
          id: caller.credentialId,
          account_id: caller.accountId,
          under: caller.dependsOn ?? null,
        },
  );
  const { rows } = await sql<LiveRow>`
    SELECT given.place, account.id AS account_id, email, email_verified, plan, administrator, api_key.scopes
    FROM json_to_recordset(${JSON.stringify(given)}::json)
      AS given(place int, credential text, id text, account_id text, under text)
    LEFT JOIN account ON account.id = given.account_id AND account.locked_at IS NULL
    LEFT JOIN api_key ON credential = 'key' AND api_key.id = given.id AND api_key.account_id = account.id
      AND ${liveKey(now)}
    LEFT JOIN browser_session ON credential = 'session' AND browser_session.id = given.id
      AND browser_session.account_id = account.id AND ${liveSession(now)}
    WHERE CASE credential
      WHEN 'key' THEN api_key.id IS NOT NULL
      WHEN 'session' THEN browser_session.id IS NOT NULL
      WHEN 'guest' THEN EXISTS (SELECT FROM guest_session WHERE guest_session.id = given.id AND expires_at > ${now})
      WHEN 'oauth' THEN account.id IS NOT NULL AND (
        EXISTS (
          SELECT FROM oauth_record AS held
          WHERE model = 'Grant' AND held.id = under AND held.account_id = account.id AND expires_at > ${now}
        ) OR EXISTS (SELECT FROM outside_identity AS link WHERE link.id = under AND link.account_id = account.id))
      ELSE false END`.execute(database.query());
  const live = new Map(rows.map((row) => [row.place, row]));
  return callers.map((caller, place) => {
    const row = live.get(place);
    if (row === undefined) return null;
    if (caller.kind === 'guest') return caller;
    const { credentialExpiresAt: expiresAt } = caller;
    if (row.account_id === null || (expiresAt !== null && expiresAt <= now)) return null;
    const { email, email_verified: emailVerified, plan, administrator } = row;
    return { ...caller, email, emailVerified, plan, administrator, scopes: row.scopes ?? caller.scopes };
  });
}

function liveKey(now: Date): Expression<SqlBool> {
  return liveKeyCondition(now)(expressionBuilder<IdentityTables, 'api_key'>());
}

function liveSession(now: Date): Expression<SqlBool> {
  return liveSessionCondition(now)(expressionBuilder<IdentityTables, 'browser_session'>());
}
