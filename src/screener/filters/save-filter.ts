import { MAX_SCREENER_FILTERS } from '../../contract/index.ts';
import { lockAccount } from '../../identity/index.ts';
import { type Executor, jsonb, newId } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import { type RequestedRules, toConditions, toFilterRules } from '../evaluate/filter-rules.ts';
import { filterNotFound, tooManyFilters } from '../faults.ts';
import type { ScreenerFilterTable, ScreenerTables } from '../tables.ts';

export interface NewFilter extends RequestedRules {
  readonly name: string;
  readonly email: boolean;
}

/** Saves a filter, up to the limit of the account. */
export async function createFilter(
  { database, clock }: ScreenerContext,
  accountId: string,
  { name, email, ...requested }: NewFilter,
): Promise<ScreenerFilterTable> {
  const now = clock.now();
  const { universe, combine, conditions } = toFilterRules(requested);
  return database.transaction(async (tx) => {
    // Serializes the requests of an account, so that two concurrent requests cannot both count nine filters and exceed
    // the limit of ten.
    await lockAccount(tx, accountId);
    const { count } = await tx
      .query<ScreenerTables>()
      .selectFrom('screener_filter')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_SCREENER_FILTERS) throw tooManyFilters(MAX_SCREENER_FILTERS);
    return tx
      .query<ScreenerTables>()
      .insertInto('screener_filter')
      .values({
        id: newId('alt', now.getTime()),
        account_id: accountId,
        name,
        universe: universe === 'all' ? null : [...universe],
        combine,
        conditions: jsonb([...conditions]),
        email,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

export type FilterChange = { readonly [Field in keyof NewFilter]?: NewFilter[Field] | undefined };

/** Changes the given fields of a filter. Does not change stored results. */
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
      ...((all ?? any) !== undefined && toConditionColumns({ all, any })),
      ...(email !== undefined && { email }),
    })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirst();
  if (changed === undefined) throw filterNotFound();
  return changed;
}

function toConditionColumns(requested: Pick<FilterChange, 'all' | 'any'>) {
  const { combine, conditions } = toConditions(requested);
  return { combine, conditions: jsonb([...conditions]) };
}

/** Removes a filter and its results. A queued email reads its filters when it is sent, so it omits this one. */
export async function deleteFilter(
  { database }: { readonly database: Executor },
  accountId: string,
  id: string,
): Promise<void> {
  const removed = await database
    .query<ScreenerTables>()
    .deleteFrom('screener_filter')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  if (removed === undefined) throw filterNotFound();
}
