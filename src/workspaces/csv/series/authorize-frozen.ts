import { type Account, allows, decide, decideCaller, type Membership, type Principal } from '../../../access/index.ts';
import { Fault, type WorkspaceCsvReference } from '../../../contract/index.ts';
import type { Database } from '../../../platform/index.ts';
import { findMembership } from '../../find-membership.ts';
import { findNamedFile } from '../find-csv-file.ts';

/** Who asks sees the forecast, and its settings name the file: there is nothing to hide but the rows. */
const FROM_A_FILE = 'The rows come from a file of a workspace';

/**
 * Lets rows of a file that were frozen before be used again: by members who may read the file. One that is deleted is in
 * nobody's list any more, so that its rows are for those whose scope is everything, and for whoever made the forecast
 * and may still read files there: a deletion gives nobody what it had not before.
 */
export async function authorizeFrozen(
  database: Database,
  principal: Principal,
  { workspace_id, csv_id }: WorkspaceCsvReference,
  { isMaker }: { readonly isMaker: boolean },
): Promise<void> {
  const account = accountOf(principal);
  const place = await findMembership(database, account.accountId, workspace_id);
  const isThere = await isFileThere(database, workspace_id, csv_id);
  const mayUse = isThere ? mayReadFile(account, place, csv_id) : mayUseDeleted(place, isMaker);
  if (mayUse) return;
  throw new Fault('WORKSPACE_DENIED', `${FROM_A_FILE}, and are used again only for members who may read that file.`);
}

function mayReadFile(account: Account, membership: Membership | null, id: string): boolean {
  return decide(account, 'csv.read', { membership, id }).allowed;
}

function mayUseDeleted(place: Membership | null, isMaker: boolean): boolean {
  if (place === null) return false;
  const { mode } = place.csv;
  if (mode === 'selected') return isMaker;
  return allows(place, 'csv.read');
}

async function isFileThere(database: Database, workspaceId: string, csvId: string): Promise<boolean> {
  try {
    await findNamedFile(database, workspaceId, csvId);
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

/** Who can have a place in a workspace at all, with a credential that reaches into one. */
function accountOf(principal: Principal): Account {
  const decision = decideCaller(principal, 'csv.read');
  if (decision.allowed && principal.kind === 'account') return principal;
  const { code, missingScope } = decision.allowed ? { code: 'ACCOUNT_REQUIRED' as const } : decision;
  if (missingScope === undefined) throw new Fault(code, `${FROM_A_FILE}; using them again takes an account in it.`);
  throw new Fault(code, `${FROM_A_FILE}; using them again takes the scope ${missingScope}.`, { missingScope });
}
