import type { Mail } from '../../platform/index.ts';
import type { LinkKind } from '../tables.ts';

export interface LinkMail {
  readonly kind: LinkKind;
  readonly to: string;
  readonly siteUrl: string;
  readonly secret: string;
  readonly expiresAt: Date;
  /** The network it was asked for from, where that is known. */
  readonly network: string | null;
}

const PATHS: Record<LinkKind, string> = {
  sign_up: '/auth/sign-up/confirm',
  verify_email: '/auth/verify',
  reset_password: '/auth/reset',
};

/** The mail with a link: who asks, for what, and until when. Plain text, so that what it says is all that it does. */
export function linkMail(mail: LinkMail): Mail {
  const { subject, before, after } = WORDS[mail.kind](mail);
  const address = `${mail.siteUrl}${PATHS[mail.kind]}?token=${mail.secret}`;
  const validity = `The link works once, until ${written(mail.expiresAt)}.`;
  return { to: mail.to, subject, text: paragraphs(before, address, validity, after) };
}

/** To the owner of an address with which somebody signs up again. */
export function addressTakenMail({ to, siteUrl, network }: Pick<LinkMail, 'to' | 'siteUrl' | 'network'>): Mail {
  return {
    to,
    subject: 'You have an Almanac account already',
    text: paragraphs(
      `Somebody signed up at ${siteUrl}${from(network)} with this address (${to}), which has an account already.`,
      `If it was you: sign in at ${siteUrl}/auth/sign-in, or choose a new password at`,
      `${siteUrl}/auth/forgot`,
      'If it was not you, there is nothing to do: nothing was changed.',
    ),
  };
}

interface Words {
  readonly subject: string;
  readonly before: string;
  readonly after: string;
}

const WORDS: Record<LinkKind, (mail: LinkMail) => Words> = {
  sign_up: ({ to, siteUrl, network }) => ({
    subject: 'Confirm your Almanac account',
    before: `Somebody signed up at ${siteUrl}${from(network)} with this address (${to}). To make the account, open`,
    after:
      'The page asks for the password that was chosen at sign-up. If it was not you who signed up, ignore this mail, and no account is made.',
  }),
  verify_email: ({ to, siteUrl }) => ({
    subject: 'Verify your e-mail address',
    before: `The Almanac account at ${siteUrl} with this address (${to}) asks you to verify that the address is yours. To do so, open`,
    after: 'If you have no such account, ignore this mail.',
  }),
  reset_password: ({ to, siteUrl, network }) => ({
    subject: 'Choose a new password for Almanac',
    before: `Somebody asked${from(network)} for a new password of the Almanac account at ${siteUrl} with this address (${to}). To choose one, open`,
    after: 'A new password signs out every browser. If it was not you, ignore this mail: the password stays as it is.',
  }),
};

function from(network: string | null): string {
  return network === null ? '' : ` (from the network ${network})`;
}

function written(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function paragraphs(...texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`;
}
