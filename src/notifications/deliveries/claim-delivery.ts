import { type RawBuilder, sql } from 'kysely';
import { WEBHOOK_TEST_EVENT } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { StoredAttempt } from '../tables.ts';
import { MAX_AGE_MS } from './retry-times.ts';

/** A delivery that an attempt has begun to send. */
export interface ClaimedDelivery {
  readonly kind: 'send';
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly body: string;
  /** The number of this attempt. */
  readonly attempt: number;
  /** The earlier attempts. */
  readonly attempts: readonly StoredAttempt[];
  readonly created_at: Date;
  readonly url: string;
  readonly secret_version: number;
  readonly rotated_at: Date | null;
  readonly key_number: number;
  readonly previous_key_number: number | null;
}

/** What becomes of a job: it sends, waits for the end of a pause, or has nothing to do. */
export type Claim = ClaimedDelivery | { readonly kind: 'wait'; readonly until: Date } | { readonly kind: 'over' };

interface ClaimedRow extends Omit<ClaimedDelivery, 'kind'> {
  readonly decision: 'send' | 'wait' | 'skip';
  readonly paused_until: Date | null;
}

/**
 * Begins an attempt. The claim is committed before anything is sent. The same statement checks that the delivery is still
 * pending, that the webhook is on and that its owner may have webhooks. An earlier attempt that never ended is recorded as
 * interrupted.
 */
export async function claimDelivery(executor: Executor, id: string, now: Date): Promise<Claim> {
  const { rows } = await sql<ClaimedRow>`
    WITH decided AS (
      SELECT delivery.id, webhook.url, webhook.secret_version, webhook.rotated_at, webhook.key_number,
        webhook.previous_key_number, webhook.paused_until,
        CASE WHEN delivery.type = ${WEBHOOK_TEST_EVENT} AND ${OWNER_MAY_HAVE_WEBHOOKS} THEN 'send'
          WHEN NOT webhook.enabled OR NOT ${OWNER_MAY_HAVE_WEBHOOKS} THEN 'skip'
          WHEN webhook.paused_until > ${now} AND delivery.created_at > ${new Date(now.getTime() - MAX_AGE_MS)}
            -- The first attempt of a replay is what a caller asked for and is waiting for.
            AND (replays IS NULL OR attempt > 0) THEN 'wait'
          ELSE 'send' END AS decision
      FROM webhook_delivery AS delivery JOIN webhook ON webhook.id = delivery.webhook_id ${JOIN_OWNER}
      WHERE delivery.id = ${id} AND delivery.state = 'pending'
    )
    UPDATE webhook_delivery AS delivery SET
      attempt = attempt + CASE WHEN decision = 'send' THEN 1 ELSE 0 END,
      attempt_started_at = CASE WHEN decision = 'send' THEN ${now}::timestamptz ELSE attempt_started_at END,
      attempts = CASE WHEN jsonb_array_length(attempts) < attempt THEN attempts || ${INTERRUPTED} ELSE attempts END,
      next_attempt_at = CASE decision WHEN 'send' THEN ${now}::timestamptz WHEN 'wait' THEN paused_until END,
      state = CASE WHEN decision = 'skip' THEN 'skipped' ELSE state END,
      ended_at = CASE WHEN decision = 'skip' THEN ${now}::timestamptz END
    FROM decided WHERE delivery.id = decided.id AND delivery.state = 'pending'
    RETURNING delivery.id, webhook_id, event_id, type, body, attempt, attempts, created_at, url, secret_version,
      rotated_at, key_number, previous_key_number, decision, paused_until`.execute(executor.query());
  const [row] = rows;
  if (row === undefined || row.decision === 'skip') return { kind: 'over' };
  const { decision, paused_until, ...claimed } = row;
  if (decision === 'wait' && paused_until !== null) return { kind: 'wait', until: paused_until };
  return { kind: 'send', ...claimed };
}

/** SQL that adds the account that owns a webhook, which is the owner of the workspace for a webhook of a workspace. */
export const JOIN_OWNER: RawBuilder<unknown> = sql`
  LEFT JOIN workspace ON workspace.id = webhook.workspace_id
  JOIN account ON account.id = coalesce(webhook.account_id, workspace.owner_account_id)`;

/** SQL for the condition that the owner is not locked and may use the API, as `canUseApi` decides. */
export const OWNER_MAY_HAVE_WEBHOOKS: RawBuilder<boolean> = sql`(
  account.locked_at IS NULL AND (account.plan <> 'free' OR (account.administrator AND account.email_verified)))`;

const INTERRUPTED: RawBuilder<unknown> = sql`jsonb_build_object(
  'number', attempt, 'started_at', to_char(attempt_started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'duration_ms', NULL, 'status_code', NULL, 'error', 'interrupted', 'reply', NULL)`;
