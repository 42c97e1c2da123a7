import type { Principal } from '../../access/index.ts';
import type { Config } from '../../platform/index.ts';
import { networkOf } from './network-of.ts';

export interface Limit {
  readonly key: string;
  readonly requests: number;
}

/** As many busy guests as may share an address (an office, a school) before it looks like one in disguise. */
const GUESTS_PER_NETWORK = 10;

/**
 * What a request counts against: the caller's own limit, or its address while nobody knows who it is. The first limit
 * is the one that the caller is told about.
 */
export function limitsOf(principal: Principal, address: string, config: Config): readonly [Limit, ...Limit[]] {
  const { requestsPerMinute } = config;
  const network = networkOf(address);
  switch (principal.kind) {
    case 'account':
      return [{ key: `account:${principal.accountId}`, requests: requestsPerMinute[principal.plan] }];
    case 'guest':
      return [
        { key: `guest:${principal.guestId}`, requests: requestsPerMinute.guest },
        // Anyone can be many guests.
        { key: `guests:${network}`, requests: GUESTS_PER_NETWORK * requestsPerMinute.guest },
      ];
    case 'anonymous':
      return [{ key: `address:${network}`, requests: requestsPerMinute.anonymous }];
  }
}
