import { Fault } from '../../contract/index.ts';
import { changePassword, listSecurityEvents, requestVerification } from '../../identity/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { limitGuesses, limitPerNetwork } from '../limits/limit-per-network.ts';
import { originOf } from '../limits/origin-of.ts';

/** Verification mails a minute that one account can ask for; how many are sent in an hour is bounded besides. */
const VERIFICATIONS = 5;

export const accountHandlers = {
  async changePassword(call) {
    const account = accountOf(call);
    // Whoever sits at a browser that was left signed in must not be able to try out passwords.
    await limitGuesses(call, account.email);
    const changed = await changePassword(call.parts.identity, {
      accountId: account.accountId,
      keptSessionId: account.credentialId,
      current: call.body.current_password,
      next: call.body.new_password,
      origin: originOf(call),
    });
    if (!changed) throw new Fault('INVALID_REQUEST', 'current_password: is not the password of this account.');
    return { changed: true as const };
  },

  async requestVerification(call) {
    const { accountId } = accountOf(call);
    await limitPerNetwork(call, `verification:${accountId}`, VERIFICATIONS, 'Too many verification mails.');
    await requestVerification(call.parts.identity, { accountId, origin: originOf(call) });
    return { requested: true as const };
  },

  async listSecurityEvents(call) {
    const { limit, cursor = null } = call.query;
    // One more than asked for says whether there are more.
    const found = await listSecurityEvents(call.parts.identity, accountOf(call).accountId, {
      limit: limit + 1,
      before: cursor,
    });
    const events = found.slice(0, limit);
    return {
      events: events.map((event) => ({ ...event, at: event.at.toISOString() })),
      next_cursor: found.length > limit ? (events.at(-1)?.id ?? null) : null,
    };
  },
} satisfies Partial<Handlers>;
