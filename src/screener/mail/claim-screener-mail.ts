import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../calendar/index.ts';
import type { ScreenerMailReason, ScreenerMailState } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';

/** An email that only this attempt may send. */
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
 * Claims a queued email. The claim is committed before a mail server is contacted, so that no other attempt sends the
 * email again. The same statement checks that the email is still wanted. Returns null if the email is blocked or not
 * queued.
 */
export async function claimScreenerMail(executor: Executor, id: string, now: Date): Promise<ClaimedMail | null> {
  const { rows } = await sql<ClaimedRow>`
    WITH checked AS (
      SELECT mail.id, email, ${mailBlockReason(now)} AS block_reason
      FROM screener_mail AS mail JOIN account ON account.id = mail.account_id
      WHERE mail.id = ${id}
    )
    UPDATE screener_mail AS mail SET
      state = CASE WHEN block_reason IS NULL THEN 'sending' ELSE ${BLOCKED_STATE} END,
      reason = block_reason,
      attempts = attempts + CASE WHEN block_reason IS NULL THEN 1 ELSE 0 END,
      updated_at = ${now}::timestamptz
    FROM checked WHERE mail.id = checked.id AND mail.state = 'queued'
    RETURNING mail.state, mail.reason, mail.attempts, mail.account_id, mail.session, checked.email
  `.execute(executor.query());
  const [row] = rows;
  if (row?.state !== 'sending') return null;
  return { id, attempt: row.attempts, accountId: row.account_id, session: row.session, to: row.email };
}

/**
 * Ends an email that an earlier attempt began to send. That attempt is over, because the queue does not hand out a job to
 * two workers at a time. Whether the email arrived is unknown.
 * @returns false if no attempt had begun
 */
export async function abandonInterrupted(executor: Executor, id: string, now: Date): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE screener_mail SET state = 'unknown', reason = 'interrupted', updated_at = ${now}::timestamptz
    WHERE id = ${id} AND state = 'sending'
  `.execute(executor.query());
  return numAffectedRows > 0n;
}

/** An email about a past day is not worth sending. */
export const MAIL_LIFETIME_MS = DAY_MS;

/**
 * Returns SQL for the reason not to send an email, or null. It is part of a statement with the tables `mail` and
 * `account`.
 */
export function mailBlockReason(now: Date): RawBuilder<ScreenerMailReason | null> {
  return sql`CASE
    WHEN mail.created_at <= ${new Date(now.getTime() - MAIL_LIFETIME_MS)}::timestamptz THEN 'too_late'
    WHEN account.locked_at IS NOT NULL THEN 'account_locked'
    WHEN NOT account.email_verified THEN 'address_not_verified'
    WHEN account.bounced_at IS NOT NULL THEN 'mails_suspended'
    WHEN NOT EXISTS (
      SELECT FROM screener_filter AS filter JOIN screener_result AS result ON filter_id = filter.id
      WHERE filter.account_id = mail.account_id AND filter.email
        AND result.session = mail.session AND cardinality(symbols) > 0
    ) THEN 'no_longer_wanted'
  END`;
}

/** SQL for the state of an email that has a block reason. */
export const BLOCKED_STATE: RawBuilder<ScreenerMailState> = sql`
  CASE WHEN block_reason = 'too_late' THEN 'failed' ELSE 'skipped' END`;

/**
 * Returns whether a composed mail may still be sent: the account must not be locked, the address must be unchanged,
 * verified and not suspended, and all filters of the email must still exist and have emails turned on.
 */
export async function canStillSend(
  executor: Executor,
  { accountId, to }: Pick<ClaimedMail, 'accountId' | 'to'>,
  filterIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM account
    WHERE id = ${accountId} AND email = ${to} AND email_verified AND bounced_at IS NULL AND locked_at IS NULL
      AND ${filterIds.length}::int = (
        SELECT count(*) FROM screener_filter WHERE account_id = account.id AND email AND id = ANY(${[...filterIds]}::text[])
      )
  `.execute(executor.query());
  return rows.length > 0;
}
