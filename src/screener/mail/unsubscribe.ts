import { type Executor, once, openCursor, readSigningKey, sealCursor } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import type { ScreenerTables } from '../tables.ts';

const KEY = 'screener unsubscribe';

/**
 * What lets whoever has a mail end the mails, without signing in. It can do nothing else, and works for as long as
 * there are mails: one that has lain in a mailbox for a year must still be a way out.
 */
export async function unsubscribeToken(executor: Executor, accountId: string): Promise<string> {
  return sealCursor(await readSigningKey(executor, KEY), KEY, { accountId });
}

/**
 * Tells whose mails a token ends; null when it is none of ours. The key is read once: whoever sends bad tokens by the
 * thousand has none of them reach the database.
 */
export function openUnsubscribeTokens(executor: Executor): (token: string) => Promise<string | null> {
  const key = once(() => readSigningKey(executor, KEY));
  return async (token) => {
    const opened = openCursor(await key(), KEY, token) as { readonly accountId: string } | null;
    return opened?.accountId ?? null;
  };
}

/**
 * Turns mails off for every filter of the account; a mail that waits is not sent. Any filter can ask for them again. Safe
 * to repeat.
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
