import { readPlanUsage, requireCaller } from '../../forecasts/index.ts';
import { changePassword, listSecurityEvents, requestVerification } from '../../identity/index.ts';
import { listVisibleMemberships } from '../../workspaces/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { wrongCurrentPassword } from '../faults.ts';
import { networkOf, originOf } from '../limits/network.ts';
import { limitPasswordAttempts, limitPerNetwork } from '../limits/request-limits.ts';

/**
 * Requests for a verification email per minute for one account from one network. Emails per hour are limited separately.
 */
const VERIFICATIONS_PER_MINUTE = 5;

export const accountHandlers = {
  async changePassword(call) {
    const account = accountOf(call);
    // Limited, so that a person who finds a signed-in browser cannot guess the password.
    await limitPasswordAttempts(call, account.email);
    const changed = await changePassword(call.parts.identity, {
      accountId: account.accountId,
      keptSessionId: account.credentialId,
      current: call.body.current_password,
      next: call.body.new_password,
      origin: originOf(call),
    });
    if (!changed) throw wrongCurrentPassword();
    return { changed: true as const };
  },

  async requestVerification(call) {
    const { accountId } = accountOf(call);
    await limitPerNetwork(call, `verification:${accountId}`, VERIFICATIONS_PER_MINUTE, 'verification');
    await requestVerification(call.parts.identity, { accountId, origin: originOf(call) });
    return { requested: true as const };
  },

  async listSecurityEvents(call) {
    const { limit, cursor = null } = call.query;
    // Reads one more event than requested, to find out whether there is another page.
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

  async readAccess(call) {
    const account = accountOf(call);
    return {
      user: { id: account.accountId, email: account.email },
      token_scopes: [...account.scopes],
      personal_plan: account.plan,
      workspaces: await listVisibleMemberships(call.parts.workspaces, account.accountId),
    };
  },

  async readUsage(call) {
    const { parts, rateLimit } = call;
    const usage = await readPlanUsage(parts.forecasts, requireCaller(call.principal), networkOf(call.address));
    const resetsAt = new Date(parts.clock.now().getTime() + rateLimit.resetSeconds * 1000);
    return {
      ...usage,
      requests: { limit: rateLimit.limit, left: rateLimit.remaining, resets_at: resetsAt.toISOString() },
    };
  },
} satisfies Partial<Handlers>;
