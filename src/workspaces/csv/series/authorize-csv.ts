import {
  type Account,
  decide,
  decideCaller,
  hasPermission,
  type Membership,
  type Principal,
} from '../../../access/index.ts';
import type { ErrorCode, Fault, WorkspaceCsvReference } from '../../../contract/index.ts';
import type { Database } from '../../../platform/index.ts';
import {
  csvAccountRequired,
  csvScopeMissing,
  frozenRowsAccountRequired,
  frozenRowsDenied,
  frozenRowsScopeMissing,
} from '../../faults.ts';
import { findMembership, requireMembership } from '../../memberships.ts';
import { findCsvFile, findReferencedFile } from '../find-csv-file.ts';

/** Throws a fault unless the caller may read the file. */
export async function authorizeFile(
  database: Database,
  principal: Principal,
  { workspace_id, csv_id }: WorkspaceCsvReference,
): Promise<void> {
  const account = requireAccount(principal, csvAccountRequired, csvScopeMissing);
  const membership = await requireMembership(database, account, workspace_id, 'csv.read');
  await findCsvFile(database, membership, csv_id);
}

/**
 * Throws a fault unless the caller may use the frozen rows of a file. Members that may read the file may use its frozen
 * rows. The id of a deleted file is no longer in any scope, so its rows are available to members whose scope is `all`,
 * and to the creator of the forecast if the creator's scope is `selected`. Deleting a file must not give a member new
 * access.
 */
export async function authorizeFrozenRows(
  database: Database,
  principal: Principal,
  { workspace_id, csv_id }: WorkspaceCsvReference,
  { isCreator }: { readonly isCreator: boolean },
): Promise<void> {
  const account = requireAccount(principal, frozenRowsAccountRequired, frozenRowsScopeMissing);
  const membership = await findMembership(database, account.accountId, workspace_id);
  const file = await findReferencedFile(database, workspace_id, csv_id);
  const isAllowed =
    file === null
      ? canUseDeletedFile(membership, isCreator)
      : decide(account, 'csv.read', { membership, id: csv_id }).allowed;
  if (!isAllowed) throw frozenRowsDenied();
}

function canUseDeletedFile(membership: Membership | null, isCreator: boolean): boolean {
  if (membership === null) return false;
  return membership.csv.mode === 'selected' ? isCreator : hasPermission(membership, 'csv.read');
}

/** Returns the caller if it is an account with a credential that can read files. Throws a fault otherwise. */
function requireAccount(
  principal: Principal,
  accountRequired: (code: ErrorCode) => Fault,
  scopeMissing: (code: ErrorCode, scope: string) => Fault,
): Account {
  const decision = decideCaller(principal, 'csv.read');
  if (decision.allowed && principal.kind === 'account') return principal;
  const { code, missingScope } = decision.allowed ? { code: 'ACCOUNT_REQUIRED' as const } : decision;
  throw missingScope === undefined ? accountRequired(code) : scopeMissing(code, missingScope);
}
