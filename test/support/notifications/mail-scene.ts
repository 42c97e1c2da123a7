import { sql } from 'kysely';
import { MIGRATIONS, QUEUES } from '../../../src/compose/index.ts';
import { MAIL_QUEUE } from '../../../src/identity/index.ts';
import {
  changeChoice,
  cleanMails,
  dispatchEvents,
  oldMails,
  sendNotificationMail,
} from '../../../src/notifications/index.ts';
import type { SendingContext } from '../../../src/notifications/mails/claim-mail.ts';
import type { NotificationTables } from '../../../src/notifications/tables.ts';
import {
  createLog,
  type Mail,
  type Mailer,
  openQueue,
  recordOutboxEvents,
  removeInBatches,
} from '../../../src/platform/index.ts';
import { SITE_URL } from '../api/api.ts';
import type { ListedFields } from '../forecasts/listed-forecasts.ts';
import { addListedForecasts } from '../forecasts/listed-forecasts.ts';
import { type AccountSpec, makeAccount } from '../identity/callers.ts';
import { MINUTE, movableIdentity } from '../identity/identity.ts';
import type { TestDatabase } from '../platform/database.ts';

/** The options of a test database for emails about forecasts. */
export const MAIL_DATABASE = { migrations: MIGRATIONS, queue: true };

const BOTH = { forecasts: true, outcomes: true };

/** An account of a test. */
export interface Reader {
  readonly id: string;
  readonly email: string;
}

/** Returns a mailer that keeps emails, for tests that send many and are not about mail servers. */
export function createKeepingMailer(): Mailer & { readonly mails: readonly Mail[] } {
  const mails: Mail[] = [];
  return { delivers: true, mails, send: async (mail) => void mails.push(mail) };
}

/** Opens what sends emails about forecasts, with a clock that the test advances. The test runs each attempt itself. */
export async function openMailScene(fixture: TestDatabase) {
  const { database } = fixture;
  const queue = await openQueue(database, { queues: QUEUES, supervise: false });
  fixture.cleanup(() => queue.stop({ timeoutMs: 1_000 }));
  const identity = movableIdentity(database);
  const { clock } = identity;
  const log = createLog('silent');
  const context = { database, clock, queue, log, outboundAllow: [] };
  // Tests run attempts without a worker, so there is no job that could be taken away.
  const sending: SendingContext = {
    database,
    clock,
    queue: {
      enqueue: queue.enqueue.bind(queue),
      enqueueAll: queue.enqueueAll.bind(queue),
      complete: async () => true,
    },
  };

  return {
    database,
    identity,
    clock,
    queue,
    context,
    sending,

    /** Makes an account that has turned both kinds of emails on, unless `choice` differs; null: it chose nothing. */
    async account(choice: Partial<typeof BOTH> | null = BOTH, spec: AccountSpec = {}): Promise<Reader> {
      const account = await makeAccount(identity, { password: null, ...spec });
      if (choice !== null) await changeChoice(identity, account.id, choice);
      return account;
    },

    /** Stores a completed forecast of an account. Returns its id, which is also its slug. */
    async forecast({ id: owner }: Pick<Reader, 'id'>, fields: Partial<ListedFields> = {}): Promise<string> {
      const finishedAt = clock.now().toISOString();
      const [id = ''] = await addListedForecasts(database, [{ owner, finishedAt, ...fields }]);
      return id;
    },

    /** Records the same event about forecasts, and dispatches it. */
    async record(type: 'completed' | 'failed' | 'outcome', ids: readonly string[], details = {}): Promise<void> {
      const stated = { ...(type === 'outcome' && { status: 'complete' }), ...details };
      const events = ids.map((subject) => ({ subject, details: stated }));
      await database.transaction((tx) => recordOutboxEvents(tx, `forecast.${type}`, events, clock.now()));
      while ((await dispatchEvents(context)) > 0);
    },

    /** Stores a forecast of an account and the event that it has completed. Returns its id. */
    async complete(owner: Pick<Reader, 'id'>, fields: Partial<ListedFields> = {}): Promise<string> {
      const id = await this.forecast(owner, fields);
      await this.record('completed', [id]);
      return id;
    },

    /** Stores a forecast of an account, and moves the clock to the time of the email about it. Returns the id of the email. */
    async makeDue(owner: Pick<Reader, 'id'>): Promise<string> {
      await this.complete(owner);
      clock.advance(MINUTE);
      const last = (await this.mails(owner)).at(-1);
      if (last === undefined) throw new Error('No email waits.');
      return last.id;
    },

    /** Returns the emails to an account, oldest first. */
    mails: ({ id }: Pick<Reader, 'id'>) =>
      database
        .query<NotificationTables>()
        .selectFrom('notification_mail')
        .selectAll()
        .where('account_id', '=', id)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),

    /** Returns the states of the emails to an account and how often each was attempted, oldest first. */
    async states(reader: Pick<Reader, 'id'>): Promise<string[]> {
      return (await this.mails(reader)).map(({ state, attempts }) => `${state} ${attempts}`);
    },

    /** Runs an attempt as the worker does. */
    send(mailId: string, mailer: Mailer, changed: Partial<SendingContext> = {}): Promise<void> {
      const job = { id: '00000000-0000-0000-0000-000000000000', attempt: 0 };
      const delivery = { mailer, siteUrl: () => SITE_URL, log };
      return sendNotificationMail({ ...sending, ...changed }, { mailId, job }, delivery);
    },

    /**
     * Moves the clock to the next attempt of the email that waits for an account, and runs it. Returns how many minutes the
     * clock moved; null if no email waits.
     */
    async sendNext(reader: Pick<Reader, 'id'>, mailer: Mailer): Promise<number | null> {
      const mail = (await this.mails(reader)).find(({ ended_at }) => ended_at === null);
      if (mail === undefined) return null;
      const waitMs = Math.max(0, mail.send_at.getTime() - clock.now().getTime());
      clock.advance(waitMs);
      await this.send(mail.id, mailer);
      return waitMs / MINUTE;
    },

    /** Cleans up as the worker does. */
    async clean(): Promise<void> {
      await cleanMails(context);
      await removeInBatches({ database, signal: new AbortController().signal }, oldMails(400, clock.now()));
    },

    /** Returns when each waiting job about an email starts, with the id of the email. */
    async jobs(): Promise<{ mail: string; start: Date; priority: number }[]> {
      const { rows } = await sql<{ mail: string; start: Date; priority: number }>`
        SELECT data->>'notificationMailId' AS mail, start_after AS start, priority FROM queue.job
        WHERE name = ${MAIL_QUEUE.name} AND state = 'created' ORDER BY start_after`.execute(database.query());
      return rows;
    },

    /** Sets columns of an account. */
    async change({ id }: Pick<Reader, 'id'>, columns: Record<string, unknown>): Promise<void> {
      await database
        .query<{ account: Record<string, unknown> }>()
        .updateTable('account')
        .set(columns)
        .where('id', '=', id)
        .execute();
    },
  };
}

export type MailScene = Awaited<ReturnType<typeof openMailScene>>;
