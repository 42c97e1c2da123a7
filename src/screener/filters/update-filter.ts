import { Fault } from '../../contract/index.ts';
import { jsonb } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import type { ScreenerFilterTable, ScreenerTables } from '../tables.ts';
import type { NewFilter } from './create-filter.ts';
import { NO_SUCH_FILTER } from './find-filter.ts';
import { conditionsOf } from './rules-of.ts';

export type FilterChange = { readonly [Field in keyof NewFilter]?: NewFilter[Field] | undefined };

/** Changes what is named. What was matched before stays as it is. */
export async function updateFilter(
  { database, clock }: ScreenerContext,
  accountId: string,
  id: string,
  { name, universe, all, any, email }: FilterChange,
): Promise<ScreenerFilterTable> {
  const changed = await database
    .query<ScreenerTables>()
    .updateTable('screener_filter')
    .set({
      updated_at: clock.now(),
      ...(name !== undefined && { name }),
      ...(universe !== undefined && { universe: universe === 'all' ? null : [...universe] }),
      ...((all ?? any) !== undefined && combined({ all, any })),
      ...(email !== undefined && { email }),
    })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirst();
  if (changed === undefined) throw new Fault('NOT_FOUND', NO_SUCH_FILTER);
  return changed;
}

function combined(sent: Pick<FilterChange, 'all' | 'any'>) {
  const { combine, conditions } = conditionsOf(sent);
  return { combine, conditions: jsonb([...conditions]) };
}
