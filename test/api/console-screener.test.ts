import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { createGuest } from '../../src/identity/index.ts';
import type { ForecastService } from '../support/forecasts/forecast-service.ts';
import { makeAccount, withSession } from '../support/identity/callers.ts';
import { makeFilter } from '../support/screener/filters.ts';
import { seedScreener } from '../support/screener/screener-scene.ts';
import { shareService } from '../support/workspaces/workspaces.ts';

const onService = shareService();

type Cookie = Readonly<Record<string, string>>;

async function signIn({ identity }: ForecastService, spec?: Parameters<typeof makeAccount>[1]) {
  const { id, email } = await makeAccount(identity, spec);
  return { id, cookie: (await withSession(identity, email)) as Cookie };
}

async function open({ app }: ForecastService, url: string, headers: Cookie = {}) {
  const {
    statusCode: status,
    body,
    headers: sent,
  } = await app.inject({
    url,
    headers: { accept: 'text/html', ...headers },
  });
  return { status, body, location: sent.location };
}

async function send({ app }: ForecastService, url: string, headers: Cookie, fields: Readonly<Record<string, string>>) {
  const response = await app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
  return { status: response.statusCode, body: response.body, location: String(response.headers.location ?? '') };
}

const RSI = { universe: 'all', combine: 'all', 'field.0': 'rsi_14', 'op.0': 'lt', 'value.0': '45' };

async function countFilters({ database }: ForecastService, accountId: string): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM screener_filter WHERE account_id = ${accountId}`.execute(database.query());
  return rows[0]?.count;
}

onService('visitors that cannot use the screener see what it is for, with the status of the API', async (service) => {
  const { guestId: _, secret } = await createGuest(service.identity);
  const { cookie: unverified } = await signIn(service, { verified: false });
  const callers: [Cookie, number, RegExp][] = [
    [{}, 401, /needs an account.*return_to=%2Fscreener"/s],
    [{ cookie: `__Host-almanac_guest=${secret}` }, 403, /needs an account.*Create an account/s],
    [unverified, 403, /Confirm your email address first.*\/auth\/account/s],
  ];
  for (const [cookie, status, words] of callers) {
    for (const path of ['', '/mails', '/alt_1', '/alt_1/edit', '/alt_1/delete']) {
      const page = await open(service, `/screener${path}`, cookie);
      assert.equal(page.status, status, path);
      assert.match(page.body, words);
      assert.doesNotMatch(page.body, /<form method="post"|data-editor|\/screener\/new"/);
    }
    for (const path of ['/new', '/mails', '/alt_1/edit', '/alt_1/email', '/alt_1/delete'])
      assert.equal((await send(service, `/screener${path}`, cookie, { ...RSI, do: 'save' })).status, status, path);
  }
  const page = await open(service, `/screener/new?${new URLSearchParams(RSI)}`);
  assert.match(page.body, /return_to=%2Fscreener%2Fnew%3Funiverse/, 'the filter is still there after the sign-in');
});

onService('lists filters with their latest matches and what is new', async (service) => {
  const { id, cookie } = await signIn(service);
  const empty = await open(service, '/screener', cookie);
  assert.match(empty.body, /No filters yet.*Begin with an example/s);
  const { filters } = await seedScreener(service.database, id);
  const { body, status } = await open(service, '/screener', cookie);
  assert.equal(status, 200);
  assert.match(body, /Matches at the close of <time datetime="2024-03-28">Mar 28, 2024/);
  assert.match(body, /1 match, 1 new.*class="new">KO<span class="away">, new/s);
  assert.match(body, /Saved after the latest session/);
  assert.match(body, /3 of 10/);

  const page = await open(service, `/screener/${filters[0]}?session=2024-03-27`, cookie);
  assert.match(page.body, /7 matches, 3 new<\/strong> at the close of <time datetime="2024-03-27"/);
  assert.equal(page.body.match(/class="tag info">New/g)?.length, 3);
  assert.equal(page.body.match(/aria-label="[^"]*: the last 30 closes, from [\d.,]+ to [\d.,]+"/g)?.length, 7);
  assert.match(page.body, /href="\/series\?source=market&amp;symbol=\^?%?[\w.]+&amp;timeframe=1D"/);
  const fresh = await open(service, `/screener/${filters[0]}?session=2024-03-27&new=true`, cookie);
  assert.equal(fresh.body.match(/class="tag info">New/g)?.length, 3);
  assert.equal(fresh.body.match(/the last 30 closes/g)?.length, 3);
  const listed = await open(service, `/screener/${filters[1]}`, cookie);
  assert.match(listed.body, /No provider lists KO, MSFT and ZZZZ/);
  assert.match((await open(service, `/screener/${filters[2]}`, cookie)).body, /was saved after the session/);

  for (const [query, status, words] of [
    ['session=2024-03-30', 400, /The exchange is closed on 2024-03-30/],
    ['session=x', 400, /Session must be a date/],
    ['cursor=x', 400, /no longer works/],
    ['sessions=x', 400, /Matches/],
  ] as const) {
    const wrong = await open(service, `/screener/${filters[0]}?${query}`, cookie);
    assert.equal(wrong.status, status, query);
    assert.match(wrong.body, words);
  }
  const { cookie: another } = await signIn(service);
  for (const path of ['', '/edit', '/delete'])
    assert.equal((await open(service, `/screener/${filters[0]}${path}`, another)).status, 404, path);
});

onService('previews a filter from its address, with the distribution of each field', async (service) => {
  const { id, cookie } = await signIn(service);
  await seedScreener(service.database, id);
  const { body, status } = await open(service, `/screener/new?${new URLSearchParams(RSI)}`, cookie);
  assert.equal(status, 200);
  assert.match(body, /All symbols whose RSI 14 is below 45\./);
  assert.match(body, /<span class="figure">(\d+)<\/span> matches at the close of/);
  assert.match(
    body,
    /Session of the US stock exchanges, with closes of 13 symbols\. It is not recent: this service has no later closes\./,
  );
  assert.match(body, /In the latest evaluated session, of 13 symbols: half are between.*About \d+% pass/s);
  const incomplete = await open(service, '/screener/new', cookie);
  assert.deepEqual([incomplete.status, /aria-invalid/.test(incomplete.body)], [200, false]);
  assert.match(incomplete.body, /Condition 1: enter a number to compare with/);
  const checked = await open(service, '/screener/new?field.0=close&op.0=gt&value.0=%3Cb%3E&check=1', cookie);
  assert.equal(checked.status, 400);
  assert.match(checked.body, /id="value.0"[^>]*value="&lt;b&gt;"[^>]*aria-invalid="true"/);
  assert.match(checked.body, /“&lt;b&gt;” is not a number/);
  // The operation refuses what the form cannot know, and the page names the field.
  const refused = await open(
    service,
    '/screener/new?universe=list&symbols=AAPL+A%27B&field.0=close&op.0=gt&other.0=close&check=1',
    cookie,
  );
  assert.equal(refused.status, 400);
  assert.match(refused.body, /“A&#39;B” must be a symbol such as/);
  assert.match(refused.body, /Condition 1: the other field must differ from field/);
  const twice = 'field.0=close&op.0=gt&value.0=1&field.1=close&op.1=gt&value.1=1.0&check=1';
  assert.match((await open(service, `/screener/new?${twice}`, cookie)).body, /Condition 2 is the same as condition 1/);
});

onService('adds and removes conditions without a script, and keeps what was typed', async (service) => {
  const { cookie } = await signIn(service);
  const added = await send(service, '/screener/new', cookie, { ...RSI, name: 'Mine & yours', do: 'add' });
  assert.equal(added.status, 303);
  assert.match(added.location, /^\/screener\/new\?name=Mine\+%26\+yours&universe=all&.*field\.1=.*#condition-1$/);
  const page = await open(service, added.location.replace(/#.*/, ''), cookie);
  assert.match(page.body, /value="Mine &amp; yours"/);
  assert.equal(page.body.match(/data-condition=/g)?.length, 2);
  const two = { ...RSI, 'field.1': 'close', 'op.1': 'gt', 'value.1': '7' };
  const removed = await send(service, '/screener/new', cookie, { ...two, do: 'remove.0' });
  assert.match(removed.location, /field\.0=close&op\.0=gt&value\.0=7#condition-0$/);
  assert.doesNotMatch(removed.location, /field\.1/);
  // A list that is too long for an address is shown without one.
  const symbols = Array.from({ length: 500 }, (_, i) => `LONGSYMBOL-NUMBER-${i}`).join('\n');
  const long = await send(service, '/screener/new', cookie, { ...RSI, universe: 'list', symbols, do: 'preview' });
  assert.equal(long.status, 200);
  assert.match(long.body, /Those of 500 symbols/);
});

onService('saves a filter once, changes it unless it changed meanwhile, and deletes it', async (service) => {
  const { id, cookie } = await signIn(service);
  const unnamed = await send(service, '/screener/new', cookie, { ...RSI, do: 'save' });
  assert.deepEqual([unnamed.status, await countFilters(service, id)], [400, 0]);
  assert.match(unnamed.body, /Enter a name for the filter/);
  const form = { ...RSI, name: ' Oversold ', email: 'on', do: 'save' };
  const sent = await Promise.all([1, 2, 3].map(() => send(service, '/screener/new', cookie, form)));
  const [{ location: path } = assert.fail()] = sent;
  assert.deepEqual(
    sent.map(({ status, location }) => [status, location]),
    [1, 2, 3].map(() => [303, path]),
  );
  assert.match(path, /^\/screener\/alt_/);
  assert.equal(await countFilters(service, id), 1);

  const seenOf = async () =>
    /name="seen" value="([^"]+)"/.exec((await open(service, `${path}/edit`, cookie)).body)?.[1] ?? assert.fail();
  const seen = await seenOf();
  const changed = await send(service, `${path}/edit`, cookie, { ...form, 'value.0': '25', seen });
  assert.deepEqual([changed.status, changed.location], [303, path]);
  assert.match((await open(service, path, cookie)).body, /RSI 14 is below 25/);
  for (const stale of [seen, '']) {
    const late = await send(service, `${path}/edit`, cookie, { ...form, 'value.0': '99', seen: stale });
    assert.equal(late.status, 412);
    assert.match(late.body, /changed while this form was open.*value="99"/s);
    assert.equal((await send(service, `${path}/delete`, cookie, { seen: stale })).status, 412);
  }
  assert.match((await open(service, path, cookie)).body, /RSI 14 is below 25/);

  const off = await send(service, `${path}/email`, cookie, { email: 'off', from: 'mails' });
  assert.deepEqual([off.status, off.location], [303, '/screener/mails']);
  assert.match((await open(service, path, cookie)).body, /Turn emails on/);
  await send(service, `${path}/email`, cookie, { email: 'on' });
  assert.equal((await send(service, '/screener/mails', cookie, {})).location, '/screener/mails');
  assert.match((await open(service, '/screener/mails', cookie)).body, /Emails are off/);

  const question = await open(service, `${path}/delete`, cookie);
  assert.match(question.body, /It has no stored matches/);
  assert.equal(await countFilters(service, id), 1);
  const last = await seenOf();
  for (let i = 0; i < 2; i++) {
    const deleted = await send(service, `${path}/delete`, cookie, { seen: last });
    assert.deepEqual([deleted.status, deleted.location], [303, '/screener']);
  }
  assert.equal(await countFilters(service, id), 0);
});

onService('an account with ten filters can preview but is not offered to save', async (service) => {
  const { id, cookie } = await signIn(service);
  for (let i = 0; i < 10; i++) await makeFilter(service.database, id, { name: `Filter ${i}` });
  assert.doesNotMatch((await open(service, '/screener', cookie)).body, /\/screener\/new"/);
  const page = await open(service, '/screener/new', cookie);
  assert.match(page.body, /which is the most that an account can have/);
  assert.doesNotMatch(page.body, /value="save"/);
  const sent = await send(service, '/screener/new', cookie, { ...RSI, name: 'One more', do: 'save' });
  assert.equal(sent.status, 409);
  assert.match(sent.body, /at most 10 filters/);
});

onService('shows what was sent, and why something was not', async (service) => {
  const { id, cookie } = await signIn(service);
  assert.match((await open(service, '/screener/mails', cookie)).body, /No emails yet/);
  await seedScreener(service.database, id);
  const { body } = await open(service, '/screener/mails', cookie);
  assert.match(body, /Emails are on/);
  assert.match(body, /Waiting.*The mail server was unreachable.*Not sent.*daily email limit.*Sent/s);
  await sql`UPDATE account SET bounced_at = now() WHERE id = ${id}`.execute(service.database.query());
  for (const path of ['/screener', '/screener/mails'])
    assert.match((await open(service, path, cookie)).body, /Emails are suspended.*\/auth\/account/s);
  assert.equal((await open(service, '/screener/mails?cursor=x', cookie)).status, 400);
});
