import type { Executor } from '../platform/index.ts';
import type { JobTables } from './tables.ts';

/** Which of these forecasts are in the workspace, as far as the account may know: not those private to somebody else. */
export async function forecastsIn(
  executor: Executor,
  workspaceId: string,
  ids: readonly string[],
  accountId: string,
): Promise<string[]> {
  const rows = await executor
    .query<JobTables>()
    .selectFrom('forecast')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .where((where) => where.or([where('visibility', '<>', 'private'), where('owner', '=', accountId)]))
    .execute();
  return rows.map(({ id }) => id);
}

/** Which of these forecasts are private to somebody else than the account. */
export async function privateToOthers(
  executor: Executor,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await executor
    .query<JobTables>()
    .selectFrom('forecast')
    .select('id')
    .where('id', 'in', ids)
    .where('visibility', '=', 'private')
    .where('owner', '<>', accountId)
    .execute();
  return rows.map(({ id }) => id);
}
