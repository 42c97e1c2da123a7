import { isLoopback } from './checks.ts';
import { optionalText, secret, setting } from './setting.ts';

/** The mail server that emails are sent through. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Whether TLS starts with the first byte; otherwise STARTTLS is used if the server offers it. */
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Whether the server is on this machine, so that the connection cannot be intercepted. */
  readonly loopback: boolean;
}

const EXPECTED = 'be an address such as smtp://user:password@mail.example:587 or smtps://mail.example';

/** Reads the address of a mail server. Throws like `Setting.read`; the message contains no part of the address. */
export function readSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === '';
  if (!isPlain || !/^smtps?:$/.test(url.protocol) || url.hostname === '') throw new Error(EXPECTED);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    user: decodePart(url.username),
    password: decodePart(url.password),
    loopback: isLoopback(host),
  };
}

function decodePart(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error(`${EXPECTED}. Write a % in the user or password as %25`);
  }
}

/** Checks that a string is the sender of emails: an address, or a name with an address. */
export function checkSender(text: string): void {
  if (
    !/^[^\s<>@,;:"]+@[^\s<>@,;:"]+$/.test(text) &&
    !/^[\p{L}\p{N} .'-]{1,100} <[^\s<>@,;:"]+@[^\s<>@,;:"]+>$/u.test(text)
  ) {
    throw new Error('be an address such as almanac@mail.example or Almanac <almanac@mail.example>');
  }
}

/** The settings of emails, in the order of the docs page. */
export const MAIL_SETTINGS = {
  ALMANAC_SMTP_URL: secret(
    setting<SmtpServer | undefined>({
      description:
        'Mail server for all emails, such as smtp://user:password@mail.example:587 (STARTTLS) or smtps://mail.example. Requires ALMANAC_MAIL_FROM. Without a mail server, emails are written to the log.',
      fallback: undefined,
      defaultText: 'none',
      read: readSmtpUrl,
    }),
  ),
  ALMANAC_MAIL_FROM: optionalText('Sender of emails, such as Almanac <almanac@mail.example>.', 'none', checkSender),
};
