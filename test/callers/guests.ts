import { createGuest, type IdentityContext } from '../../src/identity/index.ts';
import type { Caller } from './callers.ts';

export async function guestCaller(identity: IdentityContext): Promise<Caller> {
  const { guestId, secret } = await createGuest(identity);
  return { credentials: { cookie: `__Host-almanac_guest=${secret}` }, accountId: null, guestId };
}
