import { Fault } from '../../contract/index.ts';
import type { IdentityContext } from '../context.ts';
import type { Origin } from '../security-events/origin.ts';
import type { IdentityTables } from '../tables.ts';
import { requestLink } from './new-link.ts';

/**
 * Has a mail sent that verifies the address of an account. One that is verified already is a CONFLICT, unless mails to it
 * have come back.
 */
export async function requestVerification(
  context: IdentityContext,
  request: { readonly accountId: string; readonly origin?: Origin | undefined },
): Promise<void> {
  const { accountId, origin } = request;
  await context.database.transaction(async (tx) => {
    const account = await tx
      .query<IdentityTables>()
      .selectFrom('account')
      .select(['email', 'email_verified', 'bounced_at'])
      .where('id', '=', accountId)
      .executeTakeFirst();
    if (!account) throw new Fault('NOT_FOUND', 'There is no such account.');
    if (account.email_verified && account.bounced_at === null) {
      throw new Fault('CONFLICT', 'The e-mail address is verified already.');
    }
    await requestLink(context, tx, { kind: 'verify_email', email: account.email, accountId, origin });
  });
}
