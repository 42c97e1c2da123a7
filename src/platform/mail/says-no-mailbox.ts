/**
 * The enhanced codes (RFC 3463 and 7505, IANA's registry) that say that the mailbox itself is not there. Of the others
 * that begin alike, 5.1.7 and 5.1.8 are about the sender, 5.1.0 and 5.2.0 say nothing, and 5.2.2 is a full mailbox.
 */
const NO_MAILBOX: ReadonlySet<string> = new Set([
  '5.1.1', // no such mailbox
  '5.1.2', // no such domain, or none that takes mail
  '5.1.3', // not an address
  '5.1.6', // moved, and nobody knows where
  '5.1.10', // a domain that says it takes no mail
  '5.2.1', // disabled
]);

/** At the start of the answer, or as qmail writes it: (#5.1.1). */
const ENHANCED_CODE = /(?:^\d{3}[ -]#?|\(#)([245]\.\d{1,3}\.\d{1,3})(?!\d)/;

/** What servers say that send no such code. */
const SAYS_SO: readonly RegExp[] = [
  /\b(?:no such|unknown|non-?existent|invalid) (?:local )?(?:user|mailbox|recipient|account|person)\b/,
  /\b(?:user|mailbox|recipient|account|recipient address|person)(?: is| was)? (?:unknown|not found|not known)\b/,
  /\bmailbox(?: is)? (?:unavailable|not available)\b/,
  /\b(?:does not|doesn't|do not|don't) exist\b/,
  /\b(?:does not|doesn't) have an? (?:\S+ )?account\b/,
  /\bno (?:mailbox|user|account|one)(?: here)? by that name\b/,
];

/** What makes it doubtful: it may be about us, or about today. */
const IN_DOUBT =
  /relay(?! recipient)|spam|junk|block|blacklist|denied|deny|polic|sender|\bfrom\b|reputation|listed|prohibit|not (?:allowed|permitted|authori[sz]ed)|authenticat|\bfull\b|quota|\brates?\b|limit|too (?:many|much|often|large|quickly)|temporar|later|\bdns\b|\bspf\b|\bdkim\b|\bdmarc\b|\brbl\b/;

/**
 * Whether the answer to a recipient says that there is no such mailbox, so that no mail will ever reach it. In doubt it
 * does not: then a mail is lost, and not every mail to come.
 */
export function saysNoMailbox(response: string): boolean {
  if (ENHANCED_CODE.test(response)) return codeSaysNoMailbox(response);
  const words = wordsOf(response);
  return SAYS_SO.some((pattern) => pattern.test(words)) && !IN_DOUBT.test(words);
}

/** The same by the enhanced code alone: without one it does not. */
export function codeSaysNoMailbox(response: string): boolean {
  const [, code = ''] = ENHANCED_CODE.exec(response) ?? [];
  // Some say this of a mailbox that gets more than it wants just now.
  if (code === '5.2.1' && IN_DOUBT.test(wordsOf(response))) return false;
  return NO_MAILBOX.has(code);
}

/** Without addresses and links, which may hold any word. */
function wordsOf(response: string): string {
  return response
    .toLowerCase()
    .replaceAll(/^\d{3}[ -]/gm, '')
    .replaceAll(/\S*@\S*|https?:\S*/g, ' ')
    .replaceAll('’', "'")
    .replaceAll(/\s+/g, ' ');
}
