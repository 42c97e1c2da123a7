import assert from 'node:assert/strict';
import { cheapenSignUps, makeAccount, PASSWORD } from '../../../../test/support/identity/callers.ts';
import { openPages, type Pages } from '../../../../test/support/identity/pages.ts';
import { linkIn, sendMails } from '../../../../test/support/identity/sent-links.ts';
import { forEachDatabase } from '../../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../../compose/index.ts';
import type { IdentityTables } from '../../../identity/tables.ts';

const options = { migrations: MIGRATIONS, queue: true };
const onPglite = { ...options, only: 'pglite' } as const;

/** Returns the secret of a link. */
function tokenOf(link: string): string {
  return new URL(link, 'http://site.invalid').searchParams.get('token') ?? '';
}

forEachDatabase('a sign-up sends an email, asks for the password again and signs in', options, async (fixture) => {
  const api = await openPages(fixture);
  const browser = api.visitor();
  const fields = { email: 'New@Example.org', password: PASSWORD, return_to: '/docs' };
  const sent = await browser.post('/auth/sign-up', fields);
  assert.deepEqual([sent.status, sent.location], [303, '/auth/sign-up/sent']);
  const waiting = await browser.get('/auth/sign-up/sent');
  assert.match(
    waiting.text,
    /The email is in the log This service has no mail server: .* you entered is New@Example\.org \. .*Send it again/,
  );
  assert.match((await browser.get('/auth/sign-up')).body, /id="email"[^>]* value="New@Example\.org"/);
  assert.ok(!(await api.visitor().get('/auth/sign-up/sent')).text.includes('you entered'), 'other browsers name none');
  assert.equal((await browser.post('/auth/sign-in', fields)).status, 403, 'the account does not exist yet');

  const [mail, ...others] = await sendMails(api);
  assert.ok(mail && others.length === 0);
  assert.equal(mail.to, 'new@example.org');
  const link = linkIn(mail);
  const token = tokenOf(link);
  for (let scan = 0; scan < 2; scan++) {
    const page = await api.visitor().get(link);
    assert.match(page.text, /Confirm your address This creates the Almanac account for new@example\.org/);
    assert.ok(page.body.includes(`<input type="hidden" name="token" value="${token}">`));
    assert.ok(!page.body.replace(`value="${token}"`, '').includes(token), 'no link on the page contains the secret');
  }
  const confirmed = await browser.post('/auth/sign-up/confirm', { token, password: PASSWORD });
  assert.deepEqual([confirmed.status, confirmed.location], [303, '/auth/signed-in?return_to=%2Fdocs']);
  assert.match((await browser.get('/auth/account')).text, /new@example\.org confirmed/);

  const used = await api.visitor().post('/auth/sign-up/confirm', { token, password: PASSWORD });
  for (const again of [await browser.get(link), used]) {
    assert.equal(again.status, 410);
    assert.match(again.text, /This link no longer works/);
    assert.equal(again.headers['set-cookie'], undefined);
  }
});

forEachDatabase(
  'pages after a request for an email state that it was sent if there is a mail server',
  onPglite,
  async (fixture) => {
    const mail = { ALMANAC_SMTP_URL: 'smtp://mail.example', ALMANAC_MAIL_FROM: 'almanac@mail.example' };
    const [sending, logging] = [await openPages(fixture, mail), await openPages(fixture)];
    for (const [path, sent] of [
      ['/auth/sign-up/sent', /Check your email We sent you an email\. Open the link/],
      ['/auth/forgot/sent', /If there is an account with this address, we sent an email\. Open the link/],
    ] as const) {
      assert.match((await sending.visitor().get(path)).text, sent);
      const { text } = await logging.visitor().get(path);
      assert.match(text, /its operator finds the email in the log of the service\. Open the link/);
      assert.doesNotMatch(text, /[Ww]e sent|Check your|spam/);
    }
  },
);

const WRONG =
  'This is not the password chosen at sign-up. If you did not sign up, ignore the email or sign up yourself.';

/** Signs up and returns the link of the email. */
async function openLink(api: Pages, fields: Record<string, string> = {}): Promise<string> {
  await api.visitor().post('/auth/sign-up', { email: 'new@example.org', password: PASSWORD, ...fields });
  const [mail] = await sendMails(api);
  return linkIn(mail ?? { text: '' });
}

forEachDatabase(
  'a new account begins on the start page, which welcomes it and has no words for guests',
  onPglite,
  async (fixture) => {
    const api = await openPages(fixture);
    const browser = api.visitor();
    const guest = (await browser.get('/')).text;
    assert.match(guest, /Create an account or Sign in .*No account needed.* as a guest/);
    const token = tokenOf(await openLink(api));
    const confirmed = await browser.post('/auth/sign-up/confirm', { token, password: PASSWORD });
    assert.equal(confirmed.location, '/auth/signed-in?return_to=%2F');
    const { text } = await browser.get('/');
    assert.match(text, /Your account is ready\. You are signed in\. Upload a file or search/);
    assert.doesNotMatch(text, /No account needed|as a guest|Create an account/);
    assert.doesNotMatch((await browser.get('/')).text, /Your account is ready/, 'it is said once');
  },
);

forEachDatabase('a sign-up can be confirmed only with its password', options, async (fixture) => {
  const api = await openPages(fixture);
  const link = await openLink(api, { return_to: '/docs' });
  const token = tokenOf(link);
  const browser = api.visitor();
  for (const [fields, status, words] of [
    [{}, 400, 'Enter the password that you chose when you signed up.'],
    [{ password: '' }, 400, 'Enter the password that you chose when you signed up.'],
    [{ password: 'x'.repeat(1025) }, 400, 'The password is too long'],
    [{ password: 'a wrong password' }, 403, WRONG],
  ] as const) {
    const page = await browser.post('/auth/sign-up/confirm', { token, ...fields });
    assert.equal(page.status, status);
    assert.ok(page.body.includes(`<a href="#password">${words}`), page.text);
    assert.match(
      page.body,
      /<input id="password"[^>]* aria-invalid="true" aria-describedby="password-hint password-error">/,
    );
    assert.ok(
      page.body.includes(`<input type="hidden" name="token" value="${token}">`),
      'the form can be submitted again',
    );
    assert.ok(page.body.includes('href="/auth/sign-up?return_to=%2Fdocs"'), 'the sign-up can be started again');
    assert.ok(!page.body.includes('a wrong password'), 'a password is never shown again');
    assert.equal(page.headers['set-cookie'], undefined);
  }
  const tries = await fixture.database
    .query<IdentityTables>()
    .selectFrom('account_link')
    .select('password_tries')
    .execute();
  assert.deepEqual(tries, [{ password_tries: 1 }], 'an invalid password does not count as an attempt');
  assert.equal((await browser.post('/auth/sign-up/confirm', { token, password: PASSWORD })).status, 303);
});

forEachDatabase('ten wrong passwords invalidate the link', onPglite, async (fixture) => {
  const api = await openPages(fixture);
  const link = await openLink(api);
  await cheapenSignUps(fixture.database);
  const confirm = (password: string) => api.visitor().post('/auth/sign-up/confirm', { token: tokenOf(link), password });
  for (let i = 0; i < 10; i++) assert.equal((await confirm(`wrong password ${i}`)).status, 403);
  for (const page of [await confirm(PASSWORD), await api.visitor().get(link)]) {
    assert.equal(page.status, 410);
    assert.match(page.text, /no longer works .*too many wrong passwords were entered/);
  }
});

forEachDatabase('limits confirmations from one network over all links', onPglite, async (fixture) => {
  const api = await openPages(fixture);
  const tokens: string[] = [];
  for (const email of ['a@example.org', 'b@example.org', 'c@example.org'])
    tokens.push(tokenOf(await openLink(api, { email })));
  await cheapenSignUps(fixture.database);
  const confirm = async (i: number, address: string) => {
    const fields = { token: tokens[i % 3] ?? '', password: `wrong password ${i}` };
    return (await api.visitor().post('/auth/sign-up/confirm', fields, { address })).status;
  };
  const statuses = [];
  for (let i = 0; i < 21; i++) statuses.push(await confirm(i, '198.51.100.3'));
  assert.deepEqual(statuses, [...Array(20).fill(403), 429]);
  assert.equal(await confirm(21, '203.0.113.3'), 403, 'other networks are not affected');
});

forEachDatabase('an address with an account gets the same responses as a new one', onPglite, async (fixture) => {
  const api = await openPages(fixture);
  const { email: taken } = await makeAccount(api.identity, { email: 'taken@example.org' });
  const answers = [];
  for (const email of [taken, 'fresh@example.org']) {
    const browser = api.visitor();
    const { status, location, body, headers } = await browser.post('/auth/sign-up', { email, password: PASSWORD });
    const page = await browser.get(String(location));
    const { date: _, 'x-request-id': __, ...rest } = headers;
    answers.push({
      status,
      location,
      body,
      page: page.body.replace(email, '(address)'),
      names: Object.keys(rest).sort(),
    });
  }
  assert.deepEqual(answers[0], answers[1]);
  const mails = await sendMails(api);
  assert.deepEqual(mails.map(({ to }) => to).sort(), ['fresh@example.org', taken]);
  assert.throws(() => linkIn(mails.find(({ to }) => to === taken) ?? { text: '' }), 'nothing to confirm');
});

forEachDatabase('shows errors of a sign-up beside their fields', onPglite, async (fixture) => {
  const api = await openPages(fixture);
  for (const [fields, words] of [
    [{}, ['Enter your email address.', 'Choose a password.']],
    [{ email: 'incomplete', password: '' }, ['such as name@example.org', 'Choose a password.']],
    [{ email: 'a@b.example', password: 'short' }, ['Password must have 10 to 1024 characters.']],
  ] as const) {
    const { status, text, body } = await api.visitor().post('/auth/sign-up', fields);
    assert.equal(status, 400);
    for (const word of words) assert.ok(text.includes(word), text);
    assert.ok(!body.includes('short"'), 'a password is never shown again');
  }
  assert.deepEqual(await sendMails(api), []);
});

forEachDatabase('limits sign-ups from one network', onPglite, async (fixture) => {
  const { visitor } = await openPages(fixture);
  const statuses = [];
  for (let i = 0; i < 11; i++) {
    const fields = { email: `person${i}@example.org`, password: PASSWORD };
    statuses.push((await visitor().post('/auth/sign-up', fields, { address: '198.51.100.3' })).status);
  }
  assert.deepEqual(statuses, [...Array(10).fill(303), 429]);
});

forEachDatabase('a link works only for its purpose', onPglite, async (fixture) => {
  const api = await openPages(fixture);
  const { email } = await makeAccount(api.identity);
  await api.visitor().post('/auth/forgot', { email });
  const [reset] = await sendMails(api);
  assert.ok(reset);
  const token = tokenOf(linkIn(reset));
  for (const path of ['/auth/sign-up/confirm', '/auth/verify']) {
    assert.equal((await api.visitor().get(`${path}?token=${token}`)).status, 410);
    assert.equal((await api.visitor().post(path, { token, password: PASSWORD })).status, 410);
  }
  for (const query of ['', '?token=', '?token=x', `?token=${token}x`, `?token=${token}&token=${token}`]) {
    for (const path of ['sign-up/confirm', 'verify', 'reset'])
      assert.equal((await api.visitor().get(`/auth/${path}${query}`)).status, 410, path + query);
  }
  assert.equal((await api.visitor().get(linkIn(reset))).status, 200, 'the link was not used up');
});
