import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/**
 * What an address is counted as. One IPv6 subscriber has a whole /64 of addresses; counting each would be counting none.
 *
 * @example networkOf('2001:db8:1:2::9') // 2001:db8:1:2::/64
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  // A proxy that hands on what it was sent can give us any text. Together these are one caller: nobody can make keys up.
  if (!isIPv6(address)) return 'unknown';
  const plain = canonical(address);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  return mapped ?? `${firstGroups(plain).join(':')}::/64`;
}

/** The one shortest spelling, without the name of a network card. */
function canonical(address: string): string {
  return new SocketAddress({ address: address.replace(/%.*$/, ''), family: 'ipv6' }).address;
}

/** The four groups that name the network. `::` stands for as many zeros as are missing to eight. */
function firstGroups(address: string): string[] {
  const [head = '', tail = ''] = address.split('::', 2);
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4);
}
