import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Notifications } from '../../src/contract/notifications.ts';
import { ForecastError } from '../../src/engine/index.ts';
import { dispatchEvents, listNotificationMails, sendNotificationMail } from '../../src/notifications/index.ts';
import { createLog, systemClock } from '../../src/platform/index.ts';
import { createUnsubscribeToken } from '../../src/screener/mail/unsubscribe.ts';
import { SITE_URL } from '../support/api/api.ts';
import { openBrowser } from '../support/api/console-browser.ts';
import { requestAs } from '../support/api/request-as.ts';
import { completeForecast } from '../support/feeds/feed-scene.ts';
import { create, FORECASTS, type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { activateJob, runAttempt } from '../support/forecasts/run-attempt.ts';
import { PASSWORD, withKey, withSession } from '../support/identity/callers.ts';
import { testedKind } from '../support/platform/database.ts';
import { headerOf } from '../support/platform/mail-parts.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/platform/mail-server.ts';
import { mailerTo } from '../support/platform/mailbox.ts';
import { readComparableRows } from '../support/platform/rows.ts';
import { makeFilter } from '../support/screener/filters.ts';
import { type KeyHolder, register } from '../support/workspaces/workspaces.ts';

type Settings = z.output<typeof Notifications>;

const PATH = '/v1/me/notifications';
const OFF: Settings = { forecasts: false, outcomes: false, delivery: { state: 'off', since: null }, last_email: null };
const ON: Settings = { ...OFF, forecasts: true, outcomes: true, delivery: { state: 'on', since: null } };

let service: ForecastService;
let server: MailServer;

type Requester = Pick<KeyHolder, 'request'>;

const read = async ({ request }: Requester) => (await request<Settings>('GET', PATH)).data;
const change = ({ request }: Requester, body: object) => request<Settings>('PATCH', PATH, body);

/** Registers an account that has turned both kinds of emails on. */
async function registerReader(): Promise<KeyHolder> {
  const reader = await register(service);
  assert.equal((await change(reader, { forecasts: true, outcomes: true })).status, 200);
  return reader;
}

/** Sends the email that waits for an account. Returns what arrived. */
async function receive({ id, email }: Pick<KeyHolder, 'id' | 'email'>): Promise<ReceivedMail | undefined> {
  const { database, queue } = service;
  const context = { database, clock: systemClock, queue };
  while ((await dispatchEvents(context)) > 0);
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM notification_mail WHERE account_id = ${id} AND ended_at IS NULL`.execute(database.query());
  const delivery = { mailer: mailerTo(server.url()), siteUrl: () => SITE_URL, log: createLog('silent') };
  const before = server.mails.length;
  for (const mail of rows)
    await sendNotificationMail(context, { mailId: mail.id, job: { id: crypto.randomUUID(), attempt: 0 } }, delivery);
  const [received, ...others] = server.mails.slice(before);
  assert.deepEqual([others.length, received?.recipients ?? [email]], [0, [email]]);
  return received;
}

describe(`emails about forecasts [${testedKind}]`, () => {
  before(async () => {
    service = await openForecastService(testedKind);
    server = await startMailServer();
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  test('are off until the account turns on what it wants', async () => {
    const reader = await register(service);
    assert.deepEqual(await read(reader), OFF);
    for (const [body, expected] of [
      [{ forecasts: true }, { ...ON, outcomes: false }],
      [{ outcomes: true }, ON],
      [
        { outcomes: true, forecasts: false },
        { ...ON, forecasts: false },
      ],
      [{ outcomes: false }, OFF],
      [{ forecasts: true, outcomes: true }, ON],
    ] as const) {
      const reply = await change(reader, body);
      assert.deepEqual([reply.status, reply.data, await read(reader)], [200, expected, expected]);
    }
  });

  test('a refused request changes nothing', async () => {
    const reader = await registerReader();
    const { database, identity, app } = service;
    const unverified = await openBrowser(service, 'free');
    await sql`UPDATE account SET email_verified = false WHERE id = ${unverified.caller.accountId}`.execute(
      database.query(),
    );
    const anonymous = { request: requestAs(app, {}) };
    const narrow = {
      request: requestAs(app, await withKey(identity, reader.id, ['forecasts:read', 'webhooks:write'])),
    };
    const before = await readComparableRows(database);
    for (const body of [
      {},
      { forecasts: null },
      { forecasts: 'true' },
      { outcomes: 0 },
      { forecasts: false, screener: true },
      { forecasts: false, outcomes: [] },
      [],
    ]) {
      const reply = await change(reader, body);
      assert.deepEqual([reply.status, reply.code], [400, 'INVALID_REQUEST'], JSON.stringify(body));
    }
    for (const [caller, status, code] of [
      [anonymous, 401, 'UNAUTHENTICATED'],
      [await service.guest(), 403, 'ACCOUNT_REQUIRED'],
      [narrow, 403, 'SCOPE_DENIED'],
      [unverified.caller, 403, 'EMAIL_NOT_VERIFIED'],
    ] as const) {
      const reply = await change(caller, { forecasts: false });
      assert.deepEqual([reply.status, reply.code], [status, code]);
    }
    const changed = await readComparableRows(database);
    assert.deepEqual(changed.notification_choice, before.notification_choice);
    assert.deepEqual(await read(reader), ON);
    const session = {
      request: requestAs(app, await withSession(identity, (await openBrowser(service, 'free')).email)),
    };
    assert.deepEqual((await change(session, { forecasts: true })).data, { ...ON, outcomes: false }, 'on every plan');
  });

  test('list completed and failed forecasts and complete outcomes', async () => {
    const [reader, silent] = [await registerReader(), await register(service)];
    const guest = await service.guest();
    for (const caller of [silent, guest]) await completeForecast(service, caller);
    assert.equal(await receive(silent), undefined);
    const { id, slug } = await completeForecast(service, reader, { title: 'Steel' });
    const failed = (await create(reader, { title: 'Iron' })).data;
    await runAttempt(service, await activateJob(service.database, failed.forecast_id), () => {
      throw new ForecastError('ALL_MODELS_FAILED', 'No model could be fitted.');
    });
    const canceled = (await create(reader, { title: 'Canceled' })).data;
    assert.equal((await reader.request('POST', `${FORECASTS}/${canceled.forecast_id}/cancel`)).status, 200);
    const { data } = await reader.request<{ predictions: { timestamp: string }[] }>('GET', `${FORECASTS}/${id}`);
    const points = data.predictions.map(({ timestamp }) => ({ timestamp, value: 118 }));
    await reader.request('POST', `${FORECASTS}/${id}/outcome`, { points: points.slice(0, 1) });
    const mail = await receive(reader);
    assert.ok(mail);
    assert.equal(headerOf(mail.headers, 'subject'), '1 forecast is ready, 1 failed');
    assert.ok(mail.text.includes(`\n"Steel" has completed.\n${SITE_URL}/forecasts/${slug}\n`), mail.text);
    assert.ok(mail.text.includes(`\n"Iron" failed: No model could be fitted.\n${SITE_URL}/forecasts/${failed.slug}\n`));
    assert.doesNotMatch(mail.text, /Canceled/);
    const { last_email: last, ...rest } = await read(reader);
    assert.deepEqual({ ...rest, last_email: null }, ON);
    assert.ok(last?.state === 'sent' && (last.sent_at ?? '') >= last.created_at);

    await reader.request('POST', `${FORECASTS}/${id}/outcome`, { points: points.slice(1) });
    const second = await receive(reader);
    assert.ok(second?.text.startsWith('The outcome of your forecast "Steel" is complete.\n'), second?.text);
    assert.equal(await receive(reader), undefined);
  });

  test('are turned off by the link in an email with one request', async () => {
    const [reader, other] = [await registerReader(), await registerReader()];
    await completeForecast(service, reader);
    await makeFilter(service.database, reader.id);
    const [link = ''] = (await receive(reader))?.links ?? [];
    const { pathname, search } = new URL(link);
    assert.equal(pathname, '/notifications/unsubscribe');
    const ofScreener = await createUnsubscribeToken(service.database, reader.id);
    const rows = () => readComparableRows(service.database);
    const before = await rows();
    for (const method of ['GET', 'HEAD'] as const)
      assert.equal((await service.app.inject({ method, url: pathname + search })).statusCode, 200);
    assert.deepEqual(await rows(), before, 'opening the link changes nothing');
    const send = (url: string, headers: Readonly<Record<string, string>> = {}) =>
      service.app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example', ...headers },
        payload: 'List-Unsubscribe=One-Click',
      });
    for (const wrong of [`${pathname}?token=${ofScreener}`, `/screener/unsubscribe${search}`, `${pathname}${search}x`])
      assert.equal((await send(wrong)).statusCode, 404, wrong);
    assert.deepEqual(await rows(), before, 'a token of the other kind changes nothing');

    const waiting = await completeForecast(service, reader);
    const cookies = await withSession(service.identity, (await openBrowser(service, 'pro')).email);
    for (const headers of [cookies, {}]) {
      await change(reader, { forecasts: true, outcomes: true });
      const reply = await send(pathname + search, headers);
      assert.equal(reply.statusCode, 200);
      assert.match(reply.body, /Emails about your forecasts are turned off/);
      const { last_email: _, ...settings } = await read(reader);
      assert.deepEqual({ ...settings, last_email: null }, OFF);
    }
    assert.deepEqual(await read(other), ON, 'of this account only');
    assert.equal(await receive(reader), undefined, waiting.id);
    for (const page of ['/forecasts', '/auth/account/notifications'])
      assert.notEqual((await service.app.inject(page)).statusCode, 404, 'the pages that it links to exist');

    const gone = await openBrowser(service, 'pro');
    await change(gone.caller, { forecasts: true });
    await completeForecast(service, gone.caller);
    const [last = ''] = (await receive({ id: String(gone.caller.accountId), email: gone.email }))?.links ?? [];
    await gone.caller.request('DELETE', '/v1/me', { current_password: PASSWORD });
    assert.equal((await send(last.slice(SITE_URL.length))).statusCode, 200, 'also after the account was erased');
  });

  test('are in the export of an account, all of them, and end with it', async () => {
    const { database } = service;
    const { caller, email } = await openBrowser(service, 'pro');
    const id = String(caller.accountId);
    await change(caller, { forecasts: true });
    await sql`
      INSERT INTO notification_mail (id, account_id, state, send_at, ended_at, created_at)
      SELECT 'mail_' || n, ${id}, 'skipped', now(), now(), now() FROM generate_series(10000, 11000) AS n`.execute(
      database.query(),
    );
    await completeForecast(service, caller);
    assert.ok(await receive({ id, email }));
    const listed: { sent_at: string | null }[] = [];
    for await (const mail of listNotificationMails(database, id)) listed.push(mail);
    assert.deepEqual([listed.length, listed.filter(({ sent_at }) => sent_at !== null).length], [1_002, 1]);
    await completeForecast(service, caller);
    while ((await dispatchEvents({ database, clock: systemClock, queue: service.queue })) > 0);
    const erased = await caller.request('DELETE', '/v1/me', { current_password: PASSWORD });
    assert.equal(erased.status, 200, erased.body);
    for (const table of ['notification_choice', 'notification_mail', 'notification_line']) {
      const { rows } = await sql`SELECT FROM ${sql.table(table)} WHERE account_id = ${id}`.execute(database.query());
      assert.equal(rows.length, 0, table);
    }
  });
});
