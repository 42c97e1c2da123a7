import type { Account, Guest } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import type { ForecastContext } from '../context.ts';
import { inlineRowsDenied } from '../faults.ts';
import { type ForecastRow, requireAccess } from '../find-forecast.ts';
import { ownerOf } from '../owner.ts';
import type { ForecastTables } from '../tables.ts';

/** The columns that decide which callers may read the rows of a forecast. */
export const ROW_ACCESS_COLUMNS = [
  'id',
  'owner',
  'workspace_id',
  'visibility',
  'settings',
  'reproduces',
  'is_copy',
] as const;

type RowAccess = Pick<ForecastRow, (typeof ROW_ACCESS_COLUMNS)[number]>;

/**
 * Checks that a caller that may read a forecast may also read the rows that it was made from. Rows of a source need the
 * access that using them in a reproduction needs. Publishing a forecast does not publish rows that were sent with it.
 */
export async function authorizeRows(
  { database, sources }: Pick<ForecastContext, 'database' | 'sources'>,
  principal: Account | Guest,
  forecast: RowAccess,
): Promise<void> {
  const { source } = forecast.settings;
  if (source === null) return authorizeInlineRows({ database }, principal, forecast);
  const isCreator = forecast.owner === ownerOf(principal).id;
  await sources.of(source).authorizeFrozen?.(principal, source, { isCreator });
}

/**
 * Checks that the caller could read the forecast even if it were not public. Every caller can reproduce a public
 * forecast and then owns the copy, so the same must hold for the forecast that sent the rows. If that one was deleted,
 * no caller can show this.
 */
async function authorizeInlineRows(
  { database }: Pick<ForecastContext, 'database'>,
  principal: Account | Guest,
  forecast: RowAccess,
): Promise<void> {
  let current = forecast;
  for (;;) {
    const { visibility, workspace_id, reproduces } = current;
    const hidden = workspace_id === null ? 'private' : 'workspace';
    try {
      const access = { ...current, visibility: visibility === 'public' ? hidden : visibility } as const;
      await requireAccess(database, principal, 'forecast.read', access);
    } catch (error) {
      throw error instanceof Fault ? inlineRowsDenied() : error;
    }
    if (!current.is_copy && reproduces === null) return;
    const original = await database
      .query<ForecastTables>()
      .selectFrom('forecast')
      .select(ROW_ACCESS_COLUMNS)
      .where('id', '=', reproduces)
      .executeTakeFirst();
    if (original === undefined) throw inlineRowsDenied();
    current = original;
  }
}
