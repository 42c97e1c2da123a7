import { isIPv6 } from 'node:net';
import type { Principal } from '../../access/index.ts';
import type { Config } from '../../platform/index.ts';

export interface Limit {
  readonly key: string;
  readonly requests: number;
}

/** What a request counts against: the caller's own limit, or its address while nobody knows who it is. */
export function limitOf(principal: Principal, address: string, config: Config): Limit {
  const { requestsPerMinute } = config;
  switch (principal.kind) {
    case 'account':
      return { key: `account:${principal.accountId}`, requests: requestsPerMinute[principal.plan] };
    case 'guest':
      return { key: `guest:${principal.guestId}`, requests: requestsPerMinute.guest };
    case 'anonymous':
      return { key: `address:${networkOf(address)}`, requests: requestsPerMinute.anonymous };
  }
}

/** One IPv6 subscriber has a whole /64 of addresses; counting each would be counting none. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = '', tail = ''] = address.split('::', 2);
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const groups = address.includes('::')
    ? [...before, ...Array(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after]
    : before;
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
