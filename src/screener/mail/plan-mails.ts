import { sql } from 'kysely';
import { LOW_MAIL_PRIORITY, MAIL_QUEUE } from '../../identity/index.ts';
import type { Clock, Queue, Transaction } from '../../platform/index.ts';
import type { OnRunCompleted } from '../context.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';

interface Plan {
  readonly session: SessionDate;
  /** Whether a later session has closed, so that its email supersedes this one. Default: false. */
  readonly isPast?: boolean;
  /** The maximum number of emails about one session, across all accounts. */
  readonly perDay: number;
  readonly now: Date;
}

/**
 * Plans the emails about a session: one for every account that has a match of a filter with emails turned on. Accounts
 * that have waited longest for an email go first; ties are broken at random, differently for each session. An email
 * ends the wait even if it was not delivered; otherwise an account whose mailbox rejects all emails would go first
 * every day. Accounts beyond the budget and accounts that cannot receive emails get a row with the reason. Existing
 * rows are kept, so planning a session again adds nothing, whatever the clock shows.
 *
 * @returns the ids of the emails to send
 */
export async function planMails(tx: Transaction, { session, isPast = false, perDay, now }: Plan): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH wanting AS (
      SELECT account_id FROM screener_filter AS filter
      WHERE email AND EXISTS (
        SELECT FROM screener_result
        WHERE filter_id = filter.id AND session = ${session}::date AND cardinality(symbols) > 0
      )
      GROUP BY account_id
    ), standing AS (
      SELECT account.id AS account_id,
        CASE WHEN ${isPast}::boolean THEN 'session_over' WHEN locked_at IS NOT NULL THEN 'account_locked'
          WHEN NOT email_verified THEN 'address_not_verified' WHEN bounced_at IS NOT NULL THEN 'mails_suspended' END
          AS block_reason,
        (SELECT max(session) FROM screener_mail AS earlier
          WHERE earlier.account_id = account.id AND state NOT IN ('over_budget', 'skipped')) AS latest,
        encode(sha256(convert_to(account.id || ' ' || ${session}, 'UTF8')), 'hex') AS draw
      FROM wanting JOIN account ON account.id = wanting.account_id
      WHERE NOT EXISTS (
        SELECT FROM screener_mail AS planned WHERE planned.account_id = account.id AND planned.session = ${session}::date
      )
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY block_reason IS NULL ORDER BY latest NULLS FIRST, draw)
        + (SELECT count(*) FROM screener_mail
            WHERE session = ${session}::date AND state NOT IN ('over_budget', 'skipped')) AS place
      FROM standing
    ), planned AS (
      INSERT INTO screener_mail (id, account_id, session, state, reason, attempts, created_at, updated_at)
      SELECT 'mail_' || upper(left(draw, 26)), account_id, ${session}::date,
        CASE WHEN block_reason IS NOT NULL THEN 'skipped' WHEN place > ${perDay}::int THEN 'over_budget' ELSE 'queued' END,
        CASE WHEN block_reason IS NOT NULL THEN block_reason WHEN place > ${perDay}::int THEN 'budget_used_up' END,
        0, ${now}::timestamptz, ${now}::timestamptz
      FROM ranked
      ON CONFLICT ON CONSTRAINT screener_mail_once DO NOTHING
      RETURNING id, state
    )
    SELECT id FROM planned WHERE state = 'queued' ORDER BY id
  `.execute(tx.query());
  return rows.map(({ id }) => id);
}

/** The key under which a job of the email queue holds the id of a screener mail. */
export const SCREENER_MAIL_KEY = 'screenerMailId';

export interface MailPlanOptions {
  readonly clock: Clock;
  /** The maximum number of emails about one session, across all accounts. */
  readonly perDay: number;
}

/** Returns a callback that queues the emails about a session in the transaction that completes its run. */
export function queueMailsAfterRun(
  queue: Pick<Queue, 'enqueueAll'>,
  { clock, perDay }: MailPlanOptions,
): OnRunCompleted {
  return async (tx, run) => {
    const mailIds = await planMails(tx, { ...run, perDay, now: clock.now() });
    // One statement queues all jobs, because on the embedded database every other statement waits for this transaction.
    const jobs = mailIds.map((id) => ({ [SCREENER_MAIL_KEY]: id }));
    await queue.enqueueAll(tx, MAIL_QUEUE.name, jobs, { priority: LOW_MAIL_PRIORITY });
  };
}
