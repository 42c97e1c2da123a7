import { email as emailSchema } from '../../contract/index.ts';
import type { Executor, Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { invalidEmail } from '../faults.ts';
import { closeAccountLinks } from '../links/close-links.ts';
import { type Origin, recordSecurityEvent } from '../security-events.ts';
import type { IdentityTables } from '../tables.ts';
import { lockAccount, requireAccount } from './accounts.ts';

/** Checks an address and returns it in lower case, as it is stored. */
export function checkAddress(email: string): string {
  const address = emailSchema().safeParse(email);
  if (!address.success) throw invalidEmail();
  return address.data;
}

interface Verification {
  readonly accountId: string;
  readonly email: string;
  readonly now: Date;
  readonly origin?: Origin | undefined;
}

/**
 * Marks the address of an account as verified and clears its bounce. Returns false if the address was already verified
 * without a bounce, or if the account now has another address.
 */
export async function verifyAddress(
  tx: Transaction,
  { accountId, email, now, origin }: Verification,
): Promise<boolean> {
  const verified = await tx
    .query<IdentityTables>()
    .updateTable('account')
    .set({ email_verified: true, bounced_at: null, updated_at: now })
    .where('id', '=', accountId)
    .where('email', '=', email)
    .where((where) => where.or([where('email_verified', '=', false), where('bounced_at', 'is not', null)]))
    .returning('id')
    .executeTakeFirst();
  if (!verified) return false;
  await closeAccountLinks(tx, { email, now, kinds: ['verify_email'] });
  await recordSecurityEvent(tx, { accountId, kind: 'email_verified', at: now, origin });
  return true;
}

/** Marks an address as verified at the request of the operator. Safe to repeat. */
export async function markVerified(
  context: IdentityContext,
  email: string,
): Promise<{ id: string; email: string; verified: true }> {
  const account = await requireAccount(context.database, email);
  const now = context.clock.now();
  await context.database.transaction(async (tx) => {
    await lockAccount(tx, account.id);
    await verifyAddress(tx, { accountId: account.id, email: account.email, now });
  });
  return { ...account, verified: true };
}

/**
 * Records that an email to the address was rejected permanently. The address stays verified, because a mail server can be
 * wrong, but screener emails stop until it is verified again. Returns false if the account now has another address, or
 * if a bounce was already recorded.
 */
export async function recordBounce(
  executor: Executor,
  { accountId, email, now }: { readonly accountId: string; readonly email: string; readonly now: Date },
): Promise<boolean> {
  const recorded = await executor
    .query<IdentityTables>()
    .updateTable('account')
    .set({ bounced_at: now, updated_at: now })
    .where('id', '=', accountId)
    .where('email', '=', email)
    .where('bounced_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return recorded !== undefined;
}

/** Returns when an email to the account's address first bounced, or null if none has. */
export async function readBouncedAt(executor: Executor, accountId: string): Promise<Date | null> {
  const account = await executor
    .query<IdentityTables>()
    .selectFrom('account')
    .select('bounced_at')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account?.bounced_at ?? null;
}
