import { type RawBuilder, sql } from 'kysely';
import { newId } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import type { Origin } from './origin.ts';
import { shortAgent } from './record-event.ts';

/** Notes a failed sign-in at the account with this address, if there is one. */
export async function recordFailedSignIn(context: IdentityContext, email: string, origin: Origin): Promise<void> {
  await recordFailure(context, 'sign_in_failed', sql`email = ${email.toLowerCase()}`, origin);
}

/** Notes that somebody who was signed in did not know the present password. */
export async function recordFailedPasswordChange(
  context: IdentityContext,
  accountId: string,
  origin: Origin | undefined,
): Promise<void> {
  await recordFailure(context, 'password_change_failed', sql`id = ${accountId}`, origin);
}

/**
 * Asked in the same way whether or not there is such an account, and without waiting for the disk, so that the time it
 * takes does not tell. A minute of guessing is one row (a unique index sees to it).
 */
async function recordFailure(
  context: IdentityContext,
  kind: 'sign_in_failed' | 'password_change_failed',
  whose: RawBuilder<unknown>,
  origin: Origin | undefined,
): Promise<void> {
  const now = context.clock.now();
  await context.database.transaction(async (tx) => {
    await sql`SET LOCAL synchronous_commit = off`.execute(tx.query());
    await sql`
      INSERT INTO security_event (id, account_id, kind, at, network, user_agent, details)
      SELECT ${newId('sev', now.getTime())}, id, ${kind}::text, ${now}::timestamptz, ${origin?.network ?? null}::text,
        ${shortAgent(origin?.userAgent)}::text, '{}'::jsonb
      FROM account WHERE ${whose}
      ON CONFLICT (account_id, kind, date_trunc('minute', at AT TIME ZONE 'UTC'))
        WHERE kind IN ('sign_in_failed', 'password_change_failed') DO NOTHING
    `.execute(tx.query());
  });
}
