import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { MAX_WEBHOOKS } from '../../src/contract/index.ts';
import { type ConsoleBrowser, hiddenField, openBrowser } from '../support/api/console-browser.ts';
import { type ForecastService, openForecastService, waitFor } from '../support/forecasts/forecast-service.ts';
import { pageVisitor } from '../support/identity/page-visitor.ts';
import { makeDelivery, makeWebhook } from '../support/notifications/make-webhook.ts';
import { type ReceivedRequest, type Receiver, replyWith, startReceiver } from '../support/notifications/receiver.ts';
import { LOOPBACK } from '../support/notifications/webhook-scene.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeMember, makeWorkspace } from '../support/workspaces/workspaces.ts';

const WEBHOOKS = '/auth/account/webhooks';
const INLINE = /<style|<[^>]+ (?:style|on\w+)=|<script(?![^>]* (?:src|type="application\/json"))/;
const NAME = 'Ice & <b>snow</b>';
const SCRIPT = '<script>alert(1)</script>';
const TYPES = { 'type-forecast-completed': 'on', 'type-screener-matched': 'on' };
const SECRET = /whsec_[A-Za-z0-9+/]+=*/;

let service: ForecastService;
let receiver: Receiver;
let owner: ConsoleBrowser;

before(async () => {
  receiver = await startReceiver(replyWith(200, SCRIPT));
  service = await openForecastService(testedKind, {
    worker: true,
    environment: { ALMANAC_OUTBOUND_ALLOW: LOOPBACK.join(',') },
  });
  owner = await openBrowser(service, 'pro');
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});

const idOf = ({ caller }: ConsoleBrowser) => String(caller.accountId);
const ownWebhook = (browser = owner) => makeWebhook(service.database, { accountId: idOf(browser) });

/** Returns the names of the webhooks of an account, in their order. */
async function namesOf(browser: ConsoleBrowser, path = '/v1/me/webhooks'): Promise<(string | null)[]> {
  const { data } = await browser.caller.request<{ webhooks: { name: string | null }[] }>('GET', path);
  return data.webhooks.map(({ name }) => name);
}

async function readWebhook(id: string) {
  const { data } = await owner.caller.request<{ enabled: boolean; url: string; types: string[]; name: string | null }>(
    'GET',
    `/v1/me/webhooks/${id}`,
  );
  return data;
}

/** Fills in the form of a new webhook and sends it. */
async function make(browser: ConsoleBrowser, fields: Record<string, string> = {}, path = WEBHOOKS) {
  const key = hiddenField((await browser.get(path)).body, path, 'key');
  const form = { key, url: `${receiver.origin}/hook`, name: NAME, ...TYPES, ...fields };
  return { form, page: await browser.post(path, form) };
}

/** Presses a button on the page of a webhook, with what its form contains. */
async function press(browser: ConsoleBrowser, path: string, action: string, fields: Record<string, string> = {}) {
  const { body } = await browser.get(path);
  const form = { key: hiddenField(body, `${path}/${action}`, 'key'), ...fields };
  return { form, reply: await browser.post(`${path}/${action}`, form) };
}

/** Reads the page of a webhook until it shows a text. */
const waitForText = (browser: ConsoleBrowser, path: string, text: RegExp) =>
  waitFor(
    () => browser.get(path),
    (page) => text.test(page.text),
    20_000,
  );

/** Returns whether a request is signed with a secret. */
function isSigned({ body, headers }: ReceivedRequest, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** Returns what the form of the settings shows. */
function settingsOf(body: string, path: string) {
  const start = body.indexOf(`action="${path}"`);
  const form = body.slice(start, body.indexOf('</form>', start));
  const enteredIn = (field: string) => new RegExp(`<input id="${field}"[^>]* value="([^"]*)"`).exec(form)?.[1] ?? '';
  const checked = [...form.matchAll(/name="(type-[\w-]+)" value="on" checked/g)].map(([, name]) => String(name));
  return {
    seen: hiddenField(body, path, 'seen'),
    url: enteredIn('url'),
    name: enteredIn('name'),
    ...Object.fromEntries(checked.map((name) => [name, 'on'])),
  };
}

describe(`webhooks in the console [${testedKind}]`, () => {
  test('visitors without an account learn what webhooks are for, with the status of the API', async () => {
    const id = await ownWebhook();
    for (const [browser, status] of [
      [pageVisitor(service.app), 401],
      [await openBrowser(service, 'guest'), 403],
    ] as const) {
      for (const path of [WEBHOOKS, `${WEBHOOKS}/${id}`, `${WEBHOOKS}/${id}/delete`, `${WEBHOOKS}/${id}/rotate`]) {
        const page = await browser.get(path);
        assert.equal(page.status, status, path);
        assert.match(page.text, /Webhooks .*Sign in .*Create an account/);
        assert.doesNotMatch(page.body, /method="post"|example\.com/);
      }
      for (const action of ['', `/${id}`, `/${id}/test`, `/${id}/state`, `/${id}/rotate`, `/${id}/delete`]) {
        assert.equal((await browser.post(`${WEBHOOKS}${action}`, {})).status, status, action);
      }
    }
    assert.ok((await readWebhook(id)).enabled);
  });

  test('makes one webhook from a form that is sent twice, and shows its secret once', async () => {
    const browser = await openBrowser(service, 'pro');
    assert.match((await browser.get(WEBHOOKS)).text, /You have no webhooks .*There can be 10 webhooks/);
    const { form, page } = await make(browser);
    assert.deepEqual([page.status, page.headers['cache-control']], [201, 'no-store']);
    const [secret = ''] = SECRET.exec(page.body) ?? [];
    assert.ok(secret.length > 40);
    assert.match(page.text, /Standard Webhooks.*new Webhook\(secret\)\.verify\(body, headers\)/);
    const again = await browser.post(WEBHOOKS, form);
    assert.match(again.text, /This form has already made the webhook .*Its secret was shown once/);
    assert.deepEqual(await namesOf(browser), [NAME]);
    const [, path = ''] = /href="(\/auth\/account\/webhooks\/whk_\w+)"/.exec(page.body) ?? [];
    const list = await browser.get(WEBHOOKS);
    assert.match(list.text, /Forecast completed · Filter matched .*No attempt has succeeded yet/);
    for (const { body } of [again, list, await browser.get(path), await browser.get(`${path}/rotate`)]) {
      assert.ok(!SECRET.test(body), 'the secret is shown once');
      assert.ok(body.includes('Ice &amp; &lt;b&gt;snow') && !body.includes('<b>snow'));
    }
    assert.match((await browser.get('/auth/account/security')).text, /A webhook was created/);
    assert.match((await browser.get('/auth/account')).text, /Webhooks 1 webhook\./);
    await browser.post(`${path}/delete`, {});
    const gone = await browser.post(WEBHOOKS, form);
    assert.match(gone.text, /This form made a webhook, which was deleted since/);
    assert.deepEqual(await namesOf(browser), []);
  });

  test('a refused form names the field and keeps what was entered', async () => {
    const browser = await openBrowser(service, 'pro');
    for (const [fields, words, field] of [
      [{ url: '' }, /Enter the URL to which the events are sent/, 'url'],
      [{ url: 'ftp://files.example.org/"><b>x' }, /URL: Write it as https:/, 'url'],
      [{ url: 'javascript:alert(1)' }, /URL: Write it as https:/, 'url'],
      [{ url: 'http://1.1.1.1/hook' }, /URL: Use https/, 'url'],
      [{ url: 'https://169.254.169.254/latest' }, /URL: The address is not on the public internet/, 'url'],
      [{ url: 'https://[::ffff:10.0.0.1]/' }, /URL: The address is not on the public internet/, 'url'],
      [{ url: 'https://me:secret@receiver.example/' }, /Remove the user and the password/, 'url'],
      [{ url: 'https://receiver.example/#part' }, /URL: A fragment is never sent/, 'url'],
      [{ url: `https://receiver.example/${'x'.repeat(2_000)}` }, /URL must/, 'url'],
      [{ name: 'x'.repeat(101) }, /Name must/, 'name'],
      [{ name: 'turned \u202eround' }, /Name must/, 'name'],
    ] as const) {
      const { page } = await make(browser, fields);
      assert.equal(page.status, 400, JSON.stringify(fields));
      assert.match(page.text, words);
      const [value = ''] = Object.values(fields);
      assert.match(page.body, new RegExp(`<input id="${field}"[^>]*aria-invalid="true"`), page.text);
      const escaped = value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      assert.ok(page.body.includes(`value="${escaped}"`) || value === '', `${value} is kept`);
      assert.match(page.body, /name="type-screener-matched" value="on" checked/, 'the events are kept');
      assert.match(page.body, /id="type-forecast-failed"(?![^>]*checked)/, 'also those that were not chosen');
      assert.ok(!page.body.includes('<b>x'));
    }
    const key = hiddenField((await browser.get(WEBHOOKS)).body, WEBHOOKS, 'key');
    const none = await browser.post(WEBHOOKS, { key, url: 'https://receiver.example/', name: 'No events' });
    assert.equal(none.status, 400);
    assert.match(none.body, /<fieldset id="types" aria-describedby="types-error">/);
    assert.match(none.text, /Choose at least one event\..*Choose at least one event\./);
    assert.ok(none.body.includes('value="https://receiver.example/"'));
    assert.deepEqual(await namesOf(browser), []);
  });

  test('a test shows the reply as text, and a replay sends the same event again', async () => {
    const browser = await openBrowser(service, 'pro');
    const { page } = await make(browser);
    const [secret = ''] = SECRET.exec(page.body) ?? [];
    const [, path = ''] = /href="(\/auth\/account\/webhooks\/whk_\w+)"/.exec(page.body) ?? [];
    assert.match((await browser.get(path)).text, /Nothing has been sent yet/);
    receiver.requests.length = 0;
    const { form, reply } = await press(browser, path, 'test');
    assert.deepEqual([reply.status, reply.location], [303, path]);
    await browser.post(`${path}/test`, form);
    const tested = await waitForText(browser, path, /Test Delivered .*Attempt 1: status 200, after/);
    assert.match(tested.text, /The reply/);
    assert.ok(tested.body.includes('&lt;script&gt;alert(1)&lt;/script&gt;'), 'the reply is shown');
    assert.doesNotMatch(tested.body, INLINE);
    assert.ok(!tested.body.includes(SCRIPT));
    assert.equal(receiver.requests.length, 1, 'a second click sends no second test');
    const [request] = receiver.requests;
    assert.ok(request && isSigned(request, secret));

    const delivery = hiddenField(tested.body, `${path}/replay`, 'delivery');
    const replayed = await press(browser, path, 'replay', { delivery });
    assert.equal(replayed.reply.location, path);
    await browser.post(`${path}/replay`, replayed.form);
    await waitForText(browser, path, /Test Delivered .*a replay of an earlier delivery .*Attempt 1: status 200/);
    assert.equal(receiver.requests.length, 2, 'a second click sends no second replay');
    assert.equal(receiver.requests[1]?.headers['webhook-id'], request.headers['webhook-id']);
    assert.equal((await browser.post(`${path}/replay`, { delivery: 'dlv_0', key: 'x' })).status, 404);

    const before = await browser.get(path);
    assert.match(before.text, /On The last success was/);
    receiver.reply = replyWith(503, '<img src=x onerror="alert(1)">');
    await press(browser, path, 'test');
    const failed = await waitForText(browser, path, /Test Failed .*Attempt 1: status 503/);
    assert.ok(failed.body.includes('&lt;img src=x onerror=&quot;') && !failed.body.includes('<img'));
    receiver.reply = replyWith(200, SCRIPT);
  });

  test('is turned off and on; a form from before states that it is off', async () => {
    const id = await ownWebhook();
    const path = `${WEBHOOKS}/${id}`;
    const ended = await makeDelivery(service.database, id);
    await sql`UPDATE webhook_delivery SET type = 'forecast.completed' WHERE id = ${ended}`.execute(
      service.database.query(),
    );
    const stale = await owner.get(path);
    assert.equal((await owner.post(`${path}/state`, { enabled: 'off' })).location, path);
    const off = await owner.get(path);
    assert.match(off.text, /The webhook is off\. .*It was turned off on request\..*Turn on/);
    assert.doesNotMatch(off.body, /\/replay"/);
    const key = hiddenField(stale.body, `${path}/replay`, 'key');
    const refused = await owner.post(`${path}/replay`, { key, delivery: ended });
    assert.equal(refused.status, 409);
    assert.match(refused.text, /This did not work The webhook is off\. Turn it on first\./);
    assert.doesNotMatch(refused.text, /PATCH/);
    await owner.post(`${path}/state`, { enabled: 'off' });
    assert.equal((await readWebhook(id)).enabled, false);
    await owner.post(`${path}/state`, { enabled: 'on' });
    assert.match((await owner.get(path)).text, /The webhook is on\./);
    assert.ok((await readWebhook(id)).enabled);
  });

  test('changes the settings, unless they changed while the form was open', async () => {
    const id = await ownWebhook();
    const path = `${WEBHOOKS}/${id}`;
    const shown = settingsOf((await owner.get(path)).body, path);
    assert.deepEqual(Object.keys(shown), ['seen', 'url', 'name', 'type-forecast-completed']);
    const wrong = await owner.post(path, { ...shown, url: 'http://10.0.0.1/"hook', name: 'Kept' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.body, /<details open>/);
    assert.ok(wrong.body.includes('value="http://10.0.0.1/&quot;hook"') && wrong.body.includes('value="Kept"'));
    const none = await owner.post(path, { seen: shown.seen, url: shown.url, name: '' });
    assert.match(none.text, /Choose at least one event/);
    const change = { ...shown, name: '', 'type-receipt-stamped': 'on' };
    assert.equal((await owner.post(path, change)).location, path);
    assert.match((await owner.get(path)).text, /The change is saved\..*Forecast completed · Proof stamped/);
    const late = await owner.post(path, { ...shown, name: 'Too late' });
    assert.equal(late.status, 412);
    assert.match(late.text, /This changed while the form was open\. Nothing was done\./);
    const { name, types, url } = await readWebhook(id);
    assert.deepEqual([name, types, url], [null, ['forecast.completed', 'receipt.stamped'], shown.url]);
  });

  test('rotates the secret once, also if the form is sent twice', async () => {
    const { page } = await make(owner);
    const [first = ''] = SECRET.exec(page.body) ?? [];
    const [, path = ''] = /href="(\/auth\/account\/webhooks\/whk_\w+)"/.exec(page.body) ?? [];
    const question = await owner.get(`${path}/rotate`);
    assert.match(question.text, /For 24 hours, requests are signed with both secrets/);
    const form = { seen: hiddenField(question.body, `${path}/rotate`, 'seen') };
    const replies = await Promise.all([1, 2].map(() => owner.post(`${path}/rotate`, form)));
    const shown = replies.filter(({ body }) => SECRET.test(body));
    assert.equal(shown.length, 1);
    const [second = ''] = SECRET.exec(shown[0]?.body ?? '') ?? [];
    assert.notEqual(second, first);
    const other = replies.find((reply) => !shown.includes(reply));
    assert.equal(other?.status, 412);
    assert.match(other?.text ?? '', /The secret was rotated before .*Nothing was done now/);
    receiver.requests.length = 0;
    await press(owner, path, 'test');
    await waitForText(owner, path, /Attempt 1: status 200/);
    const [request] = receiver.requests;
    assert.ok(request);
    assert.deepEqual([isSigned(request, first), isSigned(request, second)], [true, true]);
    assert.ok(!SECRET.test((await owner.get(path)).body));
    assert.match((await owner.get(path)).text, /Secret Rotated/);
  });

  test('is deleted after a question, and its address is then that of nothing', async () => {
    const id = await ownWebhook();
    const path = `${WEBHOOKS}/${id}`;
    await makeDelivery(service.database, id);
    assert.match((await owner.get(`${path}/delete`)).text, /Delete the webhook Made by a test\?/);
    assert.equal((await owner.get(path)).status, 200, 'the question changes nothing');
    assert.equal((await owner.post(`${path}/delete`, {})).location, WEBHOOKS);
    assert.match((await owner.get(WEBHOOKS)).text, /The webhook is deleted/);
    assert.equal((await owner.get(path)).status, 404);
    await owner.post(`${path}/delete`, {});
    assert.match((await owner.get(WEBHOOKS)).text, /This was already done/);
    for (const action of ['test', 'replay', 'state', 'rotate']) {
      assert.equal((await owner.post(`${path}/${action}`, { delivery: 'dlv_0' })).status, 404, action);
    }
  });

  test('the webhook of another account is one that does not exist', async () => {
    const stranger = await openBrowser(service, 'pro');
    const workspace = await makeWorkspace(service.database, idOf(owner));
    const ofWorkspace = await makeWebhook(service.database, { workspaceId: workspace.id });
    const id = await ownWebhook();
    const delivery = await makeDelivery(service.database, id);
    const strange = [`${WEBHOOKS}/${id}`, `${WEBHOOKS}/${ofWorkspace}`, `${WEBHOOKS}/whk_00000000000000000000000000`];
    for (const path of [...strange, `${WEBHOOKS}/..%2F..%2Fapi`, `${WEBHOOKS}/${'a'.repeat(300)}`]) {
      for (const below of ['', '/rotate', '/delete']) {
        const page = await stranger.get(`${path}${below}`);
        assert.ok([400, 404].includes(page.status), `${path}${below}: ${page.status}`);
        assert.doesNotMatch(page.text, /Made by a test|example\.com/);
      }
      for (const action of ['', '/test', '/replay', '/state', '/rotate']) {
        const { status } = await stranger.post(`${path}${action}`, {
          delivery,
          enabled: 'off',
          url: 'https://a.example/',
        });
        assert.ok([400, 404].includes(status), `${path}${action}: ${status}`);
      }
      await stranger.post(`${path}/delete`, {});
    }
    for (const path of strange) assert.equal((await stranger.get(path)).status, 404, path);
    // The same webhook below another owner's address.
    assert.equal((await owner.get(`${WEBHOOKS}/${ofWorkspace}`)).status, 404);
    assert.equal((await owner.get(`/workspaces/${workspace.slug}/webhooks/${id}`)).status, 404);
    assert.ok((await readWebhook(id)).enabled);
    assert.equal((await owner.get(`/workspaces/${workspace.slug}/webhooks/${ofWorkspace}`)).status, 200);
  });

  test('an account on the free plan sees why, and can turn off and delete what it still has', async () => {
    const free = await openBrowser(service, 'free');
    const empty = await free.get(WEBHOOKS);
    assert.equal(empty.status, 200);
    assert.match(empty.text, /Your plan does not include this Webhooks work only with the Pro and Enterprise plans/);
    assert.doesNotMatch(empty.body, /method="post"/);
    const refused = await free.post(WEBHOOKS, { url: 'https://receiver.example/', ...TYPES });
    assert.equal(refused.status, 403);
    assert.deepEqual(await namesOf(free), []);

    const path = `${WEBHOOKS}/${await ownWebhook(free)}`;
    assert.match((await free.get(WEBHOOKS)).text, /Yours send nothing until your plan includes them/);
    const { body } = await free.get(path);
    assert.match(body, /\/state"/);
    assert.doesNotMatch(body, /\/(test|replay|rotate)"|Change the webhook/);
    assert.equal((await free.post(`${path}/test`, { key: 'x' })).status, 403);
    assert.equal((await free.post(`${path}/state`, { enabled: 'off' })).location, path);
    assert.doesNotMatch((await free.get(path)).body, /\/state"/, 'it cannot be turned on');
    assert.equal((await free.post(`${path}/state`, { enabled: 'on' })).status, 403);
    assert.equal((await free.post(`${path}/delete`, {})).location, WEBHOOKS);
    assert.deepEqual(await namesOf(free), []);
  });

  test('there is no form for one more than the limit', async () => {
    const browser = await openBrowser(service, 'pro');
    const key = hiddenField((await browser.get(WEBHOOKS)).body, WEBHOOKS, 'key');
    for (let i = 0; i < MAX_WEBHOOKS; i++) await ownWebhook(browser);
    const full = await browser.get(WEBHOOKS);
    assert.match(full.text, /There are 10 webhooks, the most that are possible/);
    assert.doesNotMatch(full.body, /method="post"/);
    const more = await browser.post(WEBHOOKS, { key, url: 'https://receiver.example/', ...TYPES });
    assert.equal(more.status, 409);
    assert.match(more.text, /This did not work There can be at most 10 webhooks/);
  });

  test('pages deliveries, newest first, each with its state', async () => {
    const id = await ownWebhook();
    const path = `${WEBHOOKS}/${id}`;
    for (let i = 0; i < 21; i++) await makeDelivery(service.database, id);
    const attempts = JSON.stringify([
      {
        number: 1,
        started_at: '2026-01-05T09:00:00.000Z',
        duration_ms: 12_345,
        status_code: 500,
        error: null,
        reply: '',
      },
      {
        number: 2,
        started_at: '2026-01-05T09:05:00.000Z',
        duration_ms: 3,
        status_code: null,
        error: 'unreachable',
        reply: null,
      },
    ]);
    const forecast = { forecast_id: 'ef_01KA2V5KZQ0000000000000000', status: 'completed', result_url: '/x' };
    const body = { id: 'oev_0', type: 'forecast.completed', created_at: '2026-01-05T09:00:00Z', sequence: 1 };
    await sql`
      INSERT INTO webhook_delivery (id, webhook_id, event_id, type, body, state, attempt, attempts, next_attempt_at, created_at)
      VALUES ('dlv_9', ${id}, 'oev_0', 'forecast.completed', ${JSON.stringify({ ...body, data: forecast })}, 'pending', 2,
        ${attempts}::text::jsonb, now() + interval '1 hour', now() + interval '1 minute')`.execute(
      service.database.query(),
    );
    const first = await owner.get(path);
    assert.match(
      first.text,
      /Forecast completed Waiting .*Attempt 2: the receiver could not be reached, or closed the connection, after 3 ms\. The next attempt is due .*The 2 attempts Attempt 1: status 500, after 12\.3 s .*The reply was empty/,
    );
    assert.match(first.body, /href="\/forecasts\/ef_01KA2V5KZQ0000000000000000">Open the forecast/);
    assert.equal(first.body.match(/<h3>/g)?.length, 20);
    assert.equal(first.body.match(/\/replay"/g)?.length, 19, 'a delivery that is waiting cannot be replayed');
    const pending = await owner.post(`${path}/replay`, { key: 'x', delivery: 'dlv_9' });
    assert.equal(pending.status, 409);
    assert.match(pending.text, /The delivery has not ended/);
    const [, next = ''] = /href="(\/auth\/account\/webhooks\/\w+\?cursor=[^"]+)">Older/.exec(first.body) ?? [];
    const older = await owner.get(next);
    assert.equal(older.body.match(/<h3>/g)?.length, 2);
    assert.match(older.text, /Newest deliveries/);
    assert.equal((await owner.get(`${path}?cursor=x`)).status, 400);
  });

  test('the owner of a workspace manages its webhooks, and other members are refused in words', async () => {
    const workspace = await makeWorkspace(service.database, idOf(owner), NAME);
    const member = await openBrowser(service, 'pro');
    await makeMember(service.database, workspace.id, idOf(member), { role: 'editor' });
    const stranger = await openBrowser(service, 'pro');
    const list = `/workspaces/${workspace.slug}/webhooks`;
    assert.ok((await owner.get(`/workspaces/${workspace.slug}`)).body.includes(`href="${list}"`));
    assert.ok((await owner.get(`/workspaces/${workspace.slug}/settings`)).body.includes(`href="${list}"`));
    const empty = await owner.get(list);
    assert.match(empty.text, /The workspace has no webhooks/);
    assert.doesNotMatch(empty.body, /type-screener-matched/);
    const { page } = await make(owner, {}, list);
    assert.equal(page.status, 201, page.text);
    const names = await namesOf(owner, `/v1/workspaces/${workspace.id}/webhooks`);
    assert.deepEqual(names, [NAME]);
    const [, path = ''] = new RegExp(`href="(${list}/whk_\\w+)"`).exec(page.body) ?? [];
    assert.match((await owner.get(path)).text, /Events Forecast completed Created/, 'filters belong to accounts');

    receiver.requests.length = 0;
    await press(owner, path, 'test');
    await waitForText(owner, path, /Test Delivered/);
    assert.equal(receiver.requests.length, 1);
    const pages = [list, path, `${path}/rotate`, `${path}/delete`];
    for (const address of pages) {
      const { status, body, headers } = await owner.get(address);
      assert.equal(status, 200, address);
      assert.equal(headers['cache-control'], 'no-store', address);
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self';/, address);
      assert.doesNotMatch(body, INLINE, address);
      assert.ok(body.includes('Ice &amp; &lt;b&gt;snow') && !body.includes('<b>snow'), address);
      const denied = await member.get(address);
      assert.equal(denied.status, 403, address);
      assert.match(denied.text, /You cannot see these webhooks Only the owner of this workspace/);
      assert.doesNotMatch(denied.body, /method="post"|127\.0\.0\.1:/);
      assert.equal((await stranger.get(address)).status, 403, address);
    }
    for (const action of ['', '/test', '/replay', '/state', '/rotate', '/delete']) {
      for (const other of [member, stranger]) {
        assert.equal((await other.post(`${path}${action}`, { enabled: 'off', key: 'x' })).status, 403, action);
      }
    }
    assert.equal((await member.post(list, { url: 'https://a.example/', ...TYPES })).status, 403);
    assert.equal((await owner.post(`${path}/delete`, {})).location, list);
    assert.match((await owner.get(list)).text, /The webhook is deleted/);
  });
});
