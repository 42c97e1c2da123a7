import { type Selectable, sql } from 'kysely';
import { type OutboxEvent, type Transaction, takeOutboxEvents } from '../../platform/index.ts';
import type { NotificationJobContext } from '../context.ts';
import { formatBody } from '../deliveries/body.ts';
import { JOIN_OWNER, OWNER_MAY_HAVE_WEBHOOKS } from '../deliveries/claim-delivery.ts';
import { type DeliveryJob, newDeliveryRow, queueAttempts } from '../deliveries/queue-deliveries.ts';
import { planMails } from '../mails/plan-mails.ts';
import type { NotificationTables, WebhookTable } from '../tables.ts';
import { eventData } from './event-data.ts';
import { type Audience, findAudiences } from './find-audiences.ts';

/** The events of one transaction. On the embedded database, every other statement waits for it. */
const MAX_EVENTS = 100;

/**
 * Hands the next events over to what reads them: a delivery for every webhook that chose the event, and a line of the next
 * email to the account that wants one. One transaction takes the events, stores the rows and queues their jobs, so no
 * event is lost or dispatched twice.
 *
 * @returns the number of events that were taken
 */
export async function dispatchEvents({
  database,
  clock,
  queue,
}: Pick<NotificationJobContext, 'database' | 'clock' | 'queue'>): Promise<number> {
  return database.transaction(async (tx) => {
    const now = clock.now();
    const events = await takeOutboxEvents(tx, MAX_EVENTS, now);
    if (events.length === 0) return 0;
    const audiences = await findAudiences(tx, events);
    const deliveries = await storeDeliveries(tx, events, audiences, now);
    await queueAttempts(queue, tx, deliveries);
    await planMails(tx, queue, { events, audiences, now });
    return events.length;
  });
}

type Subscriber = Pick<
  Selectable<WebhookTable>,
  'id' | 'account_id' | 'workspace_id' | 'types' | 'last_sequence' | 'created_at'
> & { readonly owner_id: string };

async function storeDeliveries(
  tx: Transaction,
  events: readonly OutboxEvent[],
  audiences: ReadonlyMap<string, Audience>,
  now: Date,
): Promise<DeliveryJob[]> {
  const subscribers = await lockSubscribers(tx, [...audiences.values()]);
  const sequences = new Map(subscribers.map(({ id, last_sequence }) => [id, Number(last_sequence)]));
  const stored = events.flatMap((event) => {
    const audience = audiences.get(event.subject);
    if (audience === undefined) return [];
    return subscribers
      .filter((subscriber) => isWanted(subscriber, event, audience))
      .map(({ id: webhookId, owner_id: ownerId }) => {
        const sequence = (sequences.get(webhookId) ?? 0) + 1;
        sequences.set(webhookId, sequence);
        const sent = { id: event.id, type: event.type, createdAt: event.created_at };
        const body = formatBody(sent, sequence, eventData(event, audience));
        const row = newDeliveryRow({ webhookId, eventId: event.id, type: event.type, body }, now);
        return { row, job: { deliveryId: row.id, webhookId, ownerId } };
      });
  });
  if (stored.length === 0) return [];
  await sql`
    UPDATE webhook SET last_sequence = given.last_sequence
    FROM json_to_recordset(${JSON.stringify([...sequences].map(([id, last_sequence]) => ({ id, last_sequence })))}::json)
      AS given(id text, last_sequence bigint)
    WHERE webhook.id = given.id AND webhook.last_sequence <> given.last_sequence`.execute(tx.query());
  await insertInParts(
    tx,
    stored.map(({ row }) => row),
  );
  return stored.map(({ job }) => job);
}

/** A hundred events can have more than a thousand deliveries, and a statement has a maximum number of parameters. */
const ROWS_PER_STATEMENT = 1_000;

async function insertInParts(tx: Transaction, rows: readonly ReturnType<typeof newDeliveryRow>[]): Promise<void> {
  for (let done = 0; done < rows.length; done += ROWS_PER_STATEMENT) {
    const part = rows.slice(done, done + ROWS_PER_STATEMENT);
    await tx.query<NotificationTables>().insertInto('webhook_delivery').values(part).execute();
  }
}

/** Returns the webhooks of all audiences, and locks them in the order of their ids, so that each event gets its sequence. */
async function lockSubscribers(tx: Transaction, audiences: readonly Audience[]): Promise<Subscriber[]> {
  const ids = (column: 'account_id' | 'workspace_id') => [
    ...new Set(audiences.map((audience) => audience[column]).filter((id) => id !== null)),
  ];
  const { rows } = await sql<Subscriber>`
    SELECT webhook.id, webhook.account_id, webhook.workspace_id, types, last_sequence, webhook.created_at,
      account.id AS owner_id
    FROM webhook ${JOIN_OWNER}
    WHERE enabled AND ${OWNER_MAY_HAVE_WEBHOOKS} AND (
      webhook.account_id = ANY (${ids('account_id')}::text[]) OR webhook.workspace_id = ANY (${ids('workspace_id')}::text[]))
    ORDER BY webhook.id FOR NO KEY UPDATE OF webhook`.execute(tx.query());
  return rows;
}

function isWanted(webhook: Subscriber, event: OutboxEvent, audience: Audience): boolean {
  const isForOwner =
    webhook.account_id === null
      ? webhook.workspace_id === audience.workspace_id
      : webhook.account_id === audience.account_id;
  return isForOwner && webhook.types.includes(event.type) && webhook.created_at <= event.created_at;
}
