import { lockAccount } from '../accounts/lock-account.ts';
import type { IdentityContext } from '../context.ts';
import type { Origin } from '../security-events/origin.ts';
import { findOpenLink } from './read-link.ts';
import { useLink } from './use-link.ts';
import { verifyAddress } from './verify-address.ts';

/** Takes it that whoever has the link has the mailbox. Null when the link is not good any more. */
export async function redeemVerification(
  context: IdentityContext,
  secret: string,
  origin?: Origin,
): Promise<{ email: string } | null> {
  const found = await findOpenLink(context, secret);
  const accountId = found?.account_id;
  if (!accountId) return null;
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    // The account first, as everywhere: two that lock in different orders wait for each other.
    await lockAccount(tx, accountId);
    const link = await useLink(tx, { secret, kind: 'verify_email', now });
    if (!link) return null;
    const { email } = link;
    return (await verifyAddress(tx, { accountId, email, now, origin })) ? { email } : null;
  });
}
