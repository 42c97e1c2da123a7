import type { ColumnType, Generated } from 'kysely';
import type {
  NotificationMailState,
  WebhookAttemptError,
  WebhookDeliveryState,
  WebhookEventType,
  WebhookOffReason,
} from '../contract/index.ts';
import type { OutboxEventType } from '../platform/index.ts';

export interface WebhookTable {
  id: string;
  /** Null for a webhook of a workspace. */
  account_id: string | null;
  workspace_id: string | null;
  url: string;
  name: string | null;
  types: WebhookEventType[];
  enabled: Generated<boolean>;
  off_reason: WebhookOffReason | null;
  /** The number of the secret. The secret is derived from it and is not stored. */
  secret_version: Generated<number>;
  rotated_at: Date | null;
  /** The number of the signing key from which the present secret is derived. */
  key_number: Generated<number>;
  /** The same of the previous secret; null if that one was withdrawn when it was replaced. */
  previous_key_number: ColumnType<number | null, number | null | undefined, number | null>;
  /** The sequence of the latest event. */
  last_sequence: Generated<number>;
  /** The number of failed attempts since the last one that succeeded. */
  failures: Generated<number>;
  failing_since: Date | null;
  /** No attempt starts before this time, so that a receiver that hangs does not occupy the workers. */
  paused_until: Date | null;
  /** Accurate to a minute. */
  last_success_at: Date | null;
  /** When the last email was queued that the webhook was turned off. */
  mailed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** An attempt that has ended. */
export interface StoredAttempt {
  readonly number: number;
  readonly started_at: string;
  /** Null if the service stopped during the attempt. */
  readonly duration_ms: number | null;
  readonly status_code: number | null;
  readonly error: WebhookAttemptError | null;
  readonly reply: string | null;
}

export interface WebhookDeliveryTable {
  id: string;
  webhook_id: string;
  event_id: string;
  type: string;
  /** The exact text that every attempt sends. */
  body: string;
  /** The delivery that this one repeats. */
  replays: string | null;
  state: WebhookDeliveryState;
  /** The number of attempts that were begun. */
  attempt: Generated<number>;
  attempt_started_at: Date | null;
  attempts: ColumnType<StoredAttempt[], never, never>;
  next_attempt_at: Date | null;
  created_at: Date;
  ended_at: Date | null;
}

/** Which emails about forecasts an account wants. An account without a row wants none. */
export interface NotificationChoiceTable {
  account_id: string;
  forecasts: boolean;
  outcomes: boolean;
  updated_at: Date;
}

/** An email about forecasts. An account has at most one that has not ended. */
export interface NotificationMailTable {
  id: string;
  account_id: string;
  /** `sending` while an attempt has begun; the API shows it as `queued`. */
  state: NotificationMailState | 'sending';
  /** The number of attempts that were begun. */
  attempts: Generated<number>;
  /** When the latest attempt began. */
  attempted_at: Date | null;
  /** When the next attempt may begin. */
  send_at: Date;
  ended_at: Date | null;
  created_at: Date;
}

/** The types of events that emails list. */
export type MailedType = Extract<OutboxEventType, 'forecast.completed' | 'forecast.failed' | 'forecast.outcome'>;

/** An event that the next email to an account lists, or that an email listed. */
export interface NotificationLineTable {
  event_id: string;
  account_id: string;
  type: MailedType;
  forecast_id: string;
  /** Null until an attempt to send an email begins. */
  mail_id: string | null;
  /** The time of the event. */
  created_at: Date;
}

export interface NotificationTables {
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
  notification_choice: NotificationChoiceTable;
  notification_mail: NotificationMailTable;
  notification_line: NotificationLineTable;
}
