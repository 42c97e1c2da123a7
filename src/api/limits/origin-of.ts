import { isIPv4 } from 'node:net';
import type { Origin } from '../../identity/index.ts';
import { networkOf } from './network-of.ts';

/**
 * Where a request comes from, as it is kept beside what happened to an account: a network that its owner can recognise,
 * of 256 addresses or of one provider's customer, and never the address itself.
 *
 * @example originOf({ address: '192.0.2.7', userAgent: null }) // { network: '192.0.2.0/24', userAgent: null }
 */
export function originOf(call: { readonly address: string; readonly userAgent: string | null }): Origin {
  return { network: keptNetworkOf(call.address), userAgent: call.userAgent };
}

function keptNetworkOf(address: string): string | null {
  const network = networkOf(address);
  if (isIPv4(network)) return network.replace(/\d+$/, '0/24');
  return network === 'unknown' ? null : network.replace(/:[^:]+::\/64$/, '::/48');
}
