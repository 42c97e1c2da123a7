import { createHash } from 'node:crypto';
import { Fault } from '../../contract/index.ts';
import {
  createGuest,
  endOtherSessions,
  endSession,
  findGuest,
  GUEST_LIFETIME_MS,
  listSessions,
  SESSION_LIFETIME_MS,
  signIn,
} from '../../identity/index.ts';
import { accountOf, type Call, type Handlers } from '../call.ts';
import { networkOf } from '../limits/index.ts';

/** Guesses a minute at one account from one address. */
const SIGN_IN_ATTEMPTS = 10;

/** New guests a minute from one address: each has a limit of its own, so they must not come for nothing. */
const NEW_GUESTS = 30;

export const sessionHandlers = {
  async createSession(call) {
    const { identity } = call.parts;
    await limitGuesses(call, call.body.email);
    const session = await signIn(identity, { ...call.body, userAgent: call.userAgent });
    if (!session) throw new Fault('UNAUTHENTICATED', 'The e-mail address or the password is wrong.');
    const previous = call.cookies.get('session');
    if (previous) await endSession(identity, previous);
    call.cookies.set('session', session.secret, SESSION_LIFETIME_MS / 1000);
    return { user: session.user, expires_at: session.expiresAt.toISOString() };
  },

  async endSession(call) {
    const secret = call.cookies.get('session');
    if (secret) await endSession(call.parts.identity, secret);
    call.cookies.clear('session');
    return { signed_out: true as const };
  },

  async listSessions(call) {
    const account = accountOf(call);
    const sessions = await listSessions(call.parts.identity, account.accountId);
    return {
      sessions: sessions.map((session) => ({
        id: session.id,
        current: account.credential === 'session' && session.id === account.credentialId,
        created_at: session.created_at.toISOString(),
        expires_at: session.expires_at.toISOString(),
        user_agent: session.user_agent,
      })),
    };
  },

  async endOtherSessions(call) {
    const account = accountOf(call);
    const kept = account.credential === 'session' ? account.credentialId : null;
    return { ended: await endOtherSessions(call.parts.identity, account.accountId, kept) };
  },

  async createGuestSession(call) {
    const { identity } = call.parts;
    const secret = call.cookies.get('guest');
    const known = secret ? await findGuest(identity, secret) : null;
    if (known) return { guest_id: known.guestId, expires_at: known.expiresAt.toISOString() };
    await limitPerNetwork(call, 'new-guest', NEW_GUESTS, 'Too many new guest sessions from this address.');
    const guest = await createGuest(identity);
    call.cookies.set('guest', guest.secret, GUEST_LIFETIME_MS / 1000);
    return { guest_id: guest.guestId, expires_at: guest.expiresAt.toISOString() };
  },
} satisfies Partial<Handlers>;

type Limited = Pick<Call<never>, 'parts' | 'address'>;

async function limitGuesses(call: Limited, email: string): Promise<void> {
  const target = createHash('sha256').update(email.toLowerCase()).digest('hex');
  await limitPerNetwork(call, `sign-in:${target}`, SIGN_IN_ATTEMPTS, 'Too many sign-in attempts for this account.');
}

/** A limit of its own beside the one that every request counts against. */
async function limitPerNetwork(call: Limited, what: string, limit: number, message: string): Promise<void> {
  const { allowed, resetSeconds } = await call.parts.limiter.consume(`${what}:${networkOf(call.address)}`, limit);
  if (!allowed) throw new Fault('RATE_LIMITED', `${message} Wait ${resetSeconds} s.`, { retryAfter: resetSeconds });
}
