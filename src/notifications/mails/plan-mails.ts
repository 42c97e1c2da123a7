import { sql } from 'kysely';
import { MINUTE_MS } from '../../calendar/index.ts';
import { MAX_NOTIFICATION_MAILS_PER_DAY, MIN_MINUTES_BETWEEN_NOTIFICATION_MAILS } from '../../contract/index.ts';
import { CANCELED } from '../../forecasts/index.ts';
import { LOW_MAIL_PRIORITY, MAIL_QUEUE } from '../../identity/index.ts';
import { newId, type OutboxEvent, type Queue, type Transaction } from '../../platform/index.ts';
import type { Audience } from '../dispatch/find-audiences.ts';
import type { MailedType } from '../tables.ts';
import { lockChoices } from './choices.ts';

/** The key of jobs of this kind in the email queue. A job contains the id of the email. */
export const NOTIFICATION_MAIL_KEY = 'notificationMailId';

/** How long an email waits at least, so that forecasts that end together share it. */
const DELAY_MS = MINUTE_MS;

interface DispatchedEvents {
  readonly events: readonly OutboxEvent[];
  /** The audience of each event, by its subject. */
  readonly audiences: ReadonlyMap<string, Audience>;
  readonly now: Date;
}

/**
 * Stores what emails list of these events, and starts an email to each account that has none waiting. Reads nothing but
 * the choices of the accounts if none of them wants an email.
 */
export async function planMails(
  tx: Transaction,
  queue: Pick<Queue, 'enqueueAll'>,
  { events, audiences, now }: DispatchedEvents,
): Promise<void> {
  const mailed = events.flatMap((event) => {
    const accountId = audiences.get(event.subject)?.account_id ?? null;
    return accountId === null || !isMailed(event) ? [] : [{ ...event, accountId }];
  });
  const choices = await lockChoices(
    tx,
    mailed.map(({ accountId }) => accountId),
  );
  const lines = mailed
    .filter(({ type, accountId }) => choices.get(accountId)?.[type === 'forecast.outcome' ? 'outcomes' : 'forecasts'])
    .map(({ id, type, subject, accountId, created_at }) => ({
      event_id: id,
      account_id: accountId,
      type,
      forecast_id: subject,
      created_at,
    }));
  if (lines.length === 0) return;
  // One parameter, because every event can have a line.
  await sql`
    INSERT INTO notification_line (event_id, account_id, type, forecast_id, created_at)
    SELECT * FROM json_to_recordset(${JSON.stringify(lines)}::json)
      AS given(event_id text, account_id text, type text, forecast_id text, created_at timestamptz)`.execute(
    tx.query(),
  );
  await startMails(
    tx,
    queue,
    lines.map(({ account_id }) => account_id),
    now,
  );
}

type MailedEvent = OutboxEvent & { readonly type: MailedType };

/** Returns whether emails list an event. An account that canceled a forecast does not need an email about it. */
function isMailed(event: OutboxEvent): event is MailedEvent {
  const { type, details } = event;
  if (type === 'forecast.failed') return details.code !== CANCELED.code;
  return type === 'forecast.completed' || (type === 'forecast.outcome' && details.status === 'complete');
}

/**
 * Starts an email to each of these accounts that has something to list and no email that has not ended. It starts when the
 * bounds allow it: they count the emails that an attempt was made to send, from the end of each. The caller has locked the
 * choices of the accounts.
 */
export async function startMails(
  tx: Transaction,
  queue: Pick<Queue, 'enqueueAll'>,
  accountIds: readonly string[],
  now: Date,
): Promise<void> {
  const given = [...new Set(accountIds)].map((accountId) => ({
    id: newId('mail', now.getTime()),
    account_id: accountId,
  }));
  if (given.length === 0) return;
  const { rows } = await sql<{ id: string; send_at: Date }>`
    INSERT INTO notification_mail (id, account_id, state, send_at, created_at)
    SELECT id, account_id, 'queued', greatest(
      ${new Date(now.getTime() + DELAY_MS)}::timestamptz,
      ${earlierEnd(1)} + ${MIN_MINUTES_BETWEEN_NOTIFICATION_MAILS}::int * interval '1 minute',
      ${earlierEnd(MAX_NOTIFICATION_MAILS_PER_DAY)} + interval '24 hours'
    ), ${now}::timestamptz
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS given(id text, account_id text)
    WHERE EXISTS (SELECT FROM notification_line AS line WHERE line.account_id = given.account_id AND mail_id IS NULL)
    ON CONFLICT (account_id) WHERE ended_at IS NULL DO NOTHING
    RETURNING id, send_at`.execute(tx.query());
  // One statement for all jobs of a time. Most emails of a transaction start after the same minute.
  for (const [time, mails] of Map.groupBy(rows, ({ send_at }) => send_at.getTime())) {
    const jobs = mails.map(({ id }) => ({ [NOTIFICATION_MAIL_KEY]: id }));
    await queue.enqueueAll(tx, MAIL_QUEUE.name, jobs, { priority: LOW_MAIL_PRIORITY, startAfter: new Date(time) });
  }
}

/** Returns SQL for the end of the latest attempted email to the account `given` (1), the one before it (2), and so on. */
function earlierEnd(place: number) {
  return sql`(
    SELECT ended_at FROM notification_mail AS earlier
    WHERE earlier.account_id = given.account_id AND attempts > 0 AND ended_at IS NOT NULL
    ORDER BY ended_at DESC OFFSET ${place - 1}::int LIMIT 1)`;
}
