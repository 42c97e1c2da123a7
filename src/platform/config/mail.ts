import { isLoopback } from './checks.ts';

/** The mail server that mails are handed to. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Encrypted from the first byte; otherwise by STARTTLS where the server offers it. */
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Whether it is on this machine, where nobody can listen in. */
  readonly loopback: boolean;
}

const FORM = 'be an address such as smtp://user:password@mail.example:587 or smtps://mail.example';

/** Reads the address of a mail server, or throws as a setting's `read` does. No part of it is in the message. */
export function readSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain = url && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === '';
  if (!plain || !/^smtps?:$/.test(url.protocol) || url.hostname === '') throw new Error(FORM);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    user: decoded(url.username),
    password: decoded(url.password),
    loopback: isLoopback(host),
  };
}

function decoded(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error(`${FORM}, with a % in user or password written as %25`);
  }
}

/** The sender of mails: an address, or a name with one. */
export function checkSender(text: string): void {
  if (
    !/^[^\s<>@,;:"]+@[^\s<>@,;:"]+$/.test(text) &&
    !/^[\p{L}\p{N} .'-]{1,100} <[^\s<>@,;:"]+@[^\s<>@,;:"]+>$/u.test(text)
  ) {
    throw new Error('be an address such as almanac@mail.example or Almanac <almanac@mail.example>');
  }
}
