import {
  createGuest,
  endOtherSessions,
  endSession,
  endSessionById,
  findGuest,
  GUEST_LIFETIME_MS,
  listSessions,
  SESSION_LIFETIME_MS,
  signIn,
} from '../../identity/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { isRefusedAccount } from '../edge/authenticate.ts';
import { sessionNotFound, wrongEmailOrPassword } from '../faults.ts';
import { originOf } from '../limits/network.ts';
import { limitPasswordAttempts, limitPerNetwork } from '../limits/request-limits.ts';

/**
 * New guest sessions per minute from one network. Each guest has its own rate limit, so the number of guests is
 * limited.
 */
const GUEST_SESSIONS_PER_MINUTE = 30;

export const sessionHandlers = {
  async createSession(call) {
    const { identity, config } = call.parts;
    await limitPasswordAttempts(call, call.body.email);
    const session = isRefusedAccount(config, call.body.email)
      ? null
      : await signIn(identity, { ...call.body, ...originOf(call) });
    if (!session) throw wrongEmailOrPassword();
    const previous = call.cookies.get('session');
    if (previous) await endSession(identity, previous, originOf(call));
    call.cookies.set('session', session.secret, SESSION_LIFETIME_MS / 1000);
    return { user: session.user, expires_at: session.expiresAt.toISOString() };
  },

  async endSession(call) {
    const secret = call.cookies.get('session');
    if (secret) await endSession(call.parts.identity, secret, originOf(call));
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
        last_used_at: session.last_used_at.toISOString(),
        user_agent: session.user_agent,
      })),
    };
  },

  async endOtherSessions(call) {
    const account = accountOf(call);
    const kept = account.credential === 'session' ? account.credentialId : null;
    return { ended: await endOtherSessions(call.parts.identity, account.accountId, kept, originOf(call)) };
  },

  async endSessionById(call) {
    const account = accountOf(call);
    const id = call.params.session_id;
    if (!(await endSessionById(call.parts.identity, account.accountId, id, originOf(call)))) {
      throw sessionNotFound();
    }
    if (account.credential === 'session' && id === account.credentialId) call.cookies.clear('session');
    return { id, ended: true as const };
  },

  async createGuestSession(call) {
    const { identity } = call.parts;
    const secret = call.cookies.get('guest');
    const known = secret ? await findGuest(identity, secret) : null;
    if (known) return { guest_id: known.guestId, expires_at: known.expiresAt.toISOString() };
    await limitPerNetwork(call, 'new-guest', GUEST_SESSIONS_PER_MINUTE, 'guest_session');
    const guest = await createGuest(identity);
    call.cookies.set('guest', guest.secret, GUEST_LIFETIME_MS / 1000);
    return { guest_id: guest.guestId, expires_at: guest.expiresAt.toISOString() };
  },
} satisfies Partial<Handlers>;
