import { MAX_LISTED_ITEMS } from '../../contract/index.ts';
import { checkPassword, findAccount } from '../../identity/index.ts';
import { accountGone, eraseAccount, listOwned, type OwnedItems } from '../../ownership/index.ts';
import { writeZip } from '../../platform/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { wrongCurrentPassword } from '../faults.ts';
import { originOf } from '../limits/network.ts';
import { limitPasswordAttempts } from '../limits/request-limits.ts';
import { RenderedBody } from '../responses.ts';
import { AccountArchive } from './export/account-archive.ts';
import { exportAccount } from './export/export-account.ts';

const ANOTHER_ADMINISTRATOR =
  'The account is the only administrator of this service. Make another account an administrator first.';

export const accountDataHandlers = {
  async exportAccount(call) {
    const now = call.parts.clock.now();
    const archive = new AccountArchive(call);
    return RenderedBody.archive(
      () => writeZip(exportAccount(archive), now),
      `almanac-export-${now.toISOString().slice(0, 10)}.zip`,
    );
  },

  async readErasure(call) {
    const { database, clock } = call.parts;
    const { accountId, email } = accountOf(call);
    const owned = await listOwned(database, accountId, { limit: MAX_LISTED_ITEMS, now: clock.now() });
    const { removed, keepable } = owned;
    return {
      email,
      blocked_by: [
        ...(owned.isOnlyAdministrator ? [{ kind: 'administration' as const, remedy: ANOTHER_ADMINISTRATOR }] : []),
        ...owned.blockedBy.map((workspace) => ({ kind: 'workspace' as const, ...workspace })),
      ],
      removed: {
        workspaces: viewItems(removed.workspaces),
        csv_files: viewItems(removed.csv_files),
        forecasts: viewItems(removed.forecasts),
        events: viewItems(removed.events),
        filters: viewItems(removed.filters),
        feeds: viewItems(removed.feeds),
        webhooks: viewItems(removed.webhooks),
        api_keys: viewItems(removed.api_keys),
        applications: viewItems(removed.applications),
      },
      unfinished_forecasts: owned.unfinishedForecasts,
      memberships: [...owned.memberships],
      public_forecasts: {
        total: keepable.total,
        items: keepable.forecasts.map(({ id, slug, name, createdAt }) => ({
          id,
          slug,
          name: name ?? '',
          created_at: createdAt.toISOString(),
        })),
      },
    };
  },

  async eraseAccount(call) {
    const { parts, body } = call;
    const { accountId, email } = accountOf(call);
    // Limited, so that a person who finds a signed-in browser cannot guess the password.
    await limitPasswordAttempts(call, email);
    const password = body.current_password;
    const passwordHash = await checkPassword(parts.identity, { accountId, password, origin: originOf(call) });
    if (passwordHash === null)
      throw (await findAccount(parts.database, email)) ? wrongCurrentPassword() : accountGone();
    const { removed, canceled_forecasts, kept_forecasts, handed_over } = await eraseAccount(
      { ...parts.workspaces, queue: parts.forecasts.queue },
      { account: { id: accountId, email }, keepPublic: body.keep_public, passwordHash, leavesAdministrator: true },
    );
    call.cookies.clear('session');
    const { grants: applications, ...counts } = removed;
    return {
      erased: true as const,
      removed: { ...counts, applications },
      canceled_forecasts,
      kept_forecasts,
      handed_over: { ...handed_over },
    };
  },
} satisfies Partial<Handlers>;

function viewItems({ total, items }: OwnedItems) {
  return { total, items: items.map((item) => ({ ...item })) };
}
