import type { Account } from '../../access/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { findOpenInvitation, type InvitationName, type OpenInvitation } from './find-invitation.ts';

/**
 * What an invitation offers, while it can be accepted: to whoever has its secret, and by its id to the account with the
 * verified address that it was sent to. Changes nothing: mail scanners open links, too.
 */
export async function readInvitation(
  context: Pick<WorkspaceContext, 'database' | 'clock'>,
  account: Account | null,
  name: InvitationName,
): Promise<OpenInvitation | null> {
  const invitation = await findOpenInvitation(context.database, context, name);
  if (invitation === null || 'secret' in name) return invitation;
  return account !== null && isFor(invitation, account) ? invitation : null;
}

/** Whoever has got the mail of somebody else must not get the place as well. */
export function isFor({ email }: Pick<OpenInvitation, 'email'>, account: Account): boolean {
  return account.emailVerified && account.email === email;
}
