import { type RawBuilder, sql } from 'kysely';
import { nameForecast } from '../../forecasts/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { MailedType } from '../tables.ts';
import { CAN_GET_MAILS } from './choices.ts';
import type { ClaimedMail } from './claim-mail.ts';

/** Maximum number of lines of an email. */
const MAX_LINES = 50;

/** What an email lists of one event. */
export interface MailLine {
  readonly type: MailedType;
  readonly slug: string;
  /** The title that the account chose, or null. */
  readonly title: string | null;
  /** The series and the horizon. */
  readonly series: string;
  /** Why the forecast failed; null for other events. */
  readonly reason: string | null;
}

/** The content of an email. */
export interface MailContent {
  /** The newest lines first, at most 50. */
  readonly lines: readonly MailLine[];
  /** The number of all lines by type. */
  readonly counts: Readonly<Record<MailedType, number>>;
}

type NamedSettings = Parameters<typeof nameForecast>[0]['settings'];

interface LineRow {
  readonly type: MailedType;
  readonly slug: string;
  readonly title: string | null;
  readonly settings: NamedSettings;
  readonly error: { readonly message: string } | null;
  readonly completed: number;
  readonly failed: number;
  readonly outcomes: number;
}

/**
 * SQL for what a claimed email lists: not what the account has turned off since, and no forecast that was deleted or that the
 * account can no longer read. A forecast in a workspace is read as `listForecasts` decides.
 */
function listed(mailId: string): RawBuilder<unknown> {
  return sql`
    notification_line AS line
    JOIN notification_choice AS choice ON choice.account_id = line.account_id
    JOIN forecast ON forecast.id = line.forecast_id AND forecast.account_id = line.account_id
    WHERE line.mail_id = ${mailId}
      AND CASE line.type WHEN 'forecast.outcome' THEN choice.outcomes ELSE choice.forecasts END
      AND (forecast.workspace_id IS NULL OR forecast.visibility = 'public' OR EXISTS (
        SELECT FROM workspace_member AS member
        WHERE member.workspace_id = forecast.workspace_id AND member.account_id = line.account_id
          AND CASE forecasts_scope_mode WHEN 'all' THEN true
            WHEN 'selected' THEN forecast.visibility = 'private' OR forecast.id = ANY (forecasts_scope_ids)
            ELSE false END))`;
}

/** Reads the content of a claimed email. Returns null if nothing is left to list. */
export async function readContent(executor: Executor, { id }: Pick<ClaimedMail, 'id'>): Promise<MailContent | null> {
  const { rows } = await sql<LineRow>`
    SELECT line.type, slug, title, settings, error,
      count(*) FILTER (WHERE line.type = 'forecast.completed') OVER all_lines AS completed,
      count(*) FILTER (WHERE line.type = 'forecast.failed') OVER all_lines AS failed,
      count(*) FILTER (WHERE line.type = 'forecast.outcome') OVER all_lines AS outcomes
    FROM ${listed(id)}
    WINDOW all_lines AS ()
    ORDER BY line.created_at DESC, line.event_id DESC LIMIT ${MAX_LINES}::int`.execute(executor.query());
  const [first] = rows;
  if (first === undefined) return null;
  return {
    lines: rows.map(({ type, slug, title, settings, error }) => ({
      type,
      slug,
      title,
      series: nameForecast({ title: null, settings }),
      reason: type === 'forecast.failed' ? (error?.message ?? null) : null,
    })),
    counts: {
      'forecast.completed': first.completed,
      'forecast.failed': first.failed,
      'forecast.outcome': first.outcomes,
    },
  };
}

/** Returns the number of all lines of an email. */
export function countLines({ counts }: Pick<MailContent, 'counts'>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/**
 * Returns whether a composed email may still be sent: the account can get emails at the same address, and the email would
 * still list the same.
 */
export async function canStillSend(
  executor: Executor,
  { id, accountId, to }: ClaimedMail,
  content: MailContent,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM account
    WHERE id = ${accountId} AND email = ${to} AND ${CAN_GET_MAILS}
      AND ${countLines(content)}::int = (SELECT count(*) FROM ${listed(id)})`.execute(executor.query());
  return rows.length > 0;
}
