import { type Executor, openUnsubscribeTokens, sealUnsubscribeToken } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import type { ScreenerTables } from '../tables.ts';

const KIND = 'screener unsubscribe';

/** Returns a token that turns off the emails of an account. */
export function createUnsubscribeToken(executor: Executor, accountId: string): Promise<string> {
  return sealUnsubscribeToken(executor, KIND, accountId);
}

/** Returns a function that returns the account id of a token, or null for an invalid token. */
export function createUnsubscribeTokenReader(executor: Executor): (token: string) => Promise<string | null> {
  return openUnsubscribeTokens(executor, KIND);
}

/**
 * Turns off emails for every filter of an account. Queued emails are then not sent. The account can turn emails on again
 * for any filter. Calling it again is safe.
 */
export async function unsubscribe(
  { database, clock }: Pick<ScreenerContext, 'database' | 'clock'>,
  accountId: string,
): Promise<void> {
  await database
    .query<ScreenerTables>()
    .updateTable('screener_filter')
    .set({ email: false, updated_at: clock.now() })
    .where('account_id', '=', accountId)
    .where('email', '=', true)
    .execute();
}
