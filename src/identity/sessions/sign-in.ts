import { count, type Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { isRightPassword } from '../passwords.ts';
import { recordFailedSignIn } from '../security-events/record-failure.ts';
import type { AccountTable, IdentityTables } from '../tables.ts';
import { type SignIn, startSession } from './start-session.ts';

export interface SignInRequest {
  readonly email: string;
  readonly password: string;
  readonly userAgent: string | null;
  /** Where it comes from, for the account's list of events. */
  readonly network?: string | null;
}

/** Starts a session for the right password; null for a wrong one, an unknown address or an account without one. */
export async function signIn(context: IdentityContext, request: SignInRequest): Promise<SignIn | null> {
  const session = await trySignIn(context, request);
  count('sign_ins_total', { outcome: session === null ? 'refused' : 'signed_in' });
  return session;
}

async function trySignIn(context: IdentityContext, request: SignInRequest): Promise<SignIn | null> {
  const account = await context.database
    .query<IdentityTables>()
    .selectFrom('account')
    .select(['id', 'email', 'password_hash'])
    .where('email', '=', request.email.toLowerCase())
    .executeTakeFirst();
  const origin = { network: request.network ?? null, userAgent: request.userAgent };
  if (!(await isRightPassword(request.password, account?.password_hash))) {
    await recordFailedSignIn(context, request.email, origin);
    return null;
  }
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const current = account && (await holdPassword(tx, account));
    return current ? startSession(tx, current, { now, origin, by: 'password' }) : null;
  });
}

/**
 * The account, if its password is still the one that was checked, and keeps it so until the transaction ends: a reset
 * that ends every session must not be followed by one that the old password started.
 */
function holdPassword(tx: Transaction, { id, password_hash }: Pick<AccountTable, 'id' | 'password_hash'>) {
  return tx
    .query<IdentityTables>()
    .selectFrom('account')
    .select(['id', 'email'])
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .forShare()
    .executeTakeFirst();
}
