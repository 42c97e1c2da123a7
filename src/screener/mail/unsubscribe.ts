import { type Executor, once, openCursor, readSigningKey, sealCursor } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import type { ScreenerTables } from '../tables.ts';

/** Part of the signature of every token, so it must not change. */
const KEY = 'screener unsubscribe';

/**
 * Returns a token that turns off the emails of an account without signing in. It allows nothing else and never expires,
 * because the link in an email that is a year old must still work.
 */
export async function createUnsubscribeToken(executor: Executor, accountId: string): Promise<string> {
  return sealCursor(await readSigningKey(executor, KEY), KEY, { accountId });
}

/**
 * Returns a function that returns the account id of a token, or null for an invalid token. The key is read only once,
 * so that thousands of invalid tokens do not cause database queries.
 */
export function createUnsubscribeTokenReader(executor: Executor): (token: string) => Promise<string | null> {
  const key = once(() => readSigningKey(executor, KEY));
  return async (token) => {
    const opened = openCursor(await key(), KEY, token) as { readonly accountId: string } | null;
    return opened?.accountId ?? null;
  };
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
