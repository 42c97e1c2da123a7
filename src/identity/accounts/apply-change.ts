import type { Plan } from '../../contract/index.ts';
import type { Transaction } from '../../platform/index.ts';
import { recordSecurityEvent } from '../security-events.ts';
import type { AccountTable, IdentityTables } from '../tables.ts';

/** What operators change about an account. Traits that are left out stay as they are. */
export interface AccountChange {
  readonly plan?: Plan | undefined;
  readonly administrator?: boolean | undefined;
  readonly locked?: boolean | undefined;
}

/** The traits of an account that operators change. */
export const ADMINISTERED_COLUMNS = ['id', 'email', 'email_verified', 'plan', 'administrator', 'locked_at'] as const;

export type AdministeredRow = Pick<AccountTable, 'id' | 'email' | 'email_verified' | 'plan' | 'administrator'> & {
  readonly locked_at: Date | null;
};

interface ChangeContext {
  readonly now: Date;
  /** Whether an administrator of the service made the change; otherwise it came from the command line. */
  readonly byAdministrator?: boolean;
}

/**
 * Changes an account, effective with the next request, and records one security event for each trait that changes. Its
 * row must be locked. @returns the traits that changed, with their new values
 */
export async function applyChange(
  tx: Transaction,
  account: AdministeredRow,
  { plan, administrator, locked }: AccountChange,
  { now, byAdministrator = false }: ChangeContext,
): Promise<Readonly<Record<string, string>>> {
  const by = byAdministrator ? { by: 'administrator' } : {};
  const record = (kind: Parameters<typeof recordSecurityEvent>[1]['kind'], details: Record<string, string>) =>
    recordSecurityEvent(tx, { accountId: account.id, kind, at: now, details: { ...details, ...by } });
  const changed: Record<string, string> = {};
  if (plan !== undefined && plan !== account.plan) {
    await record('plan_changed', { from: account.plan, to: plan });
    changed.plan = plan;
  }
  if (administrator !== undefined && administrator !== account.administrator) {
    changed.administrator = administrator ? 'on' : 'off';
    await record('administrator_changed', { administrator: changed.administrator });
  }
  const isLocked = account.locked_at !== null;
  if (locked !== undefined && locked !== isLocked) {
    await record(locked ? 'account_locked' : 'account_unlocked', {});
    changed.locked = locked ? 'on' : 'off';
  }
  if (Object.keys(changed).length === 0) return changed;
  await tx
    .query<IdentityTables>()
    .updateTable('account')
    .set({
      updated_at: now,
      ...(plan !== undefined && { plan }),
      ...(administrator !== undefined && { administrator }),
      ...(changed.locked !== undefined && { locked_at: locked ? now : null }),
    })
    .where('id', '=', account.id)
    .execute();
  return changed;
}
