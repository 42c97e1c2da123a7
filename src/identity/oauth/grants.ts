import type { Executor, Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { type Origin, recordSecurityEvent } from '../security-events.ts';
import type { OAuthTables } from './tables.ts';

/** A grant in the list of an account. */
export interface ListedGrant {
  readonly id: string;
  readonly clientName: string;
  readonly createdAt: Date;
  /** Accurate to five minutes; null if the grant was not used yet. */
  readonly lastUsedAt: Date | null;
}

/** Returns the live grants of an account, newest first. */
export async function listGrants(
  { database, clock }: Pick<IdentityContext, 'database' | 'clock'>,
  accountId: string,
): Promise<ListedGrant[]> {
  const rows = await database
    .query<OAuthTables>()
    .selectFrom('oauth_record')
    .innerJoin('oauth_client', 'oauth_client.id', 'oauth_record.client_id')
    .select(['oauth_record.id', 'oauth_client.name', 'oauth_record.created_at', 'oauth_record.last_used_at'])
    .where('oauth_record.model', '=', 'Grant')
    .where('oauth_record.account_id', '=', accountId)
    .where('oauth_record.expires_at', '>', clock.now())
    .orderBy('oauth_record.created_at', 'desc')
    .orderBy('oauth_record.id', 'desc')
    .limit(200)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    clientName: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** Ends a grant of an account, and every token under it, immediately. Returns false if there is no such grant. */
export async function revokeGrant(
  context: IdentityContext,
  accountId: string,
  id: string,
  origin?: Origin,
): Promise<boolean> {
  return endGrant(context, id, { kind: 'grant_revoked', accountId, origin });
}

/** Ends every grant of an account. The calling function must record the event. Returns the number of grants. */
export async function revokeGrants(executor: Executor, accountId: string): Promise<number> {
  const removed = await executor
    .query<OAuthTables>()
    .deleteFrom('oauth_record')
    .where('account_id', '=', accountId)
    .returning('model')
    .execute();
  return removed.filter(({ model }) => model === 'Grant').length;
}

interface GrantEnd {
  readonly kind: 'grant_revoked' | 'token_reuse_detected';
  /** If given, the grant is ended only if it belongs to this account. */
  readonly accountId?: string | undefined;
  readonly origin?: Origin | undefined;
}

/** Ends a grant and its tokens, and records one event, even if several requests end the grant at the same time. */
export async function endGrant(context: IdentityContext, grantId: string, end: GrantEnd): Promise<boolean> {
  return context.database.transaction(async (tx) => {
    const grant = await lockGrant(tx, grantId, end.accountId);
    if (!grant?.account_id) return false;
    await tx.query<OAuthTables>().deleteFrom('oauth_record').where('grant_id', '=', grantId).execute();
    await recordSecurityEvent(tx, {
      accountId: grant.account_id,
      kind: end.kind,
      at: context.clock.now(),
      origin: end.origin,
      details: { grant_id: grantId, client: grant.name },
    });
    return true;
  });
}

/** Locks the grant, so that a second request to end it waits and then finds no grant. */
async function lockGrant(tx: Transaction, grantId: string, accountId: string | undefined) {
  let select = tx
    .query<OAuthTables>()
    .selectFrom('oauth_record')
    .innerJoin('oauth_client', 'oauth_client.id', 'oauth_record.client_id')
    .select(['oauth_record.account_id', 'oauth_client.name'])
    .where('oauth_record.model', '=', 'Grant')
    .where('oauth_record.id', '=', grantId);
  if (accountId !== undefined) select = select.where('oauth_record.account_id', '=', accountId);
  return select.forUpdate('oauth_record').executeTakeFirst();
}
