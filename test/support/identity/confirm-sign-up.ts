import assert from 'node:assert/strict';
import { type IdentityContext, redeemSignUp, type SignUpSession } from '../../../src/identity/index.ts';
import { PASSWORD } from './callers.ts';

interface Confirmation {
  readonly password?: string;
  readonly userAgent?: string | null;
  readonly network?: string | null;
}

/** Confirms a sign-up with the password that was chosen for it. Returns null when its link is no longer valid. */
export async function confirmSignUp(
  identity: IdentityContext,
  secret: string,
  { password = PASSWORD, userAgent = null, network = null }: Confirmation = {},
): Promise<SignUpSession | null> {
  const session = await redeemSignUp(identity, secret, { password, userAgent, network });
  assert.ok(session !== 'wrong_password', 'the password differs from the one chosen at sign-up');
  return session;
}
