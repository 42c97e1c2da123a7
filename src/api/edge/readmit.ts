import type { FastifyRequest } from 'fastify';
import { decideCaller, type Principal } from '../../access/index.ts';
import type { Action } from '../../contract/index.ts';
import { authenticate, type Checkers } from './authenticate.ts';

/**
 * The caller of a request that was admitted a while ago, as it is now. Null when its key or session has ended, or when
 * it would be refused by now. Counts as no request.
 */
export async function readmit(
  checkers: Checkers,
  action: Action,
  request: FastifyRequest,
  before: Principal,
): Promise<Principal | null> {
  const { principal } = await authenticate(checkers, request);
  return isSame(principal, before) && decideCaller(principal, action).allowed ? principal : null;
}

/** By the credential: a browser whose session has ended may still be a guest, but that is somebody else. */
function isSame(one: Principal, other: Principal): boolean {
  return credentialOf(one) === credentialOf(other);
}

function credentialOf(principal: Principal): string | null {
  if (principal.kind === 'account') return principal.credentialId;
  return principal.kind === 'guest' ? principal.guestId : null;
}
