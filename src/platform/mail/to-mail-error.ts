import type { HandOverFailure } from './hand-over.ts';
import { MailError } from './mailer.ts';
import { codeSaysNoMailbox, saysNoMailbox } from './says-no-mailbox.ts';

/** What the server said is left out, because it repeats the recipient; and so is the cause, which may hold more. */
export function toMailError(failure: HandOverFailure): MailError {
  const { code, command, responseCode = 0, response = '', handedOver = false, withdrawn = false } = failure;
  if (withdrawn)
    return new MailError('The mail was no longer wanted when the mail server was ready for it.', { withdrawn });
  const what = [code, command, responseCode || undefined].filter((part) => part !== undefined).join(' ');
  // A login or a sender that is refused is for whoever runs the service to put right; the mail can wait for that.
  const ofThisMail = command === 'RCPT TO' || command === 'DATA';
  const permanent = ofThisMail && responseCode >= 500 && responseCode < 600 && responseCode !== 503;
  return new MailError(`The mail server did not take the mail (${what || 'no reason given'}).`, {
    permanent,
    badAddress: permanent && isAboutRecipient(command, response),
    // A refusal of the mail itself is certain. Anything else that happens after it was sent leaves it open, and so does
    // an answer that is neither yes nor no.
    uncertain: handedOver && !(command === 'DATA' && responseCode >= 400 && responseCode < 600),
  });
}

/**
 * A mail has one recipient, so that a server which looks for the mailbox only when it has the mail speaks of the same
 * one. But then its words may be about anything in the mail, and only its code counts.
 */
function isAboutRecipient(command: string | undefined, response: string): boolean {
  return command === 'RCPT TO' ? saysNoMailbox(response) : codeSaysNoMailbox(response);
}
