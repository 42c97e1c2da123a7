import assert from 'node:assert/strict';
import { makeAccount, PASSWORD } from '../../../../test/support/identity/callers.ts';
import { openPages } from '../../../../test/support/identity/pages.ts';
import { linkIn, sendMails } from '../../../../test/support/identity/sent-links.ts';
import { forEachDatabase } from '../../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../../compose/index.ts';

const options = { migrations: MIGRATIONS, queue: true };
const NEW_PASSWORD = 'another horse battery';

forEachDatabase('resets a forgotten password by email and signs out all other browsers', options, async (fixture) => {
  const api = await openPages(fixture);
  const { email } = await makeAccount(api.identity, { verified: false });
  const other = api.visitor();
  await other.post('/auth/sign-in', { email, password: PASSWORD });

  const browser = api.visitor();
  const asked = await browser.post('/auth/forgot', { email });
  assert.deepEqual([asked.status, asked.location], [303, '/auth/forgot/sent']);
  const [mail] = await sendMails(api);
  assert.ok(mail);
  const link = linkIn(mail);
  const token = new URL(link, 'http://site.invalid').searchParams.get('token') ?? '';
  const page = await browser.get(link);
  assert.match(page.text, /Choose a new password/);
  assert.match(page.body, new RegExp(`readonly[^>]* value="${email}"`));

  for (const [password, words] of [
    ['', 'Choose a new password.'],
    ['short', 'The new password must have 10 to 1024 characters.'],
  ] as const) {
    const refused = await browser.post('/auth/reset', { token, password });
    assert.equal(refused.status, 400);
    assert.ok(refused.text.includes(words), refused.text);
    assert.ok(refused.body.includes(`name="token" value="${token}"`), 'the link can still be used');
  }
  assert.equal((await other.get('/auth/account')).status, 200, 'nothing has changed');

  const done = await browser.post('/auth/reset', { token, password: NEW_PASSWORD });
  assert.deepEqual([done.status, done.location], [303, '/auth/signed-in']);
  const account = await browser.get('/auth/account');
  assert.match(account.text, /Your new password is set\..*confirmed/);
  assert.equal((await other.get('/auth/account')).status, 401, 'signed out');
  assert.equal((await other.post('/auth/sign-in', { email, password: PASSWORD })).status, 403);
  assert.equal((await other.post('/auth/sign-in', { email, password: NEW_PASSWORD })).status, 303);
  assert.equal((await api.visitor().post('/auth/reset', { token, password: NEW_PASSWORD })).status, 410);
});

forEachDatabase(
  'a reset request does not reveal whether an account exists',
  { ...options, only: 'pglite' },
  async (fixture) => {
    const api = await openPages(fixture);
    const { email } = await makeAccount(api.identity, { email: 'known@example.org' });
    const answers = [];
    for (const address of [email, 'unknown@example.org']) {
      const browser = api.visitor();
      const { status, location, body, headers } = await browser.post('/auth/forgot', { email: address });
      const page = await browser.get(String(location));
      answers.push({
        status,
        location,
        body,
        page: page.body.replace(address, '(address)'),
        names: Object.keys(headers).sort(),
      });
    }
    assert.deepEqual(answers[0], answers[1]);
    assert.deepEqual(
      (await sendMails(api)).map(({ to }) => to),
      [email],
    );
    const refused = await api.visitor().post('/auth/forgot', { email: 'not an address' });
    assert.equal(refused.status, 400);
    assert.match(refused.body, /value="not an address"/);
  },
);
