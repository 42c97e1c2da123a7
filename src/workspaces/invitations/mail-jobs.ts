import { MAIL_QUEUE } from '../../identity/index.ts';
import type { Queue } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';

/** What the mails of this folder are called in the queue of mails. A job carries the id, never the secret. */
export const INVITATION_MAILS = 'invitationId';

/** How a request has a mail sent: through its own transaction. */
export function requestInvitationMailThrough(queue: Queue): WorkspaceContext['requestMail'] {
  return async (tx, invitationId) => {
    await queue.enqueue(tx, MAIL_QUEUE.name, { [INVITATION_MAILS]: invitationId });
  };
}
