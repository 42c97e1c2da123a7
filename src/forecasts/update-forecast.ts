import type { Account, Guest } from '../access/index.ts';
import type { Visibility } from '../contract/index.ts';
import type { Transaction } from '../platform/index.ts';
import { addToOwnScope, findMembership, lockWorkspace, removeFromScopes } from '../workspaces/index.ts';
import type { ForecastContext } from './context.ts';
import { type IsExpected, requireExpected } from './expected-version.ts';
import { guestCannotPublish, onlyCreatorMakesPrivate, workspaceForecastRequired } from './faults.ts';
import { type ForecastRow, findForecastFacts, isOwner, requireAccess } from './find-forecast.ts';
import { requestForecastStamp } from './forecast-proof.ts';
import type { ForecastTables } from './tables.ts';

/** The fields to change. Fields that are undefined stay unchanged. */
export interface ForecastChange {
  /** Null removes the title. */
  readonly title?: string | null | undefined;
  readonly visibility?: Visibility | undefined;
}

/**
 * Changes the title or the visibility of the forecast with this id or slug, if the caller may change it. The slug does
 * not change with the title, so that stored URLs stay valid, and neither does a proof.
 *
 * @param isExpected the condition under which the forecast is changed; if omitted, it is changed in any version
 * @returns the forecast after the change
 */
export async function updateForecast(
  context: Pick<ForecastContext, 'database' | 'clock' | 'stamps'>,
  principal: Account | Guest,
  idOrSlug: string,
  change: ForecastChange,
  isExpected?: IsExpected,
): Promise<ForecastRow> {
  const { id, workspace_id } = await findForecastFacts(context, principal, idOrSlug, 'forecast.update');
  return context.database.transaction(async (tx) => {
    // The order of a deletion: the workspace, then the forecast.
    if (workspace_id !== null) await lockWorkspace(tx, workspace_id);
    // Checked again under the locks: a membership may have ended, and an account may have saved a guest's forecast.
    const row = await requireAccess(tx, principal, 'forecast.update', await lockForecast(tx, id));
    if (change.visibility !== undefined) requireVisibility(principal, row, change.visibility);
    await requireExpected(tx, id, isExpected);
    return applyChange(context, tx, principal, row, change);
  });
}

function lockForecast(tx: Transaction, id: string): Promise<ForecastRow | undefined> {
  return tx
    .query<ForecastTables>()
    .selectFrom('forecast')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Refuses a visibility that the caller may not choose for a forecast, or that the forecast cannot have. */
function requireVisibility(principal: Account | Guest, row: ForecastRow, visibility: Visibility): void {
  if (visibility === 'workspace' && row.workspace_id === null) throw workspaceForecastRequired();
  if (visibility === 'public' && principal.kind === 'guest') throw guestCannotPublish();
  // For all other members, a forecast that becomes private is gone, and they may not delete it either.
  if (visibility === 'private' && !isOwner(principal, row)) throw onlyCreatorMakesPrivate();
}

/** Stores a change with everything that follows from it. A change to what is already stored writes nothing. */
async function applyChange(
  { clock, stamps }: Pick<ForecastContext, 'clock' | 'stamps'>,
  tx: Transaction,
  principal: Account | Guest,
  row: ForecastRow,
  { title = row.title, visibility = row.visibility }: ForecastChange,
): Promise<ForecastRow> {
  if (title === row.title && visibility === row.visibility) return row;
  const changed = await tx
    .query<ForecastTables>()
    .updateTable('forecast')
    .set({ title, visibility })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (visibility === row.visibility) return changed;
  await changeScopes(tx, principal, row, visibility);
  if (visibility === 'public') await requestForecastStamp(tx, stamps, changed, clock.now());
  return changed;
}

/**
 * Keeps private forecasts out of the resource scopes of the workspace, because other members see these. A forecast that
 * its creator shares is added to the creator's own scope, like a new one.
 */
async function changeScopes(
  tx: Transaction,
  principal: Account | Guest,
  { id, workspace_id, visibility: before }: ForecastRow,
  after: Visibility,
): Promise<void> {
  if (workspace_id === null || principal.kind === 'guest') return;
  if (after === 'private') await removeFromScopes(tx, workspace_id, 'forecasts', [id]);
  if (before !== 'private') return;
  // Only its creator may change a private forecast.
  const membership = await findMembership(tx, principal.accountId, workspace_id);
  if (membership && !membership.forecasts.ids?.includes(id)) await addToOwnScope(tx, membership, 'forecasts', id);
}
