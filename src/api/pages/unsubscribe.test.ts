import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openApi, type TestApi } from '../../../test/support/api/api.ts';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../../../test/support/platform/database.ts';
import { readComparableRows } from '../../../test/support/platform/rows.ts';
import { makeFilter } from '../../../test/support/screener/filters.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { changeChoice, readChoice } from '../../notifications/index.ts';
import { createUnsubscribeUrl } from '../../notifications/mails/unsubscribe.ts';
import { systemClock } from '../../platform/index.ts';
import { listFilters } from '../../screener/index.ts';
import { createUnsubscribeToken } from '../../screener/mail/unsubscribe.ts';

const PATH = '/screener/unsubscribe';

let fixture: TestDatabase;
let api: TestApi;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database, { ALMANAC_RATE_ANONYMOUS: '1000' });
});

after(async () => {
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

async function wanting() {
  const { id } = await makeAccount(api.identity, { password: null });
  await makeFilter(fixture.database, id);
  await makeFilter(fixture.database, id, { name: 'another' });
  const token = await createUnsubscribeToken(fixture.database, id);
  const mails = async () => (await listFilters(fixture.database, id)).map(({ email }) => email);
  return { id, token, mails };
}

test('opening the link changes nothing; the button turns emails off', async () => {
  const { token, mails } = await wanting();
  const before = await readComparableRows(fixture.database);
  for (const method of ['GET', 'HEAD'] as const) {
    const page = await api.app.inject({ method, url: `${PATH}?token=${token}` });
    assert.equal(page.statusCode, 200);
  }
  const { body, headers } = await api.app.inject(`${PATH}?token=${token}`);
  assert.deepEqual(await readComparableRows(fixture.database), before);
  assert.match(String(headers['content-security-policy']), /default-src 'none'/);
  assert.equal(headers['cache-control'], 'no-store');
  const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(body) ?? [];
  const sent = await api.app.inject({
    method: 'POST',
    url: action.replaceAll('&amp;', '&'),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://127.0.0.1:8080' },
    payload: '',
  });
  assert.equal(sent.statusCode, 200);
  assert.match(sent.body, /Emails about your filters are turned off/);
  assert.deepEqual(await mails(), [false, false]);
});

test('accepts the one-click request of mailbox providers as either kind of form, from any address, repeatedly', async () => {
  const multipart = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
  for (const [type, payload] of [
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    ['multipart/form-data; boundary=x', multipart],
    ['text/plain', ''],
  ] as const) {
    const { token, mails } = await wanting();
    const headers = { 'content-type': type, origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' };
    for (const _ of [1, 2]) {
      const reply = await api.app.inject({ method: 'POST', url: `${PATH}?token=${token}`, headers, payload });
      assert.equal(reply.statusCode, 200, 'without a redirect');
      assert.equal(reply.headers['set-cookie'], undefined);
    }
    assert.deepEqual(await mails(), [false, false], type);
  }
});

test('the link in an email about forecasts turns off those and no others, and the other way round', async () => {
  const { token, mails, id } = await wanting();
  await changeChoice({ database: fixture.database, clock: systemClock }, id, { forecasts: true, outcomes: true });
  const link = await createUnsubscribeUrl(fixture.database, '', id);
  const page = await api.app.inject(link);
  assert.match(page.body, /<h1>Turn off emails about your forecasts<\/h1>/);
  assert.match(page.body, /outcomes are still collected/);
  assert.ok(page.body.includes(`action="${link}"`), page.body);
  assert.equal((await api.app.inject({ method: 'POST', url: `${PATH}?token=${token}` })).statusCode, 200);
  assert.deepEqual(await readChoice(fixture.database, id), { forecasts: true, outcomes: true });
  await sql`UPDATE screener_filter SET email = true WHERE account_id = ${id}`.execute(fixture.database.query());
  const done = await api.app.inject({ method: 'POST', url: link });
  assert.match(done.body, /Emails about your forecasts are turned off/);
  assert.deepEqual(await readChoice(fixture.database, id), { forecasts: false, outcomes: false });
  assert.deepEqual(await mails(), [true, true]);
  const wrong = await api.app.inject({ method: 'POST', url: `${link}x` });
  assert.deepEqual(
    [wrong.statusCode, /href="(\/auth\/account[^"]*)"/.exec(wrong.body)?.[1]],
    [404, '/auth/account/notifications'],
  );
});

test('an invalid token changes and reveals nothing', async () => {
  const { token, mails } = await wanting();
  const [payload = '', signature = ''] = token.split('.');
  const forged = Buffer.from('{"accountId":"usr_00000000000000000000000000"}').toString('base64url');
  const wrong = [
    '',
    'x',
    '.',
    payload,
    `${payload}.`,
    `${forged}.${signature}`,
    `${token}x`,
    `${token}.`,
    `%00${token}`,
    'é',
  ];
  const before = await readComparableRows(fixture.database);
  for (const method of ['GET', 'POST'] as const) {
    const replies = [];
    for (const bad of wrong) replies.push(await api.app.inject({ method, url: `${PATH}?token=${encodeURI(bad)}` }));
    replies.push(await api.app.inject({ method, url: `${PATH}?token=${token}&token=${token}` }));
    replies.push(await api.app.inject({ method, url: PATH }));
    assert.deepEqual([...new Set(replies.map(({ statusCode }) => statusCode))], [404]);
    assert.equal(new Set(replies.map(({ body }) => body)).size, 1);
  }
  assert.deepEqual(await readComparableRows(fixture.database), before);
  assert.deepEqual(await mails(), [true, true]);
});

test('refuses an endless body with a page and logs no token', async () => {
  const { token, mails } = await wanting();
  const url = `${PATH}?token=${token}`;
  const reply = await api.app.inject({ method: 'POST', url, payload: 'x'.repeat(20_000) });
  assert.equal(reply.statusCode, 413);
  assert.match(String(reply.headers['content-type']), /^text\/html/);
  assert.deepEqual(await mails(), [true, true]);
  assert.ok(api.logged().includes(PATH));
  assert.ok(!api.logged().includes(token));
});

test('counts a valid token for its account and an invalid one for its network', async () => {
  const strict = await openApi(fixture.database, { ALMANAC_RATE_ANONYMOUS: '3' });
  try {
    const send = async (token: string, remoteAddress: string) =>
      (await strict.app.inject({ method: 'POST', url: `${PATH}?token=${token}`, remoteAddress })).statusCode;
    // One machine of a mailbox provider sends the requests of five users.
    const users = await Promise.all(Array.from({ length: 5 }, wanting));
    for (const { token, mails } of users) {
      assert.equal(await send(token, '192.0.2.1'), 200);
      assert.deepEqual(await mails(), [false, false]);
    }
    for (const status of [404, 404, 404, 429]) assert.equal(await send('x.y', '192.0.2.1'), status);
    // Too many invalid tokens from a network do not affect valid ones, and each account has its own limit at any address.
    const [first, second] = users.map(({ token }) => token);
    for (const [place, status] of [200, 200, 429].entries()) {
      assert.equal(await send(first ?? '', `198.51.100.${place}`), status);
    }
    assert.equal(await send(second ?? '', '192.0.2.1'), 200);
    const page = await strict.app.inject({ url: `${PATH}?token=${first}`, remoteAddress: '203.0.113.1' });
    assert.equal(page.statusCode, 429);
    assert.match(String(page.headers['content-type']), /^text\/html/);
  } finally {
    await strict.app.close();
  }
});
