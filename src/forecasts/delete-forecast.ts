import { sql } from 'kysely';
import type { Account, Guest } from '../access/index.ts';
import type { Transaction } from '../platform/index.ts';
import { lockWorkspace } from '../workspaces/index.ts';
import type { ForecastContext } from './context.ts';
import { type IsExpected, requireExpected } from './expected-version.ts';
import { forecastNotFound } from './faults.ts';
import { findForecastFacts, isPrivateToAnother, requireAccess } from './find-forecast.ts';
import { removeForecasts } from './remove-forecasts.ts';
import type { ForecastTables } from './tables.ts';

/**
 * Deletes the forecast with this id or slug, if the caller may delete it. An unfinished forecast is canceled first, in
 * the same transaction. Reproductions of it and questions from it stay.
 *
 * @param isExpected the condition under which the forecast is deleted; if omitted, it is deleted in any version
 * @returns the id of the forecast
 */
export async function deleteForecast(
  context: ForecastContext,
  principal: Account | Guest,
  idOrSlug: string,
  isExpected?: IsExpected,
): Promise<string> {
  const facts = await findForecastFacts(context, principal, idOrSlug, 'forecast.delete');
  const { id, workspace_id } = facts;
  // As for a cancellation: the slug of a private forecast of another member must not be confirmed.
  if (isPrivateToAnother(principal, facts) && id !== idOrSlug) throw forecastNotFound();
  const now = context.clock.now();
  await context.database.transaction(async (tx) => {
    if (workspace_id !== null) await lockWorkspace(tx, workspace_id);
    // Checked again under the locks: a membership may have ended, and an account may have saved a guest's forecast.
    await requireAccess(tx, principal, 'forecast.delete', await lockWithCopies(tx, id));
    await requireExpected(tx, id, isExpected);
    await storeReceipt(tx, id, now);
    const removed = await removeForecasts(context, tx, sql`id = ${id}`, now);
    if (removed.forecasts === 0) throw forecastNotFound();
  });
  return id;
}

/**
 * Locks a forecast, and its reproductions, whose references to it end. They must be locked before the slots of their
 * payer, because a worker that completes a reproduction locks it before the slot.
 */
async function lockWithCopies(tx: Transaction, id: string) {
  const locked = await tx
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select(['id', 'owner', 'workspace_id', 'visibility'])
    .where((where) => where.or([where('id', '=', id), where('reproduces', '=', id)]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return locked.find((row) => row.id === id);
}

/** Keeps the receipt of a completed forecast of an account as a row without content. */
async function storeReceipt(tx: Transaction, id: string, now: Date): Promise<void> {
  await sql`
    INSERT INTO removed_forecast (id, slug, content_cid, created_at, finished_at, removed_at)
    SELECT id, slug, content_cid, created_at, finished_at, ${now}::timestamptz FROM forecast
    WHERE id = ${id} AND status = 'completed' AND content_cid IS NOT NULL AND finished_at IS NOT NULL
      AND account_id IS NOT NULL`.execute(tx.query());
}
