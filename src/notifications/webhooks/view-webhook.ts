import type { z } from 'zod';
import type { Webhook, WebhookDelivery } from '../../contract/index.ts';
import type { DeliveryRow } from '../deliveries/list-deliveries.ts';
import type { WebhookRow } from './find-webhook.ts';

/** Returns a webhook as the API shows it. */
export function viewWebhook(row: WebhookRow): z.input<typeof Webhook> {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    url: row.url,
    name: row.name,
    types: row.types,
    enabled: row.enabled,
    off_reason: row.off_reason,
    failures: row.failures,
    failing_since: row.failing_since?.toISOString() ?? null,
    last_success_at: row.last_success_at?.toISOString() ?? null,
    secret_rotated_at: row.rotated_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns a delivery as the API shows it. */
export function viewDelivery(row: DeliveryRow): z.input<typeof WebhookDelivery> {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    type: row.type,
    state: row.state,
    replays: row.replays,
    payload: JSON.parse(row.body),
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
