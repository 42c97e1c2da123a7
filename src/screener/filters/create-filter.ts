import { Fault, MAX_SCREENER_FILTERS } from '../../contract/index.ts';
import { lockAccount } from '../../identity/index.ts';
import { jsonb, newId } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import type { ScreenerFilterTable, ScreenerTables } from '../tables.ts';
import { rulesOf, type SentRules } from './rules-of.ts';

export interface NewFilter extends SentRules {
  readonly name: string;
  readonly email: boolean;
}

/** Saves a filter, unless the account has as many as it may. */
export async function createFilter(
  { database, clock }: ScreenerContext,
  accountId: string,
  { name, email, ...sent }: NewFilter,
): Promise<ScreenerFilterTable> {
  const now = clock.now();
  const { universe, combine, conditions } = rulesOf(sent);
  return database.transaction(async (tx) => {
    // One after the other for each account: two must not both count nine.
    await lockAccount(tx, accountId);
    const { kept } = await tx
      .query<ScreenerTables>()
      .selectFrom('screener_filter')
      .select((eb) => eb.fn.countAll<number>().as('kept'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (kept >= MAX_SCREENER_FILTERS) {
      throw new Fault('LIMIT_REACHED', `An account can have ${MAX_SCREENER_FILTERS} filters. Delete one first.`);
    }
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
