import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { MIGRATIONS, QUEUES } from '../../../src/compose/index.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../src/contract/index.ts';
import { readPrincipal } from '../../../src/identity/index.ts';
import { runAttempt } from '../../../src/notifications/deliveries/delivery-worker.ts';
import { RETRY_TIMES } from '../../../src/notifications/deliveries/retry-times.ts';
import { createWebhook, dispatchEvents, type WebhookPlace } from '../../../src/notifications/index.ts';
import type { NotificationTables } from '../../../src/notifications/tables.ts';
import { WEBHOOK_KEY } from '../../../src/notifications/webhooks/secrets.ts';
import {
  createLog,
  type OutboxEventType,
  openQueue,
  readSigningKeys,
  recordOutboxEvents,
  type SigningKeys,
} from '../../../src/platform/index.ts';
import { type AccountSpec, makeAccount } from '../identity/callers.ts';
import { movableIdentity } from '../identity/identity.ts';
import type { TestDatabase } from '../platform/database.ts';
import { FIXED_KEYS } from '../platform/fixed-keys.ts';
import { makeFilter } from '../screener/filters.ts';

/** The options of a test database for webhooks. */
export const WEBHOOK_DATABASE = { migrations: MIGRATIONS, queue: true };

/** Receivers of tests are on this machine. */
export const LOOPBACK = ['127.0.0.0/8'];

/** Opens what sends webhooks, with a clock that the test advances. The test runs each attempt itself. */
export async function openWebhookScene(fixture: TestDatabase) {
  const { database } = fixture;
  const queue = await openQueue(database, { queues: QUEUES, supervise: false });
  fixture.cleanup(() => queue.stop({ timeoutMs: 1_000 }));
  const identity = movableIdentity(database);
  const { clock } = identity;
  let timeoutMs = RETRY_TIMES.timeoutMs;
  const context = { database, clock, queue, log: createLog('silent'), outboundAllow: LOOPBACK };
  const webhooks = { ...context, cursorKey: FIXED_KEYS };
  // Tests run attempts without a worker, so there is no job that could be taken away.
  const attempts = {
    ...context,
    queue: { enqueue: queue.enqueue.bind(queue), complete: async () => true },
  };

  /** Makes an account and returns it as a caller with a browser session. */
  async function account(spec: AccountSpec = {}) {
    const { id } = await makeAccount(identity, { password: null, ...spec });
    const principal = await readPrincipal(database, id);
    assert.ok(principal);
    return principal;
  }
  type Caller = Awaited<ReturnType<typeof account>>;

  const read = (deliveryId: string) =>
    database
      .query<NotificationTables>()
      .selectFrom('webhook_delivery')
      .selectAll()
      .where('id', '=', deliveryId)
      .executeTakeFirstOrThrow();

  return {
    identity,
    clock,
    queue,
    context,
    webhooks,
    account,
    read,

    /** Makes a webhook with every type that its place allows. */
    webhook(caller: Caller, url: string, place: WebhookPlace = {}) {
      const types = WEBHOOK_EVENT_TYPES.filter((type) => place.workspace === undefined || type !== 'screener.matched');
      const origin = { network: null, userAgent: null };
      return createWebhook(webhooks, caller, place, { url, name: null, types, origin });
    },

    /** Makes a filter, whose matches tests record as events, because nothing else has to run for them. */
    async filter(caller: Caller): Promise<string> {
      return (await makeFilter(database, caller.accountId)).id;
    },

    record(type: OutboxEventType, subject: string, details: Record<string, string> = {}): Promise<void> {
      return database.transaction((tx) => recordOutboxEvents(tx, type, [{ subject, details }], clock.now()));
    },

    /** Records an event about a filter. */
    match(filterId: string, session = '2026-03-02'): Promise<void> {
      return this.record('screener.matched', filterId, { session });
    },

    /** Sets the time limit of an attempt. */
    setTimeoutMs(value: number): void {
      timeoutMs = value;
    },

    dispatch: () => dispatchEvents(context),

    /** Returns the deliveries of a webhook, oldest first. */
    deliveries: (webhookId: string) =>
      database
        .query<NotificationTables>()
        .selectFrom('webhook_delivery')
        .selectAll()
        .where('webhook_id', '=', webhookId)
        .orderBy('created_at')
        .orderBy(sql`(body::json->>'sequence')::int`)
        .execute(),

    readWebhook: (id: string) =>
      database
        .query<NotificationTables>()
        .selectFrom('webhook')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),

    /** Runs an attempt as the worker does. */
    async attempt(
      deliveryId: string,
      signal: AbortSignal = new AbortController().signal,
      keys?: SigningKeys,
    ): Promise<void> {
      const { webhook_id: webhookId } = await read(deliveryId);
      const data = { deliveryId, webhookId, ownerId: 'usr_of_a_test' };
      const job = { id: '00000000-0000-0000-0000-000000000000', attempt: 0, data, signal };
      const retryTimes = { ...RETRY_TIMES, timeoutMs };
      await runAttempt({ ...attempts, retryTimes }, keys ?? (await readSigningKeys(database, WEBHOOK_KEY)), job);
    },
  };
}

export type WebhookScene = Awaited<ReturnType<typeof openWebhookScene>>;
