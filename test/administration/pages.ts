import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { addCookie, hiddenField } from '../support/api/console-browser.ts';
import type { ForecastService } from '../support/forecasts/forecast-service.ts';
import { withGuest } from '../support/identity/callers.ts';
import { type PageVisitor, pageVisitor } from '../support/identity/page-visitor.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeAdministrator, makePerson, type Person, type ShownAccount, USERS } from './scene.ts';

let service: ForecastService;
let administrator: Person;
let browser: PageVisitor;

function visitAs({ cookie }: { readonly cookie?: string }): PageVisitor {
  const visitor = pageVisitor(service.app);
  if (cookie !== undefined) addCookie(visitor, cookie);
  return visitor;
}

async function stateOf({ id }: Person): Promise<unknown[]> {
  const { data } = await administrator.byKey<ShownAccount>('GET', `${USERS}/${id}`);
  return [data.plan, data.administrator, data.locked];
}

const pathOf = ({ id }: Person, change = '') => `/admin/users/${id}${change}`;

/** Opens the form of a change and returns the fields that it contains. */
async function readForm(path: string, form = path): Promise<Record<string, string>> {
  const { body } = await browser.get(path);
  const seen = hiddenField(body, form, 'seen');
  return form.endsWith('/plan') ? { seen } : { seen, to: hiddenField(body, form, 'to') };
}

/** Tests the pages of administrators. */
export function testPages(open: () => ForecastService): void {
  describe(`pages of administrators [${testedKind}]`, () => {
    before(async () => {
      service = open();
      administrator = await makeAdministrator(service);
      browser = visitAs(administrator);
    });

    test('every other visitor is refused in words, with the status of the API and without a form', async () => {
      const ordinary = await makePerson(service);
      const unverified = await makePerson(service, { administrator: true, verified: false });
      const target = await makePerson(service);
      for (const [visitor, status, words] of [
        [visitAs({}), 401, 'Sign in to continue'],
        [visitAs(await withGuest(service.identity)), 403, 'This needs an account'],
        [visitAs(ordinary), 403, 'Only for administrators'],
        [visitAs(unverified), 403, 'Confirm your email address first'],
      ] as const) {
        for (const path of ['/admin', '/admin/users', '/admin/ledger', pathOf(target), pathOf(target, '/lock')]) {
          const { status: got, text, body } = await visitor.get(path);
          assert.deepEqual([got, text.includes(words)], [status, true], `${path} ${words}`);
          assert.doesNotMatch(body, /<form[^>]*method="post"/, path);
          assert.ok(!text.includes(target.email), path);
        }
        for (const change of ['/plan', '/lock', '/administrator']) {
          const { status: got } = await visitor.post(pathOf(target, change), { plan: 'free', to: 'on', seen: 'x' });
          assert.equal(got, status, change);
        }
      }
      assert.deepEqual(await stateOf(target), ['pro', false, false]);
    });

    test('changes the plan, the administration and the lock, and each form states what it does', async () => {
      const target = await makePerson(service);
      const plan = { ...(await readForm(pathOf(target), pathOf(target, '/plan'))), plan: 'enterprise' };
      assert.equal((await browser.post(pathOf(target, '/plan'), plan)).location, pathOf(target));
      assert.ok((await browser.get(pathOf(target))).text.includes('The account has its new plan.'));
      for (const change of ['/administrator', '/lock']) {
        const { status } = await browser.post(pathOf(target, change), await readForm(pathOf(target, change)));
        assert.equal(status, 303, change);
      }
      assert.deepEqual(await stateOf(target), ['enterprise', true, true]);
      const page = await browser.get(pathOf(target));
      assert.ok(page.text.includes('This account is locked') && page.text.includes('End administration'));
      await browser.post(pathOf(target, '/lock'), await readForm(pathOf(target, '/lock')));
      await browser.post(pathOf(target, '/administrator'), await readForm(pathOf(target, '/administrator')));
      assert.deepEqual(await stateOf(target), ['enterprise', false, false]);
    });

    test('a form that showed an earlier state, hostile fields or an own account change nothing', async () => {
      const target = await makePerson(service);
      const stale = await readForm(pathOf(target, '/lock'));
      await administrator.bySession('PATCH', `${USERS}/${target.id}`, { plan: 'free' });
      const refused = await browser.post(pathOf(target, '/lock'), stale);
      assert.deepEqual([refused.status, refused.text.includes('changed while this form was open')], [412, true]);
      const seen = await readForm(pathOf(target), pathOf(target, '/plan'));
      for (const plan of ['gold', '', '<b>'])
        assert.equal((await browser.post(pathOf(target, '/plan'), { ...seen, plan })).status, 400, plan);
      assert.equal((await browser.post(pathOf(target, '/lock'), {})).status, 412);
      assert.deepEqual(await stateOf(target), ['free', false, false]);

      const own = await browser.get(pathOf(administrator, '/lock'));
      assert.ok(own.text.includes('This is your own account') && !own.body.includes('method="post"'));
      assert.doesNotMatch((await browser.get(pathOf(administrator))).body, /\/(?:lock|administrator)"/);
      for (const path of [
        '/admin/users/usr_0',
        '/admin/users/%00',
        `/admin/users/${'a'.repeat(101)}/lock`,
        '/admin/users//lock',
      ])
        assert.ok([400, 404].includes((await browser.get(path)).status), path);
    });

    test('lists accounts with filters, escapes what was typed, and names a wrong filter at its field', async () => {
      await makePerson(service, { email: "o'brien@page.example" });
      const found = await browser.get('/admin/users?q=page.example&plan=pro&state=active');
      assert.ok(found.status === 200 && /o&#39;brien@page\.example/.test(found.body));
      const none = await browser.get(`/admin/users?q=${encodeURIComponent('"><script>')}`);
      assert.ok(none.text.includes('No account matches') && !none.body.includes('"><script>'));
      for (const query of ['plan=gold', 'state=x', `q=${'a'.repeat(300)}`, 'cursor=x.y']) {
        const { status, text } = await browser.get(`/admin/users?${query}`);
        assert.deepEqual([status, text.includes('There is a problem')], [400, true], query);
      }
      const ledger = await browser.get('/admin/ledger?check=now');
      assert.ok(ledger.status === 200 && ledger.text.includes('The ledger adds up'));
    });
  });
}
