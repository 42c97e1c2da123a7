import { sql } from 'kysely';
import { MINUTE_MS } from '../../calendar/index.ts';
import { oldRows, type Removal } from '../../platform/index.ts';
import type { NotificationJobContext } from '../context.ts';
import { JOIN_OWNER } from './claim-delivery.ts';
import { type DeliveryJob, queueAttempts } from './queue-deliveries.ts';

type Context = Pick<NotificationJobContext, 'database' | 'clock' | 'queue'>;

/** A job starts long before this time after it is due, unless no worker runs. */
const LOST_AFTER_MS = 30 * MINUTE_MS;

/** How many attempts one statement queues. */
const BATCH = 1_000;

/** Returns the removal of old deliveries that have ended. Those that wait for an attempt stay, even if no worker ran. */
export function oldDeliveries(days: number | null, now: Date): Removal[] {
  const where = sql`state <> 'pending'`;
  return oldRows({ kind: 'deliveries', table: 'webhook_delivery', column: 'created_at', days, now, where });
}

/** Queues attempts again whose job was lost. */
export async function queueLostAttempts({ database, clock, queue }: Context): Promise<void> {
  const now = clock.now();
  const lostBefore = new Date(now.getTime() - LOST_AFTER_MS);
  await database.transaction(async (tx) => {
    const { rows } = await sql<DeliveryJob>`
      WITH lost AS (
        UPDATE webhook_delivery SET next_attempt_at = ${now} WHERE id IN (
          SELECT id FROM webhook_delivery WHERE state = 'pending' AND next_attempt_at < ${lostBefore}
          LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
        ) RETURNING id, webhook_id
      )
      SELECT lost.id AS "deliveryId", webhook.id AS "webhookId", account.id AS "ownerId"
      FROM lost JOIN webhook ON webhook.id = webhook_id ${JOIN_OWNER}`.execute(tx.query());
    await queueAttempts(queue, tx, rows);
  });
}
