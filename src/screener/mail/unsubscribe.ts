import { type Executor, openCursor, readSigningKey, sealCursor } from '../../platform/index.ts';
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

/** Whether it is one of ours. Changes nothing: mail programs open links by themselves. */
export async function isUnsubscribeToken(executor: Executor, token: string): Promise<boolean> {
  return (await accountOf(executor, token)) !== null;
}

/**
 * Turns mails off for every filter of the account; a mail that waits is not sent. Any filter can ask for them again.
 * False when the token is none of ours. Safe to repeat.
 */
export async function unsubscribe(
  { database, clock }: Pick<ScreenerContext, 'database' | 'clock'>,
  token: string,
): Promise<boolean> {
  const accountId = await accountOf(database, token);
  if (accountId === null) return false;
  await database
    .query<ScreenerTables>()
    .updateTable('screener_filter')
    .set({ email: false, updated_at: clock.now() })
    .where('account_id', '=', accountId)
    .where('email', '=', true)
    .execute();
  return true;
}

async function accountOf(executor: Executor, token: string): Promise<string | null> {
  const opened = openCursor(await readSigningKey(executor, KEY), KEY, token) as { accountId: string } | null;
  return opened?.accountId ?? null;
}
