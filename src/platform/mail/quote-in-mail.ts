import { removeInvisible } from '../clean-text.ts';

/** Names are validated when they are set, but older names may still contain these characters. */
const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;

/** Text that looks like a link: the start of a URL, a host name or four numbers separated by dots. */
const LINK_LIKE = /:\/\/|www\b|[^\s.][.。][\p{L}\p{M}\p{N}-]*\p{L}{2}|\d+\.\d+\.\d+\.\d+/iu;

/**
 * Returns text that an account has chosen as emails quote it: in quotes and on one line, without invisible characters.
 * Returns null if nothing is left or if it looks like a link, because readers trust links in emails of the service.
 *
 * @example quoteInMail('Rates "desk"') // "Rates 'desk'"
 */
export function quoteInMail(text: string): string | null {
  const line = cleanForMail(text);
  return line === '' || LINK_LIKE.test(line) ? null : quote(line);
}

/**
 * Like `quoteInMail`, for names that often contain dots, such as those of series. If a name looks like a link, it gets
 * spaces, so that mail programs do not make a link of it.
 *
 * @example quoteNameInMail('SAP.DE') // "SAP. DE"
 */
export function quoteNameInMail(name: string): string {
  return quote(withoutLinks(name));
}

/** Returns text on one line as emails show it: without invisible characters, and with spaces in what looks like a link. */
export function withoutLinks(text: string): string {
  const line = cleanForMail(text);
  return LINK_LIKE.test(line) ? line.replaceAll(/[.。:](?=\S)/g, '$& ') : line;
}

function cleanForMail(text: string): string {
  // The compatibility form is used, because mail programs also turn look-alike characters into links.
  return removeInvisible(text.normalize('NFKC').replace(LINE_BREAKS, ' ')).trim();
}

function quote(line: string): string {
  return `"${line.replaceAll(/["“”„«»]/g, "'")}"`;
}
