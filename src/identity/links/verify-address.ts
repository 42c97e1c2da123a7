import type { Transaction } from '../../platform/index.ts';
import type { Origin } from '../security-events/origin.ts';
import { recordSecurityEvent } from '../security-events/record-event.ts';
import type { IdentityTables } from '../tables.ts';
import { closeAccountLinks } from './close-links.ts';

export interface Verification {
  readonly accountId: string;
  readonly email: string;
  readonly now: Date;
  readonly origin?: Origin | undefined;
}

/** Marks the address of an account as its own, and as one that mails reach. False when it was so before, or is another one by now. */
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
