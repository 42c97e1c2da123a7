import { sql } from 'kysely';
import type { ScreenerMailReason, ScreenerMailState } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import { obstacle, STATE_OF_OBSTACLE } from './obstacle.ts';

/** A mail that this attempt, and no other, may send. */
export interface ClaimedMail {
  readonly id: string;
  readonly attempt: number;
  readonly accountId: string;
  readonly session: SessionDate;
  readonly to: string;
}

interface ClaimedRow {
  readonly state: ScreenerMailState;
  readonly reason: ScreenerMailReason | null;
  readonly attempts: number;
  readonly account_id: string;
  readonly session: SessionDate;
  readonly email: string;
}

/**
 * Takes a waiting mail, for good: committed before a mail server hears of it, so that whatever happens then, nobody
 * begins anew with what may have been sent. The same statement asks whether it is still to be sent at all. Null when it
 * is not, or is not waiting.
 */
export async function claimMail(executor: Executor, id: string, now: Date): Promise<ClaimedMail | null> {
  const { rows } = await sql<ClaimedRow>`
    WITH asked AS (
      SELECT mail.id, email, ${obstacle(now)} AS obstacle
      FROM screener_mail AS mail JOIN account ON account.id = mail.account_id
      WHERE mail.id = ${id}
    )
    UPDATE screener_mail AS mail SET
      state = CASE WHEN obstacle IS NULL THEN 'sending' ELSE ${STATE_OF_OBSTACLE} END,
      reason = obstacle,
      attempts = attempts + CASE WHEN obstacle IS NULL THEN 1 ELSE 0 END,
      updated_at = ${now}::timestamptz
    FROM asked WHERE mail.id = asked.id AND mail.state = 'queued'
    RETURNING mail.state, mail.reason, mail.attempts, mail.account_id, mail.session, asked.email
  `.execute(executor.query());
  const [row] = rows;
  if (row?.state !== 'sending') return null;
  return { id, attempt: row.attempts, accountId: row.account_id, session: row.session, to: row.email };
}

/**
 * For whoever finds a mail that another attempt had begun to send: that attempt is over, or it would not have been given
 * out again. The mail may have arrived, and nobody can tell.
 */
export async function giveUpInterrupted(executor: Executor, id: string, now: Date): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE screener_mail SET state = 'unknown', reason = 'interrupted', updated_at = ${now}::timestamptz
    WHERE id = ${id} AND state = 'sending'
  `.execute(executor.query());
  return numAffectedRows > 0n;
}
