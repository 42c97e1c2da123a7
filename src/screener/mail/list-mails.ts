import { bouncedSince } from '../../identity/index.ts';
import { type Executor, type PageRequest, readNewestFirst } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import type { ScreenerTables } from '../tables.ts';

const LISTED = ['id', 'session', 'state', 'reason', 'attempts', 'created_at', 'sent_at'] as const;

/** A page of an account's mails, newest first: those that were not sent, too. */
export async function listMails(context: ScreenerContext, accountId: string, page: PageRequest) {
  const query = context.database
    .query<ScreenerTables>()
    .selectFrom('screener_mail')
    .select(LISTED)
    .where('account_id', '=', accountId);
  const { rows, nextCursor } = await readNewestFirst(
    await context.cursorKey(),
    `screener mails of ${accountId}`,
    page,
    query,
  );
  return { mails: rows, nextCursor };
}

export interface MailDelivery {
  readonly state: 'on' | 'off' | 'suspended';
  /** Of a suspension. */
  readonly since: Date | null;
}

/** Whether an account gets mails about its filters. */
export async function readDelivery(executor: Executor, accountId: string): Promise<MailDelivery> {
  const since = await bouncedSince(executor, accountId);
  if (since !== null) return { state: 'suspended', since };
  const wanting = await executor
    .query<ScreenerTables>()
    .selectFrom('screener_filter')
    .select('id')
    .where('account_id', '=', accountId)
    .where('email', '=', true)
    .limit(1)
    .executeTakeFirst();
  return { state: wanting ? 'on' : 'off', since: null };
}
