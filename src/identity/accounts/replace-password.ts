import type { Transaction } from '../../platform/index.ts';
import { closeAccountLinks } from '../links/close-links.ts';
import { revokeGrants } from '../oauth/grants.ts';
import { removeSessions } from '../sessions/end-session.ts';
import type { IdentityTables } from '../tables.ts';

/**
 * Stores a new password, and ends what the old one may have opened for somebody else: the other sessions, what
 * applications were granted, and links to choose yet another one. Call it with the account locked.
 */
export async function replacePassword(
  tx: Transaction,
  { id, email }: { readonly id: string; readonly email: string },
  change: { readonly passwordHash: string; readonly keptSessionId: string | null; readonly now: Date },
): Promise<void> {
  const { passwordHash, keptSessionId, now } = change;
  await tx
    .query<IdentityTables>()
    .updateTable('account')
    .set({ password_hash: passwordHash, updated_at: now })
    .where('id', '=', id)
    .execute();
  await removeSessions(tx, { accountId: id, keptSessionId, now });
  await revokeGrants(tx, id);
  await closeAccountLinks(tx, { email, now, kinds: ['reset_password'] });
}
