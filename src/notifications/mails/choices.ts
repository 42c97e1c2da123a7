import { type RawBuilder, sql } from 'kysely';
import { readBouncedAt } from '../../identity/index.ts';
import type { Clock, Database, Executor, Transaction } from '../../platform/index.ts';
import type { NotificationTables } from '../tables.ts';

/** Which emails about forecasts an account wants. */
export interface Choice {
  readonly forecasts: boolean;
  readonly outcomes: boolean;
}

const NONE: Choice = { forecasts: false, outcomes: false };

/** Returns which emails an account wants: none until it turns them on. */
export async function readChoice(executor: Executor, accountId: string): Promise<Choice> {
  const found = await executor
    .query<NotificationTables>()
    .selectFrom('notification_choice')
    .select(['forecasts', 'outcomes'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return found ?? NONE;
}

/**
 * Changes the given parts of a choice. What is turned off is not listed in an email that is waiting. Does nothing if the
 * account was erased: the link in its last email still works.
 */
export async function changeChoice(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  accountId: string,
  { forecasts = null, outcomes = null }: { readonly [Kind in keyof Choice]?: boolean | null | undefined },
): Promise<void> {
  await sql`
    INSERT INTO notification_choice AS choice (account_id, forecasts, outcomes, updated_at)
    SELECT id, coalesce(${forecasts}::boolean, false), coalesce(${outcomes}::boolean, false), ${clock.now()}::timestamptz
    FROM account WHERE id = ${accountId}
    ON CONFLICT (account_id) DO UPDATE SET
      forecasts = coalesce(${forecasts}::boolean, choice.forecasts),
      outcomes = coalesce(${outcomes}::boolean, choice.outcomes),
      updated_at = excluded.updated_at`.execute(database.query());
}

export interface MailDelivery {
  readonly state: 'on' | 'off' | 'suspended';
  /** When the suspension began. */
  readonly since: Date | null;
}

/** Returns whether an account gets the emails that it chose. */
export async function readMailDelivery(
  executor: Executor,
  accountId: string,
  { forecasts, outcomes }: Choice,
): Promise<MailDelivery> {
  const since = await readBouncedAt(executor, accountId);
  if (since !== null) return { state: 'suspended', since };
  return { state: forecasts || outcomes ? 'on' : 'off', since: null };
}

/** SQL for the condition that an account gets emails if it wants them. The statement has the table `account`. */
export const CAN_GET_MAILS: RawBuilder<boolean> = sql`(
  account.email_verified AND account.bounced_at IS NULL AND account.locked_at IS NULL)`;

/**
 * Returns the choices of the accounts that get emails, and locks them in the order of their ids. Every transaction that
 * stores what an email lists, and every one that begins an attempt or ends an email, holds this lock. So none of them
 * misses what another one stores, and an email is started for it.
 */
export async function lockChoices(
  tx: Transaction,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, Choice>> {
  if (accountIds.length === 0) return new Map();
  const { rows } = await sql<Choice & { account_id: string }>`
    SELECT account_id, forecasts, outcomes
    FROM notification_choice AS choice JOIN account ON account.id = choice.account_id
    WHERE account_id = ANY (${[...new Set(accountIds)]}::text[]) AND (forecasts OR outcomes) AND ${CAN_GET_MAILS}
    ORDER BY account_id FOR NO KEY UPDATE OF choice`.execute(tx.query());
  return new Map(rows.map(({ account_id, ...choice }) => [account_id, choice]));
}

/** Locks the choices of accounts, even if they want no emails or cannot get them. */
export async function lockAllChoices(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  await sql`
    SELECT FROM notification_choice WHERE account_id = ANY (${[...accountIds]}::text[])
    ORDER BY account_id FOR NO KEY UPDATE`.execute(tx.query());
}
