import { type Insertable, type RawBuilder, sql } from 'kysely';
import { type Executor, newId } from '../platform/index.ts';
import type { IdentityContext } from './context.ts';
import type { IdentityTables, SecurityEventTable } from './tables.ts';

/** The origin of a request, as security events store it: the user agent and the network, but not the full address. */
export interface Origin {
  /** The network, such as 192.0.2.0/24 or 2001:db8:1::/48. */
  readonly network: string | null;
  readonly userAgent: string | null;
}

export interface NewSecurityEvent {
  readonly accountId: string;
  readonly kind: SecurityEventTable['kind'];
  readonly at: Date;
  /** Absent for the command line and workers. */
  readonly origin?: Origin | undefined;
  readonly details?: Readonly<Record<string, string>>;
}

/**
 * Records a security event of an account, in the same transaction as the change that it is about.
 *
 * @example await recordSecurityEvent(tx, { accountId, kind: 'key_created', at: now, details: { key_id: id } });
 */
export async function recordSecurityEvent(executor: Executor, event: NewSecurityEvent): Promise<void> {
  await recordSecurityEvents(executor, [event]);
}

/** Keeps each statement below the maximum number of parameters. */
const EVENTS_PER_STATEMENT = 1_000;

/** Records security events, which can belong to many accounts. */
export async function recordSecurityEvents(executor: Executor, events: readonly NewSecurityEvent[]): Promise<void> {
  for (let done = 0; done < events.length; done += EVENTS_PER_STATEMENT) {
    const rows = events.slice(done, done + EVENTS_PER_STATEMENT).map(eventRow);
    await executor.query<IdentityTables>().insertInto('security_event').values(rows).execute();
  }
}

function eventRow({ accountId, kind, at, origin, details = {} }: NewSecurityEvent): Insertable<SecurityEventTable> {
  return {
    id: newId('sev', at.getTime()),
    account_id: accountId,
    kind,
    at,
    network: origin?.network ?? null,
    user_agent: shortenUserAgent(origin?.userAgent),
    details,
  };
}

/** Shortens a user agent to the length that is stored. */
export function shortenUserAgent(userAgent: string | null | undefined): string | null {
  return userAgent?.slice(0, 300) ?? null;
}

/** Records a failed sign-in of the account with this address, if there is one. */
export async function recordFailedSignIn(context: IdentityContext, email: string, origin: Origin): Promise<void> {
  await recordFailure(context, 'sign_in_failed', sql`email = ${email.toLowerCase()}`, origin);
}

/** Records that a signed-in account sent a wrong current password. */
export async function recordFailedPasswordChange(
  context: IdentityContext,
  accountId: string,
  origin: Origin | undefined,
): Promise<void> {
  await recordFailure(context, 'password_change_failed', sql`id = ${accountId}`, origin);
}

/**
 * Runs the same statement whether or not the account exists, and does not wait for the disk, so that the response time
 * does not reveal whether the account exists. A unique index limits the events of each kind to one a minute per
 * account.
 */
async function recordFailure(
  context: IdentityContext,
  kind: 'sign_in_failed' | 'password_change_failed',
  condition: RawBuilder<unknown>,
  origin: Origin | undefined,
): Promise<void> {
  const now = context.clock.now();
  await context.database.transaction(async (tx) => {
    await sql`SET LOCAL synchronous_commit = off`.execute(tx.query());
    await sql`
      INSERT INTO security_event (id, account_id, kind, at, network, user_agent, details)
      SELECT ${newId('sev', now.getTime())}, id, ${kind}::text, ${now}::timestamptz, ${origin?.network ?? null}::text,
        ${shortenUserAgent(origin?.userAgent)}::text, '{}'::jsonb
      FROM account WHERE ${condition}
      ON CONFLICT (account_id, kind, date_trunc('minute', at AT TIME ZONE 'UTC'))
        WHERE kind IN ('sign_in_failed', 'password_change_failed') DO NOTHING
    `.execute(tx.query());
  });
}

export type ListedSecurityEvent = Omit<SecurityEventTable, 'account_id' | 'sequence'>;

/**
 * Returns the latest events of an account, newest first, or with `before` those that are older than the event with that
 * id.
 */
export async function listSecurityEvents(
  context: IdentityContext,
  accountId: string,
  { limit, before = null }: { readonly limit: number; readonly before?: string | null },
): Promise<ListedSecurityEvent[]> {
  let select = context.database
    .query<IdentityTables>()
    .selectFrom('security_event')
    .select(['id', 'kind', 'at', 'network', 'user_agent', 'details'])
    .where('account_id', '=', accountId);
  if (before !== null) {
    select = select.where('sequence', '<', (eb) =>
      eb.selectFrom('security_event').select('sequence').where('account_id', '=', accountId).where('id', '=', before),
    );
  }
  return select.orderBy('sequence', 'desc').limit(limit).execute();
}
