import { sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import type { ClaimedMail } from './claim-mail.ts';

/**
 * Whether a mail may still be sent as it was made: to the same verified address, whose mails are not suspended, and
 * about filters that are all there and all want mails.
 */
export async function isStillSo(
  executor: Executor,
  { accountId, to }: Pick<ClaimedMail, 'accountId' | 'to'>,
  filterIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM account
    WHERE id = ${accountId} AND email = ${to} AND email_verified AND bounced_at IS NULL
      AND ${filterIds.length}::int = (
        SELECT count(*) FROM screener_filter WHERE account_id = account.id AND email AND id = ANY(${[...filterIds]}::text[])
      )
  `.execute(executor.query());
  return rows.length > 0;
}
