import { readPlanUsage, readUsageHistory, requireCaller } from '../../forecasts/index.ts';
import {
  changePassword,
  listGrants,
  listSecurityEvents,
  readBouncedAt,
  requestVerification,
  revokeGrant,
} from '../../identity/index.ts';
import { listVisibleMemberships } from '../../workspaces/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { applicationNotFound, callerDenied, wrongCurrentPassword } from '../faults.ts';
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

  async listApplications(call) {
    const grants = await listGrants(call.parts.identity, accountOf(call).accountId);
    return {
      applications: grants.map(({ id, clientName, createdAt, lastUsedAt }) => ({
        id,
        name: clientName,
        allowed_at: createdAt.toISOString(),
        last_used_at: lastUsedAt?.toISOString() ?? null,
      })),
    };
  },

  async revokeApplication(call) {
    const id = call.params.application_id;
    const isRevoked = await revokeGrant(call.parts.identity, accountOf(call).accountId, id, originOf(call));
    if (!isRevoked) throw applicationNotFound();
    return { id, removed: true as const };
  },

  async readAccess(call) {
    const account = accountOf(call);
    return {
      user: {
        id: account.accountId,
        email: account.email,
        email_verified: account.emailVerified,
        email_bounces: (await readBouncedAt(call.parts.database, account.accountId)) !== null,
      },
      token_scopes: [...account.scopes],
      personal_plan: account.plan,
      workspaces: await listVisibleMemberships(call.parts.workspaces, account.accountId),
    };
  },

  async readUsage(call) {
    const { parts, rateLimit } = call;
    const isWithHistory = Object.values(call.query).some((value) => value !== undefined);
    if (isWithHistory && call.principal.kind !== 'account') throw callerDenied('ACCOUNT_REQUIRED');
    const usage = await readPlanUsage(parts.forecasts, requireCaller(call.principal), networkOf(call.address));
    const resetsAt = new Date(parts.clock.now().getTime() + rateLimit.resetSeconds * 1000);
    return {
      ...usage,
      requests: { limit: rateLimit.limit, left: rateLimit.remaining, resets_at: resetsAt.toISOString() },
      ...(isWithHistory && {
        history: await readUsageHistory(parts.forecasts, accountOf(call), call.query, usage.storage.bytes),
      }),
    };
  },
} satisfies Partial<Handlers>;
