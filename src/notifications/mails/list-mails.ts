import type { Selectable } from 'kysely';
import type { NotificationMailState } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { NotificationMailTable, NotificationTables } from '../tables.ts';

/** An email as the API shows it. */
export interface ListedMail {
  readonly state: NotificationMailState;
  readonly created_at: string;
  /** Null if it was not sent. */
  readonly sent_at: string | null;
}

const PAGE = 500;

/** Yields the emails about forecasts to an account, newest first. */
export async function* listNotificationMails(executor: Executor, accountId: string): AsyncGenerator<ListedMail> {
  for (let before: string | null = null; ; ) {
    const rows: MailRow[] = await selectMails(executor, accountId, before, PAGE);
    yield* rows.map(viewMail);
    before = rows.length < PAGE ? null : (rows.at(-1)?.id ?? null);
    if (before === null) return;
  }
}

/** Returns the newest email to an account; null if there is none. */
export async function readLastMail(executor: Executor, accountId: string): Promise<ListedMail | null> {
  const [row] = await selectMails(executor, accountId, null, 1);
  return row === undefined ? null : viewMail(row);
}

type MailRow = Pick<Selectable<NotificationMailTable>, 'id' | 'state' | 'created_at' | 'ended_at'>;

/** @param before the id of the email before which to begin; null to begin with the newest */
function selectMails(executor: Executor, accountId: string, before: string | null, limit: number): Promise<MailRow[]> {
  return executor
    .query<NotificationTables>()
    .selectFrom('notification_mail')
    .select(['id', 'state', 'created_at', 'ended_at'])
    .where('account_id', '=', accountId)
    .$if(before !== null, (query) => query.where('id', '<', before as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

function viewMail({ state, created_at, ended_at }: MailRow): ListedMail {
  const sentAt = state === 'sent' ? ended_at : null;
  return {
    state: state === 'sending' ? 'queued' : state,
    created_at: created_at.toISOString(),
    sent_at: sentAt?.toISOString() ?? null,
  };
}
