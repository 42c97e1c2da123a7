import { sql } from 'kysely';
import type { Executor } from '../platform/index.ts';
import type { ForecastTables } from './tables.ts';

/** Returns which of these forecasts are in the workspace and are not private forecasts of another account. */
export async function findForecastsInWorkspace(
  executor: Executor,
  workspaceId: string,
  ids: readonly string[],
  accountId: string,
): Promise<string[]> {
  const rows = await executor
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .where((where) => where.or([where('visibility', '<>', 'private'), where('owner', '=', accountId)]))
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns which of these forecasts are private forecasts of another account. */
export async function findPrivateToOthers(
  executor: Executor,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await executor
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select('id')
    .where('id', 'in', ids)
    .where('visibility', '=', 'private')
    .where('owner', '<>', accountId)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns how many forecasts a workspace has, how many of them are unfinished, and how many are public. */
export async function countWorkspaceForecasts(
  executor: Executor,
  workspaceId: string,
): Promise<{ readonly forecasts: number; readonly unfinished: number; readonly publicForecasts: number }> {
  return executor
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select([
      sql<number>`count(*)`.as('forecasts'),
      sql<number>`count(*) FILTER (WHERE status IN ('queued', 'running'))`.as('unfinished'),
      sql<number>`count(*) FILTER (WHERE visibility = 'public')`.as('publicForecasts'),
    ])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
}

/** Returns the forecasts of an account, except public ones, in workspaces of which it is no longer a member. */
export async function listInLeftWorkspaces(
  executor: Executor,
  accountId: string,
): Promise<readonly { readonly slug: string }[]> {
  const { rows } = await sql<{ slug: string }>`
    SELECT slug FROM forecast WHERE owner = ${accountId} AND workspace_id IS NOT NULL AND visibility <> 'public'
      AND NOT EXISTS (SELECT 1 FROM workspace_member AS member
        WHERE member.workspace_id = forecast.workspace_id AND member.account_id = ${accountId})
    ORDER BY created_at DESC, id DESC`.execute(executor.query());
  return rows;
}
