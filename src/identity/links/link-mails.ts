import type { Mail } from '../../platform/index.ts';
import type { LinkKind } from '../tables.ts';

export interface LinkMail {
  readonly kind: LinkKind;
  readonly to: string;
  readonly siteUrl: string;
  readonly secret: string;
  readonly expiresAt: Date;
  /** The network that requested the email, if it is known. */
  readonly network: string | null;
}

const PATHS: Record<LinkKind, string> = {
  sign_up: '/auth/sign-up/confirm',
  verify_email: '/auth/verify',
  reset_password: '/auth/reset',
};

/** Returns the email with a link. It states what was requested and how long the link works. It is plain text. */
export function linkMail(mail: LinkMail): Mail {
  const { subject, before, after } = TEXTS[mail.kind](mail);
  const address = `${mail.siteUrl}${PATHS[mail.kind]}?token=${mail.secret}`;
  const validity = `The link works once, until ${formatTime(mail.expiresAt)}.`;
  return { to: mail.to, subject, text: joinParagraphs(before, address, validity, after) };
}

/** Returns the notice to the owner of an account whose address was used for another sign-up. */
export function addressTakenMail({ to, siteUrl, network }: Pick<LinkMail, 'to' | 'siteUrl' | 'network'>): Mail {
  return {
    to,
    subject: 'You already have an Almanac account',
    text: joinParagraphs(
      `Someone signed up at ${siteUrl}${formatNetwork(network)} with this address (${to}), which already has an account.`,
      `If this was you, sign in at ${siteUrl}/auth/sign-in, or choose a new password at`,
      `${siteUrl}/auth/forgot`,
      'If this was not you, you can ignore this email: nothing has changed.',
    ),
  };
}

interface MailText {
  readonly subject: string;
  readonly before: string;
  readonly after: string;
}

const TEXTS: Record<LinkKind, (mail: LinkMail) => MailText> = {
  sign_up: ({ to, siteUrl, network }) => ({
    subject: 'Confirm your Almanac account',
    before: `Someone signed up at ${siteUrl}${formatNetwork(network)} with this address (${to}). To create the account, open`,
    after:
      'The page asks for the password that was chosen at sign-up. If you did not sign up, ignore this email: no account will be created.',
  }),
  verify_email: ({ to, siteUrl }) => ({
    subject: 'Verify your email address',
    before: `There is an Almanac account at ${siteUrl} with this address (${to}). To verify that the address is yours, open`,
    after: 'If you do not have this account, ignore this email.',
  }),
  reset_password: ({ to, siteUrl, network }) => ({
    subject: 'Choose a new password for Almanac',
    before: `A new password was requested${formatNetwork(network)} for the Almanac account at ${siteUrl} with this address (${to}). To choose one, open`,
    after:
      'Choosing a new password signs out every browser. If this was not you, ignore this email: the password will not change.',
  }),
};

function formatNetwork(network: string | null): string {
  return network === null ? '' : ` (from the network ${network})`;
}

function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function joinParagraphs(...texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`;
}
