import { MailError } from './mailer.ts';

/** The failure of a delivery: the properties of nodemailer's error and two that the mailer adds. */
export interface SmtpFailure {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
  /** Whether the text of the email was sent, so that the server may have some or all of it. */
  readonly wasSent?: boolean;
  /** Whether the email was withdrawn when the server was ready for it. */
  readonly withdrawn?: boolean;
}

/** Converts a failure to a `MailError`. It omits the reply of the server, which repeats the recipient, and the cause. */
export function toMailError(failure: SmtpFailure): MailError {
  const { code, command, responseCode = 0, response = '', wasSent = false, withdrawn = false } = failure;
  if (withdrawn)
    return new MailError('The email was withdrawn before the mail server was ready for it.', { withdrawn });
  const details = [code, command, responseCode || undefined].filter((part) => part !== undefined).join(' ');
  // If the login or the sender is refused, the operator can correct the settings, and the email can be sent afterward.
  const isAboutMail = command === 'RCPT TO' || command === 'DATA';
  const permanent = isAboutMail && responseCode >= 500 && responseCode < 600 && responseCode !== 503;
  return new MailError(`The mail server did not accept the email (${details || 'no reason given'}).`, {
    permanent,
    badAddress: permanent && isBadAddress(command, response),
    // The outcome is certain only if the server rejected the email itself. After any other failure, or a reply that
    // neither accepts nor rejects the email, it may have been delivered.
    uncertain: wasSent && !(command === 'DATA' && responseCode >= 400 && responseCode < 600),
  });
}

/**
 * Returns whether the address is bad. An email has one recipient, so a reply to DATA about a missing mailbox is about that
 * recipient. However, the text of such a reply may be about anything in the email, so only its code is used.
 */
function isBadAddress(command: string | undefined, response: string): boolean {
  return command === 'RCPT TO' ? isUnknownMailbox(response) : isUnknownMailboxCode(response);
}

/**
 * The enhanced codes (RFC 3463 and 7505, IANA registry) for a mailbox that does not exist. Of the similar codes, 5.1.7
 * and 5.1.8 are about the sender, 5.1.0 and 5.2.0 are unspecific, and 5.2.2 means that the mailbox is full.
 */
const UNKNOWN_MAILBOX_CODES: ReadonlySet<string> = new Set([
  '5.1.1', // mailbox does not exist
  '5.1.2', // domain does not exist or accepts no email
  '5.1.3', // invalid address
  '5.1.6', // mailbox moved without a forwarding address
  '5.1.10', // domain declares that it accepts no email
  '5.2.1', // mailbox disabled
]);

/** The code is at the start of the reply or, in replies of qmail, written like (#5.1.1). */
const ENHANCED_CODE = /(?:^\d{3}[ -]#?|\(#)([245]\.\d{1,3}\.\d{1,3})(?!\d)/;

/** Texts of servers that do not send enhanced codes. */
const UNKNOWN_MAILBOX_TEXTS: readonly RegExp[] = [
  /\b(?:no such|unknown|non-?existent|invalid) (?:local )?(?:user|mailbox|recipient|account|person)\b/,
  /\b(?:user|mailbox|recipient|account|recipient address|person)(?: is| was)? (?:unknown|not found|not known)\b/,
  /\bmailbox(?: is)? (?:unavailable|not available)\b/,
  /\b(?:does not|doesn't|do not|don't) exist\b/,
  /\b(?:does not|doesn't) have an? (?:\S+ )?account\b/,
  /\bno (?:mailbox|user|account|one)(?: here)? by that name\b/,
];

/** Words of replies that may be about the sender, or that may not be final. */
const AMBIGUOUS =
  /relay(?! recipient)|spam|junk|block|blacklist|denied|deny|polic|sender|\bfrom\b|reputation|listed|prohibit|not (?:allowed|permitted|authori[sz]ed)|authenticat|\bfull\b|quota|\brates?\b|limit|too (?:many|much|often|large|quickly)|temporar|later|\bdns\b|\bspf\b|\bdkim\b|\bdmarc\b|\brbl\b/;

/**
 * Returns whether the reply to RCPT TO states that the mailbox does not exist. Returns false for an ambiguous reply,
 * because a wrong `true` would suspend all later emails, while a wrong `false` affects only this email.
 */
export function isUnknownMailbox(response: string): boolean {
  if (ENHANCED_CODE.test(response)) return isUnknownMailboxCode(response);
  const text = plainText(response);
  return UNKNOWN_MAILBOX_TEXTS.some((pattern) => pattern.test(text)) && !AMBIGUOUS.test(text);
}

/** Returns whether the enhanced code states that the mailbox does not exist; false without such a code. */
export function isUnknownMailboxCode(response: string): boolean {
  const [, code = ''] = ENHANCED_CODE.exec(response) ?? [];
  // Some servers send this code for a mailbox that currently receives too many emails.
  if (code === '5.2.1' && AMBIGUOUS.test(plainText(response))) return false;
  return UNKNOWN_MAILBOX_CODES.has(code);
}

/** Returns a reply in lower case, without addresses and links, which may contain any word. */
function plainText(response: string): string {
  return response
    .toLowerCase()
    .replaceAll(/^\d{3}[ -]/gm, '')
    .replaceAll(/\S*@\S*|https?:\S*/g, ' ')
    .replaceAll('’', "'")
    .replaceAll(/\s+/g, ' ');
}
