import type { IdentityContext } from '../context.ts';
import { recordSecurityEvent } from '../security-events/record-event.ts';
import type { IdentityTables } from '../tables.ts';

/**
 * Forgets whom of an issuer an account belongs to. The next token that carries the account's address, verified, links
 * it anew: for a person who has become another subject at the issuer. False when nobody was linked.
 */
export function unlinkIdentity(context: IdentityContext, accountId: string, issuer: string): Promise<boolean> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const removed = await tx
      .query<IdentityTables>()
      .deleteFrom('outside_identity')
      .where('account_id', '=', accountId)
      .where('issuer', '=', issuer)
      .returning('subject')
      .executeTakeFirst();
    if (!removed) return false;
    await recordSecurityEvent(tx, { accountId, kind: 'outside_identity_unlinked', at: now, details: { issuer } });
    return true;
  });
}
