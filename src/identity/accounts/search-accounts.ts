import { sql } from 'kysely';
import type { z } from 'zod';
import { type AccountState, type AdministeredAccount, canonicalJson, type Plan } from '../../contract/index.ts';
import { type Executor, type PageRequest, readNewestFirst, type SigningKeys } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { accountIdUnknown } from '../faults.ts';
import { liveKeyCondition } from '../keys/authenticate-key.ts';
import { listGrants } from '../oauth/grants.ts';
import { liveSessionCondition } from '../sessions/browser-sessions.ts';
import type { AccountTable, IdentityTables } from '../tables.ts';

export type AdministeredView = z.input<typeof AdministeredAccount>;

export interface AccountSearch extends PageRequest {
  /** A part of the address, in any case. */
  readonly q?: string | undefined;
  readonly plan?: Plan | undefined;
  readonly state?: AccountState | undefined;
}

type Row = Pick<AccountTable, 'id' | 'email' | 'email_verified' | 'plan' | 'administrator' | 'created_at'> & {
  readonly locked_at: Date | null;
  readonly last_sign_in_at: Date | null;
};

/** Returns a page of the accounts that meet the criteria, newest first. */
export async function searchAccounts(
  { database, cursorKey }: Pick<IdentityContext, 'database'> & { readonly cursorKey: () => Promise<SigningKeys> },
  { q, plan, state, ...page }: AccountSearch,
): Promise<{ accounts: AdministeredView[]; nextCursor: string | null }> {
  const criteria = { q: q?.toLowerCase() ?? null, plan: plan ?? null, state: state ?? null };
  let query = selectAccounts(database);
  if (q !== undefined) query = query.where(sql<boolean>`position(${criteria.q}::text IN email) > 0`);
  if (plan !== undefined) query = query.where('plan', '=', plan);
  if (state === 'locked') query = query.where('locked_at', 'is not', null);
  if (state === 'active') query = query.where('locked_at', 'is', null);
  if (state === 'unverified') query = query.where('email_verified', '=', false);
  if (state === 'administrator') query = query.where('administrator', '=', true);
  const list = canonicalJson({ list: 'accounts', ...criteria });
  const { rows, nextCursor } = await readNewestFirst(await cursorKey(), list, page, query);
  return { accounts: rows.map(viewAccount), nextCursor };
}

/** Returns the account with this id, with the numbers of its credentials. Throws a fault if there is none. */
export async function readAdministered(
  { database, clock }: Pick<IdentityContext, 'database' | 'clock'>,
  accountId: string,
): Promise<{ account: AdministeredView; apiKeys: number; sessions: number; applications: number }> {
  const row = await selectAccounts(database).where('id', '=', accountId).executeTakeFirst();
  if (row === undefined) throw accountIdUnknown();
  const now = clock.now();
  const db = database.query<IdentityTables>();
  const countAll = () => sql<number>`count(*)::int`.as('found');
  const keys = await db
    .selectFrom('api_key')
    .select(countAll)
    .where('account_id', '=', accountId)
    .where(liveKeyCondition(now))
    .executeTakeFirstOrThrow();
  const sessions = await db
    .selectFrom('browser_session')
    .select(countAll)
    .where('account_id', '=', accountId)
    .where(liveSessionCondition(now))
    .executeTakeFirstOrThrow();
  const grants = await listGrants({ database, clock }, accountId);
  return { account: viewAccount(row), apiKeys: keys.found, sessions: sessions.found, applications: grants.length };
}

/** Counts the accounts, the locked ones and the administrators that can act. */
export async function countAccounts(
  executor: Executor,
): Promise<{ readonly total: number; readonly locked: number; readonly administrators: number }> {
  return executor
    .query<IdentityTables>()
    .selectFrom('account')
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`count(*) FILTER (WHERE locked_at IS NOT NULL)::int`.as('locked'),
      sql<number>`count(*) FILTER (WHERE administrator AND email_verified AND locked_at IS NULL)::int`.as(
        'administrators',
      ),
    ])
    .executeTakeFirstOrThrow();
}

function selectAccounts(executor: Executor) {
  return executor
    .query<IdentityTables>()
    .selectFrom('account')
    .select(['id', 'email', 'email_verified', 'plan', 'administrator', 'locked_at', 'created_at'])
    .select(
      sql<Date | null>`(
        SELECT at FROM security_event AS event WHERE event.account_id = account.id AND event.kind = 'signed_in'
        ORDER BY sequence DESC LIMIT 1
      )`.as('last_sign_in_at'),
    );
}

function viewAccount({ locked_at, last_sign_in_at, created_at, ...row }: Row): AdministeredView {
  return {
    ...row,
    locked: locked_at !== null,
    locked_at: locked_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    last_sign_in_at: last_sign_in_at?.toISOString() ?? null,
  };
}
