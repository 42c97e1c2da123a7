import { type RawBuilder, sql } from 'kysely';
import type { ScreenerMailReason, ScreenerMailState } from '../../contract/index.ts';

/** A mail of a day that is over tells nobody anything new. */
export const MAIL_LIFETIME_MS = 24 * 3_600_000;

/** Why a mail must not be sent, or not any more; null: it may. For a statement that names the tables mail and account. */
export function obstacle(now: Date): RawBuilder<ScreenerMailReason | null> {
  return sql`CASE
    WHEN mail.created_at <= ${new Date(now.getTime() - MAIL_LIFETIME_MS)}::timestamptz THEN 'too_late'
    WHEN NOT account.email_verified THEN 'address_not_verified'
    WHEN account.bounced_at IS NOT NULL THEN 'mails_suspended'
    WHEN NOT EXISTS (
      SELECT FROM screener_filter AS filter JOIN screener_result AS result ON filter_id = filter.id
      WHERE filter.account_id = mail.account_id AND filter.email
        AND result.session = mail.session AND cardinality(symbols) > 0
    ) THEN 'no_longer_wanted'
  END`;
}

/** What a mail with an obstacle has become. */
export const STATE_OF_OBSTACLE: RawBuilder<ScreenerMailState> = sql`
  CASE WHEN obstacle = 'too_late' THEN 'failed' ELSE 'skipped' END`;
