import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { Origin } from '../../identity/index.ts';

/**
 * Returns the network that the requests of an address count toward: the address itself for IPv4, its /64 for IPv6. An
 * IPv6 subscriber has a whole /64 of addresses, so a limit for each address would have no effect.
 *
 * @example networkOf('2001:db8:1:2::9') // 2001:db8:1:2::/64
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  // A proxy that forwards headers unchecked can pass on any text. All such texts count as one network, so that callers
  // cannot invent networks.
  if (!isIPv6(address)) return 'unknown';
  const plain = canonicalAddress(address);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  return mapped ?? `${firstGroups(plain).join(':')}::/64`;
}

/** Returns the shortest spelling of an address, without a zone. */
function canonicalAddress(address: string): string {
  return new SocketAddress({ address: address.replace(/%.*$/, ''), family: 'ipv6' }).address;
}

/** Returns the four groups that identify the network. `::` stands for the zero groups that are left out. */
function firstGroups(address: string): string[] {
  const [head = '', tail = ''] = address.split('::', 2);
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4);
}

/**
 * Returns the origin of a request, as security events store it. The network (an IPv4 /24 or an IPv6 /48) is enough for
 * the owner of the account to recognize the origin; the full address is not stored.
 *
 * @example originOf({ address: '192.0.2.7', userAgent: null }) // { network: '192.0.2.0/24', userAgent: null }
 */
export function originOf(call: { readonly address: string; readonly userAgent: string | null }): Origin {
  return { network: storedNetworkOf(call.address), userAgent: call.userAgent };
}

function storedNetworkOf(address: string): string | null {
  const network = networkOf(address);
  if (isIPv4(network)) return network.replace(/\d+$/, '0/24');
  return network === 'unknown' ? null : network.replace(/:[^:]+::\/64$/, '::/48');
}
