import { email as emailSchema } from '../../contract/index.ts';
import type { Executor, Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { invalidEmail } from '../faults.ts';
import { closeAccountLinks } from '../links/close-links.ts';
import { type Origin, recordSecurityEvent } from '../security-events.ts';
import type { IdentityTables } from '../tables.ts';
import { lockAccount, requireAccount } from './accounts.ts';

/** Checks an address and returns it in the form in which it is stored. */
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
 * Marks the address of an account as verified and as reachable by mail. Returns false when it was so already, or when the
 * account has another address by now.
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

/** Marks an address as verified on the operator's word. Safe to repeat. */
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
 * Records that a mail to the address was rejected permanently. The address stays verified, because a mail server can be
 * wrong, but unsolicited mails should stop until it is verified again. Returns false when the account has another address
 * by now, or when a bounce was recorded before.
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

/** Returns since when mails to the account's address bounce; null: they do not. */
export async function readBouncedAt(executor: Executor, accountId: string): Promise<Date | null> {
  const account = await executor
    .query<IdentityTables>()
    .selectFrom('account')
    .select('bounced_at')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account?.bounced_at ?? null;
}
