import { sql } from 'kysely';
import { DAY_MS, MINUTE_MS } from '../../calendar/index.ts';
import { removeOldOutboxEvents } from '../../platform/index.ts';
import type { NotificationJobContext } from '../context.ts';
import { JOIN_OWNER } from './claim-delivery.ts';
import { DELIVERY_RETENTION_MS, type DeliveryJob, queueAttempts } from './queue-deliveries.ts';

type Context = Pick<NotificationJobContext, 'database' | 'clock' | 'queue'>;

const EVENT_RETENTION_MS = 7 * DAY_MS;

/** A job starts long before this time after it is due, unless no worker runs. */
const LOST_AFTER_MS = 30 * MINUTE_MS;

/** How many rows one statement changes. */
const BATCH = 1_000;

/** Removes old deliveries and events, and queues attempts again whose job was lost. */
export async function cleanDeliveries({ database, clock, queue }: Context): Promise<void> {
  const now = clock.now();
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  for (let removed = BATCH; removed === BATCH; ) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM webhook_delivery WHERE id IN (
        SELECT id FROM webhook_delivery WHERE created_at < ${before(DELIVERY_RETENTION_MS)} LIMIT ${BATCH}
      )`.execute(database.query());
    removed = Number(numAffectedRows);
  }
  await removeOldOutboxEvents(database, before(EVENT_RETENTION_MS));
  await database.transaction(async (tx) => {
    const { rows } = await sql<DeliveryJob>`
      WITH lost AS (
        UPDATE webhook_delivery SET next_attempt_at = ${now} WHERE id IN (
          SELECT id FROM webhook_delivery WHERE state = 'pending' AND next_attempt_at < ${before(LOST_AFTER_MS)}
          LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
        ) RETURNING id, webhook_id
      )
      SELECT lost.id AS "deliveryId", webhook.id AS "webhookId", account.id AS "ownerId"
      FROM lost JOIN webhook ON webhook.id = webhook_id ${JOIN_OWNER}`.execute(tx.query());
    await queueAttempts(queue, tx, rows);
  });
}
