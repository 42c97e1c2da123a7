import { BlockList, isIP, type LookupFunction } from 'node:net';
import { bytesOf, isInRanges } from './address-ranges.ts';
import { OutboundError, type OutboundFault } from './outbound-error.ts';

/** The ranges of IPv4 that are not on the public internet, or that lead to a service of the machine's own host. */
const NOT_PUBLIC_IPV4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // The metadata service of a cloud at a public address.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** The parts of 2000::/3 that are reserved or, like 6to4, lead to IPv4 addresses in a way that nothing needs today. */
const NOT_PUBLIC_IPV6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** IPv4 addresses as IPv6 sockets (mapped) and IPv6-only networks (NAT64) write them, in the last 32 bits. */
const EMBEDDING_IPV4: readonly (readonly [network: string, bits: number])[] = [
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
];

const notPublicIpv4 = blockList(NOT_PUBLIC_IPV4, 'ipv4');
const notPublicIpv6 = blockList(NOT_PUBLIC_IPV6, 'ipv6');
const embeddingIpv4 = blockList(EMBEDDING_IPV4, 'ipv6');
const globalIpv6 = blockList([['2000::', 3]], 'ipv6');

function blockList(ranges: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, bits] of ranges) list.addSubnet(network, bits, family);
  return list;
}

/** Returns whether an IP address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !notPublicIpv4.check(address, 'ipv4');
  if (version !== 6 || address.includes('%')) return false;
  if (embeddingIpv4.check(address, 'ipv6')) return isPublicAddress(bytesOf(address).slice(-4).join('.'));
  return globalIpv6.check(address, 'ipv6') && !notPublicIpv6.check(address, 'ipv6');
}

/** What others may name: a rule for the addresses of one request. */
export interface AddressRule {
  /** The ranges of addresses that the operator allows others to name, as `parseAddressRange` accepts them. */
  readonly allow: readonly string[];
  /** Whether the request uses https. Without it, only addresses in `allow` are accepted. */
  readonly isEncrypted: boolean;
}

/** Returns why others may not name an IP address, or null if they may. */
function findProblem(address: string, { allow, isEncrypted }: AddressRule): OutboundFault | null {
  if (isInRanges(address, allow)) return null;
  if (!isPublicAddress(address)) return 'not_public';
  return isEncrypted ? null : 'not_https';
}

/**
 * Throws if the rule refuses a URL whose name is not resolved: its host is the text of an IP address, or a name for this
 * machine (RFC 6761), which not every resolver knows, or no name that uses http is accepted.
 */
export function checkLiteralAddress({ hostname }: URL, rule: AddressRule): void {
  const host = hostname.replace(/^\[|\]$|\.+$/g, '');
  const literal = /^(.*\.)?localhost$/i.test(host) ? '127.0.0.1' : host;
  const problemOfName = rule.isEncrypted || rule.allow.length > 0 ? null : 'not_https';
  const problem = isIP(literal) === 0 ? problemOfName : findProblem(literal, rule);
  if (problem !== null) throw new OutboundError(problem);
}

/**
 * Wraps a resolver so that it fails if the rule refuses one of the addresses of a name. The socket connects to the
 * addresses that were checked, so an answer that changes between the check and the connection has no effect.
 */
export function checkedLookup(resolve: LookupFunction, rule: AddressRule): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = found as unknown as { readonly address: string; readonly family: number }[];
      const [first] = addresses;
      if (first === undefined) return callback(new OutboundError('not_public'), []);
      const problem = addresses.map(({ address }) => findProblem(address, rule)).find((found) => found !== null);
      if (problem !== undefined) return callback(new OutboundError(problem), []);
      if (options.all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
}
