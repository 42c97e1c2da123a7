import { sql } from 'kysely';
import type { Clock, Database, Executor, Queue } from '../../platform/index.ts';
import type { NotificationTables } from '../tables.ts';
import { CAN_GET_MAILS, lockAllChoices } from './choices.ts';

/** The dependencies of sending an email. */
export interface SendingContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Pick<Queue, 'enqueue' | 'enqueueAll' | 'complete'>;
}

/** An attempt to send an email. */
export interface MailAttempt {
  readonly id: string;
  readonly accountId: string;
  /** The number of the attempt. */
  readonly attempt: number;
}

/** An email that only this attempt may send. */
export interface ClaimedMail extends MailAttempt {
  readonly to: string;
}

/**
 * Claims a queued email, with everything that it can list by now. The claim is committed before a mail server is contacted,
 * so that no other attempt sends the email again. Skips an email to an account that wants none or cannot get any. Returns
 * null if the email is not queued or was skipped.
 */
export async function claimMail({ database, clock }: SendingContext, id: string): Promise<ClaimedMail | null> {
  const now = clock.now();
  return database.transaction(async (tx) => {
    const mail = await findMail(tx, id);
    if (mail === undefined) return null;
    await lockAllChoices(tx, [mail.account_id]);
    const { rows } = await sql<ClaimedMail & { state: string }>`
      WITH checked AS (
        SELECT choice.account_id, email, ${CAN_GET_MAILS} AND (forecasts OR outcomes) AS is_wanted
        FROM notification_choice AS choice JOIN account ON account.id = choice.account_id
      ), claimed AS (
        UPDATE notification_mail AS mail SET
          state = CASE WHEN is_wanted THEN 'sending' ELSE 'skipped' END,
          attempts = attempts + CASE WHEN is_wanted THEN 1 ELSE 0 END,
          attempted_at = CASE WHEN is_wanted THEN ${now}::timestamptz ELSE attempted_at END,
          ended_at = CASE WHEN is_wanted THEN NULL ELSE ${now}::timestamptz END
        FROM checked WHERE mail.id = ${id} AND mail.state = 'queued' AND checked.account_id = mail.account_id
        RETURNING mail.id, mail.account_id, attempts, mail.state, email
      ), taken AS (
        UPDATE notification_line AS line SET mail_id = claimed.id
        FROM claimed WHERE line.account_id = claimed.account_id AND line.mail_id IS NULL
      )
      SELECT id, account_id AS "accountId", attempts AS attempt, email AS to, state FROM claimed`.execute(tx.query());
    const [claimed] = rows;
    if (claimed?.state !== 'sending') return null;
    const { accountId, attempt, to } = claimed;
    return { id, accountId, attempt, to };
  });
}

/** Returns the attempt that has begun to send an email; null if there is none. */
export async function findBegunAttempt({ database }: SendingContext, id: string): Promise<MailAttempt | null> {
  const mail = await findMail(database, id);
  return mail?.state === 'sending' ? { id, accountId: mail.account_id, attempt: mail.attempts } : null;
}

/** Returns whether an email waits for an attempt. */
export async function isQueued({ database }: SendingContext, id: string): Promise<boolean> {
  return (await findMail(database, id))?.state === 'queued';
}

function findMail(executor: Executor, id: string) {
  return executor
    .query<NotificationTables>()
    .selectFrom('notification_mail')
    .select(['account_id', 'state', 'attempts'])
    .where('id', '=', id)
    .executeTakeFirst();
}
