import { sql } from 'kysely';
import type { Transaction } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';

export interface Plan {
  readonly session: SessionDate;
  /** Whether a later session had closed by then: its own mail is what is new. Left out: no. */
  readonly isOver?: boolean;
  /** Mails for one session, in all. */
  readonly perDay: number;
  readonly now: Date;
}

/**
 * Decides who gets a mail about a session: every account with a filter that asks for mails and matched something. Whoever
 * was longest without one comes first, among equals by a draw that is another for each session; whatever became of a mail
 * that used the budget, it counts as one, or a mailbox that takes none would come first every day. Those beyond the
 * budget, and those who cannot get mails, are recorded with the reason. An account that has its row keeps it: repeated, on
 * whatever day the clock shows, this adds nothing.
 *
 * @returns the mails that are to be sent
 */
export async function planMails(tx: Transaction, { session, isOver = false, perDay, now }: Plan): Promise<string[]> {
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
        CASE WHEN ${isOver}::boolean THEN 'session_over' WHEN NOT email_verified THEN 'address_not_verified' WHEN bounced_at IS NOT NULL THEN 'mails_suspended' END
          AS obstacle,
        (SELECT max(session) FROM screener_mail AS earlier
          WHERE earlier.account_id = account.id AND state NOT IN ('over_budget', 'skipped')) AS latest,
        encode(sha256(convert_to(account.id || ' ' || ${session}, 'UTF8')), 'hex') AS draw
      FROM wanting JOIN account ON account.id = wanting.account_id
      WHERE NOT EXISTS (
        SELECT FROM screener_mail AS planned WHERE planned.account_id = account.id AND planned.session = ${session}::date
      )
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY obstacle IS NULL ORDER BY latest NULLS FIRST, draw)
        + (SELECT count(*) FROM screener_mail
            WHERE session = ${session}::date AND state NOT IN ('over_budget', 'skipped')) AS place
      FROM standing
    ), planned AS (
      INSERT INTO screener_mail (id, account_id, session, state, reason, attempts, created_at, updated_at)
      SELECT 'mail_' || upper(left(draw, 26)), account_id, ${session}::date,
        CASE WHEN obstacle IS NOT NULL THEN 'skipped' WHEN place > ${perDay}::int THEN 'over_budget' ELSE 'queued' END,
        CASE WHEN obstacle IS NOT NULL THEN obstacle WHEN place > ${perDay}::int THEN 'budget_used_up' END,
        0, ${now}::timestamptz, ${now}::timestamptz
      FROM ranked
      ON CONFLICT ON CONSTRAINT screener_mail_once DO NOTHING
      RETURNING id, state
    )
    SELECT id FROM planned WHERE state = 'queued' ORDER BY id
  `.execute(tx.query());
  return rows.map(({ id }) => id);
}
