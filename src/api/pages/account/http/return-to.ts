import { Fault } from '../../../../contract/index.ts';

const LONGEST = 2_000;

/** Browsers take a backslash for a slash, and drop tabs and line ends from an address: `/\t/evil.example` leaves us. */
const ODD = /[\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Where to go after a sign-in: a path of this site, or null when none is wanted. Anything else is refused, because a
 * link to our own sign-in page must never end on a page of somebody else.
 */
export function readReturnTo(value: unknown): string | null {
  if (value === undefined || value === '') return null;
  if (typeof value === 'string' && isOwnPath(value)) return value;
  throw new Fault('INVALID_REQUEST', 'return_to: must be one path of this site, such as /docs.');
}

export function isOwnPath(path: string): boolean {
  if (path.length > LONGEST || !path.startsWith('/') || ODD.test(path)) return false;
  const base = 'http://site.invalid';
  if (!URL.canParse(path, base)) return false;
  const { origin, pathname } = new URL(path, base);
  // A path such as /.//evil.example becomes //evil.example for whoever resolves it first and follows it later.
  return origin === base && !pathname.startsWith('//');
}

/** Adds the way back to the address of a page of ours. */
export function withReturnTo(address: string, returnTo: string | null): string {
  return returnTo === null ? address : `${address}?return_to=${encodeURIComponent(returnTo)}`;
}
