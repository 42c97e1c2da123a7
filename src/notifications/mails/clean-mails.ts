import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../calendar/index.ts';
import type { NotificationJobContext } from '../context.ts';
import { lockAllChoices } from './choices.ts';
import { startMails } from './plan-mails.ts';

type Context = Pick<NotificationJobContext, 'database' | 'clock' | 'queue'>;

/** An attempt lasts less than two minutes. */
const ATTEMPT_LOST_AFTER_MS = HOUR_MS;
/** A job starts soon after this time is reached, unless no worker runs. */
const JOB_LOST_AFTER_MS = DAY_MS;

const MAIL_RETENTION_MS = 400 * DAY_MS;
const LINE_RETENTION_MS = 30 * DAY_MS;

/** How many accounts one transaction starts emails to. */
const BATCH = 100;

/**
 * Ends emails whose job no longer exists: the queue abandons a job that keeps failing, and eventually removes it. What no
 * attempt began to send is in the next email. Removes old emails and what they listed.
 */
export async function cleanMails({ database, clock, queue }: Context): Promise<void> {
  const now = clock.now();
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  await sql`
    UPDATE notification_mail SET state = CASE state WHEN 'sending' THEN 'unknown' ELSE 'failed' END, ended_at = ${now}
    WHERE ended_at IS NULL AND CASE state WHEN 'sending' THEN attempted_at < ${before(ATTEMPT_LOST_AFTER_MS)}
      ELSE send_at < ${before(JOB_LOST_AFTER_MS)} END`.execute(database.query());
  await startForgotten({ database, clock, queue });
  await sql`
    DELETE FROM notification_line AS line WHERE created_at < ${before(LINE_RETENTION_MS)} AND EXISTS (
      SELECT FROM notification_mail AS mail WHERE mail.id = line.mail_id AND ended_at IS NOT NULL)`.execute(
    database.query(),
  );
  await sql`DELETE FROM notification_mail WHERE created_at < ${before(MAIL_RETENTION_MS)}`.execute(database.query());
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
