import { readBouncedAt } from '../../identity/index.ts';
import { type Executor, type PageRequest, readNewestFirst } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import type { ScreenerTables } from '../tables.ts';

const COLUMNS = ['id', 'session', 'state', 'reason', 'attempts', 'created_at', 'sent_at'] as const;

/** Returns a page of the emails of an account, newest first, including those that were not sent. */
export async function listMails(context: ScreenerContext, accountId: string, page: PageRequest) {
  const query = context.database
    .query<ScreenerTables>()
    .selectFrom('screener_mail')
    .select(COLUMNS)
    .where('account_id', '=', accountId);
  const { rows, nextCursor } = await readNewestFirst(
    await context.cursorKey(),
    `screener emails of ${accountId}`,
    page,
    query,
  );
  return { mails: rows, nextCursor };
}

export interface MailDelivery {
  readonly state: 'on' | 'off' | 'suspended';
  /** When the suspension began. */
  readonly since: Date | null;
}

/** Returns whether an account receives emails about its filters. */
export async function readDelivery(executor: Executor, accountId: string): Promise<MailDelivery> {
  const since = await readBouncedAt(executor, accountId);
  if (since !== null) return { state: 'suspended', since };
  const filter = await executor
    .query<ScreenerTables>()
    .selectFrom('screener_filter')
    .select('id')
    .where('account_id', '=', accountId)
    .where('email', '=', true)
    .limit(1)
    .executeTakeFirst();
  return { state: filter ? 'on' : 'off', since: null };
}
