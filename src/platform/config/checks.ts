import { BlockList, isIP } from 'node:net';
import { parseAddressRange } from '../outbound/address-ranges.ts';

// Each check of the text of a setting throws an `Error` whose message completes "NAME must …".

export function checkOrigin(text: string): void {
  const url = parseUrl(text);
  // Origins are compared as text, so a pattern would match no origin.
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.origin === text && !text.includes('*');
  if (!isOrigin) throw new Error('be an origin such as https://almanac.example, without a path or trailing slash');
}

export function checkPostgresUrl(text: string): void {
  const url = parseUrl(text);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) throw new Error('be a postgres:// address');
  if (![url.username, url.password, url.pathname].every(isPercentEncoded))
    throw new Error('have each % of its user, password and database written as %25');
}

function isPercentEncoded(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Checks that a string is an address, a CIDR range, or a name that the proxy list supports. */
export function checkProxy(text: string): void {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const maxBits = version === 6 ? 128 : 32;
  const hasValidBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
  if (version === 0 || rest.length > 0 || !hasValidBits) {
    // The text is quoted and shortened, so that the message stays on one line.
    const shown = JSON.stringify(text.slice(0, 60));
    throw new Error(`list addresses, CIDR ranges, loopback, linklocal or uniquelocal; ${shown} is not one of these`);
  }
}

/** Checks that a string is an address or a CIDR range without bits after its first ones. */
export function checkAddressRange(text: string): void {
  if (parseAddressRange(text) !== null) return;
  const shown = JSON.stringify(text.slice(0, 60)).replaceAll(/\p{Cc}/gu, '?');
  throw new Error(
    `list IP addresses or CIDR ranges such as 10.0.0.0/8 or fd00::/8, with zeros after the first bits; ${shown} is not one of these`,
  );
}

export function checkHost(text: string): void {
  if (isIP(text) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) {
    throw new Error('be an IP address or host name');
  }
}

export function checkCheckpointId(text: string): void {
  if (!/^[a-z0-9][a-z0-9._-]{0,63}@[0-9a-f]{12}-[0-9a-f]{8}$/.test(text)) {
    throw new Error('be the id of a checkpoint such as toto-2.0-4m@316660d5afb4-0f1f6a5b');
  }
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

/** Returns whether the host of an origin is a loopback address or name. */
export function isLoopbackOrigin(origin: string): boolean {
  return isLoopback(new URL(origin).hostname.replace(/^\[|\]$/g, ''));
}

/** Returns whether secrets can be sent to a URL: it uses https, or http on loopback, and contains no credentials. */
export function isSafeWebAddress(text: string): boolean {
  const url = parseUrl(text);
  if (url?.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackOrigin(url.origin));
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** Maximum length of a license name, which can be a whole sentence. */
const MAX_LICENSE_NAME_LENGTH = 200;

export function checkLicenseName(text: string): void {
  if (text.length > MAX_LICENSE_NAME_LENGTH || /\p{C}/u.test(text)) {
    throw new Error(`be a comma-separated list of names of up to ${MAX_LICENSE_NAME_LENGTH} characters on one line`);
  }
}
