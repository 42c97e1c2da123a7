import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../calendar/index.ts';
import { oldRows, type Removal } from '../../platform/index.ts';
import type { NotificationJobContext } from '../context.ts';
import { lockAllChoices } from './choices.ts';
import { startMails } from './plan-mails.ts';

type Context = Pick<NotificationJobContext, 'database' | 'clock' | 'queue'>;

/** An attempt lasts less than two minutes. */
const ATTEMPT_LOST_AFTER_MS = HOUR_MS;
/** A job starts soon after this time is reached, unless no worker runs. */
const JOB_LOST_AFTER_MS = DAY_MS;

/** How many accounts one transaction starts emails to. */
const BATCH = 100;

/**
 * Ends emails whose job no longer exists: the queue abandons a job that keeps failing, and eventually removes it. What no
 * attempt began to send is in the next email.
 */
export async function cleanMails({ database, clock, queue }: Context): Promise<void> {
  const now = clock.now();
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  await sql`
    UPDATE notification_mail SET state = CASE state WHEN 'sending' THEN 'unknown' ELSE 'failed' END, ended_at = ${now}
    WHERE ended_at IS NULL AND CASE state WHEN 'sending' THEN attempted_at < ${before(ATTEMPT_LOST_AFTER_MS)}
      ELSE send_at < ${before(JOB_LOST_AFTER_MS)} END`.execute(database.query());
  await startForgotten({ database, clock, queue });
}

/** The number of days for which the events that emails listed are kept. */
const LINE_DAYS = 30;

/**
 * Returns the removal of emails that have ended and of what they listed. An email is removed only after all that it
 * listed, so that no transaction removes thousands of rows with it.
 */
export function oldMails(days: number | null, now: Date): Removal[] {
  const lines = { kind: 'mail_lines', table: 'notification_line', days: LINE_DAYS } as const;
  const mails = { kind: 'mails', table: 'notification_mail', days } as const;
  const hasEnded = sql`EXISTS (
    SELECT FROM notification_mail AS mail WHERE mail.id = notification_line.mail_id AND ended_at IS NOT NULL)`;
  // Not NOT EXISTS, for which PostgreSQL expects that hardly an email is left, and reads all of both tables.
  const listsNothing = sql`ended_at IS NOT NULL AND coalesce(
    (SELECT false FROM notification_line AS line WHERE line.mail_id = notification_mail.id LIMIT 1), true)`;
  return [
    ...oldRows({ ...lines, column: 'created_at', now, where: hasEnded }),
    ...oldRows({ ...mails, column: 'created_at', now, where: listsNothing }),
  ];
}

/** Starts emails to accounts that have something to list and no email that has not ended. */
async function startForgotten({ database, clock, queue }: Context): Promise<void> {
  for (let started = BATCH; started === BATCH; ) {
    started = await database.transaction(async (tx) => {
      const { rows } = await sql<{ account_id: string }>`
        SELECT DISTINCT account_id FROM notification_line AS line
        WHERE mail_id IS NULL AND NOT EXISTS (
          SELECT FROM notification_mail AS mail WHERE mail.account_id = line.account_id AND ended_at IS NULL)
        LIMIT ${BATCH}::int`.execute(tx.query());
      const accountIds = rows.map(({ account_id }) => account_id);
      await lockAllChoices(tx, accountIds);
      await startMails(tx, queue, accountIds, clock.now());
      return accountIds.length;
    });
  }
}
