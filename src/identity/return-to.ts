import { invalidReturnTo } from './faults.ts';

const MAX_PATH_LENGTH = 2_000;

/** Browsers treat a backslash as a slash and remove tabs and line ends from URLs: `/\t/evil.example` leaves the site. */
const FORBIDDEN_CHARACTERS = /[\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Returns the path at which a browser continues after a sign-in or sign-up. Throws a fault unless it is a path on this
 * site, because a link to our sign-in page must not lead to another site.
 */
export function checkReturnTo(value: unknown): string {
  if (typeof value === 'string' && isOwnPath(value)) return value;
  throw invalidReturnTo(MAX_PATH_LENGTH);
}

export function isOwnPath(path: string): boolean {
  if (path.length > MAX_PATH_LENGTH || !path.startsWith('/') || FORBIDDEN_CHARACTERS.test(path)) return false;
  const base = 'http://site.invalid';
  if (!URL.canParse(path, base)) return false;
  const { origin, pathname } = new URL(path, base);
  // A path such as /.//evil.example becomes //evil.example when it is resolved before it is followed.
  return origin === base && !pathname.startsWith('//');
}
