import { sql } from 'kysely';
import { type Executor, newId } from '../../../src/platform/index.ts';

/** What a webhook of a test belongs to. */
export type OwnerOfWebhook = { readonly accountId: string } | { readonly workspaceId: string };

/**
 * Stores a webhook that is on, whatever the plan of its owner. Stores nothing if the workspace does not exist. Returns the
 * id.
 */
export async function makeWebhook(executor: Executor, owner: OwnerOfWebhook): Promise<string> {
  const id = newId('whk');
  const now = new Date();
  const place = 'accountId' in owner ? { account: owner.accountId } : { workspace: owner.workspaceId };
  await sql`
    INSERT INTO webhook (id, account_id, workspace_id, url, name, types, created_at, updated_at)
    SELECT ${id}, account, workspace, 'https://example.com/hooks/almanac', 'Made by a test', '{forecast.completed}',
      ${now}, ${now}
    FROM json_to_record(${JSON.stringify(place)}::json) AS place(account text, workspace text)
    WHERE workspace IS NULL OR EXISTS (SELECT FROM workspace AS known WHERE known.id = place.workspace)`.execute(
    executor.query(),
  );
  return id;
}

/**
 * Stores a delivery of a test event that has ended without an attempt. Stores nothing if the webhook does not exist.
 * Returns the id.
 */
export async function makeDelivery(executor: Executor, webhookId: string): Promise<string> {
  const id = newId('dlv');
  const now = new Date();
  const event = { id: newId('oev'), type: 'webhook.test', created_at: now.toISOString(), sequence: 1 };
  const body = JSON.stringify({ ...event, data: { webhook_id: webhookId } });
  await sql`
    INSERT INTO webhook_delivery (id, webhook_id, event_id, type, body, state, created_at, ended_at)
    SELECT ${id}, id, ${event.id}, ${event.type}, ${body}, 'skipped', ${now}, ${now}
    FROM webhook WHERE id = ${webhookId}`.execute(executor.query());
  return id;
}
