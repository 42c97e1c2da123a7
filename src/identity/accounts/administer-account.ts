import type { IdentityContext } from '../context.ts';
import { accountIdUnknown, administrationEnded, ownAdministration } from '../faults.ts';
import { type Origin, recordSecurityEvent } from '../security-events.ts';
import type { IdentityTables } from '../tables.ts';
import { type AccountChange, ADMINISTERED_COLUMNS, type AdministeredRow, applyChange } from './apply-change.ts';

interface Administration {
  /** The administrator that makes the change. */
  readonly administratorId: string;
  readonly accountId: string;
  readonly change: AccountChange;
  readonly origin?: Origin | undefined;
}

/**
 * Changes an account in the name of an administrator. Both accounts get a security event: that of the administrator has
 * its network, the other one does not, because it belongs to another person.
 *
 * An administrator can neither lock itself nor end its own administration, and all administrators are locked during the
 * change. One of them therefore always remains, even if two remove each other at the same time.
 */
export async function administerAccount(
  context: IdentityContext,
  { administratorId, accountId, change, origin }: Administration,
): Promise<void> {
  const now = context.clock.now();
  await context.database.transaction(async (tx) => {
    const rows = await tx
      .query<IdentityTables>()
      .selectFrom('account')
      .select(ADMINISTERED_COLUMNS)
      .where((where) => where.or([where('id', '=', accountId), where('administrator', '=', true)]))
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    requireAdministrator(rows.find(({ id }) => id === administratorId));
    const account = rows.find(({ id }) => id === accountId);
    if (account === undefined) throw accountIdUnknown();
    if (accountId === administratorId) {
      if (change.administrator === false) throw ownAdministration('administrator');
      if (change.locked === true) throw ownAdministration('locked');
    }
    const changed = await applyChange(tx, account, change, { now, byAdministrator: true });
    if (Object.keys(changed).length === 0) return;
    const details = { account_id: accountId, ...changed };
    const event = { accountId: administratorId, kind: 'account_administered', at: now, origin, details } as const;
    await recordSecurityEvent(tx, event);
  });
}

/** Checks again that the caller is an administrator, because another one may have changed it since it was admitted. */
function requireAdministrator(caller: AdministeredRow | undefined): void {
  if (!caller?.administrator || !caller.email_verified || caller.locked_at !== null) throw administrationEnded();
}
