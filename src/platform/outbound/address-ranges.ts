import { isIP } from 'node:net';

/** A range of IP addresses: those whose first `bits` bits are those of `network`. */
interface AddressRange {
  /** The bytes of the first address: 4 or 16. */
  readonly network: readonly number[];
  readonly bits: number;
}

/**
 * Parses an address or a CIDR range such as 10.0.0.0/8 or fd00::/8. Returns null for any other text. The bits after the
 * first ones must be zero, because 10.1.0.0/8 means 10.0.0.0/8 to some readers and 10.1.0.0/16 to others.
 */
export function parseAddressRange(text: string): AddressRange | null {
  const [address = '', length, ...rest] = text.split('/');
  // An IPv4 address in an IPv6 socket counts as IPv4, so that a range of such addresses would contain none.
  if (rest.length > 0 || !isPlainAddress(address) || isMapped(bytesOf(address))) return null;
  const network = bytesOf(address);
  const maxBits = 8 * network.length;
  const bits = length === undefined ? maxBits : Number(length);
  if (!/^\d{1,3}$/.test(length ?? '0') || bits > maxBits) return null;
  const range = { network, bits };
  return toBits(network).slice(bits).includes('1') ? null : range;
}

/** Returns whether an IP address is in one of the ranges, which `parseAddressRange` accepts. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0 || !isPlainAddress(address)) return false;
  const bytes = bytesOf(address);
  const found = isMapped(bytes) ? bytes.slice(-4) : bytes;
  return ranges.map(parseAddressRange).some((range) => {
    if (range?.network.length !== found.length) return false;
    return toBits(range.network).slice(0, range.bits) === toBits(found).slice(0, range.bits);
  });
}

/** Returns whether a text is an IP address without a zone, which would name an interface of this machine. */
function isPlainAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

/** Returns the bytes of an IP address without a zone: 4 or 16. */
export function bytesOf(address: string): number[] {
  if (isIP(address) === 4) return address.split('.').map(Number);
  // The URL parser writes an address in hexadecimal groups, without dots.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [head, tail].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  const groups = [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
  return groups.map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 0xff]);
}

/** Returns whether the bytes are those of ::ffff:0:0/96, as which IPv6 sockets write IPv4 addresses. */
function isMapped(bytes: readonly number[]): boolean {
  return bytes.length === 16 && bytes.slice(0, 12).join('.') === '0.0.0.0.0.0.0.0.0.0.255.255';
}

function toBits(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
}
