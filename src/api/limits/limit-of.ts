import type { Principal } from '../../access/index.ts';
import type { Config } from '../../platform/index.ts';
import { networkOf } from './network-of.ts';

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
