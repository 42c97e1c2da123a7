import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type ConsoleBrowser, hiddenField, openBrowser } from '../support/api/console-browser.ts';
import { completeForecast, createCompleted } from '../support/forecasts/completed-forecasts.ts';
import { setForecastStatus } from '../support/forecasts/forecast-rows.ts';
import {
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeMember, makeWorkspace } from '../support/workspaces/workspaces.ts';
import { testAllowedActions } from './allowed-actions.ts';
import { testOutcomes } from './console-outcomes.ts';
import { testQuestionPages } from './console-question-pages.ts';
import { testQuestions } from './console-questions.ts';
import { testSaving } from './console-save.ts';

const NOTICE = '__Host-almanac_notice';
const INLINE = /<style|<[^>]+ (?:style|on\w+)=|<script(?![^>]* (?:src|type="application\/json"))/;
const ACTIONS = ['cancel', 'reproduce', 'rename', 'visibility', 'delete', 'outcome', 'questions', 'save'];
const POSTS = ['cancel', 'reproduce', 'rename', 'visibility', 'delete', 'outcome', 'questions', 'save', 'prepare-save'];

let service: ForecastService;
let owner: ConsoleBrowser;
let other: ConsoleBrowser;
let completed: Started;

const pathOf = ({ slug }: Pick<Started, 'slug'>, action?: string) =>
  action === undefined ? `/forecasts/${slug}` : `/forecasts/${slug}/${action}`;

async function read(browser: ConsoleBrowser, id: string) {
  const { data } = await browser.caller.request<{ title: string; visibility: string; status: string }>(
    'GET',
    `${FORECASTS}/${id}`,
  );
  return data;
}

/** Returns the notice that a browser stores, without the page that it is for. */
function noticeOf({ cookies }: ConsoleBrowser): string | undefined {
  return cookies.get(NOTICE)?.split(' ')[0];
}

/** Opens the form of an action and sends it with these fields. */
async function submit(browser: ConsoleBrowser, forecast: Started, action: string, fields: Record<string, string> = {}) {
  const path = pathOf(forecast, action);
  const seen = hiddenField((await browser.get(path)).body, path, 'seen');
  return browser.post(path, { seen, ...fields });
}

before(async () => {
  service = await openForecastService(testedKind);
  owner = await openBrowser(service, 'enterprise');
  other = await openBrowser(service, 'pro');
  completed = await createCompleted(service, owner.caller, { title: 'Ice & <b>snow</b>' });
});
after(() => service?.[Symbol.asyncDispose]());

describe(`actions on a forecast [${testedKind}]`, () => {
  test('every page of an action shows the forecast to its owner, escaped, and nothing to others', async () => {
    for (const action of ACTIONS) {
      const path = pathOf(completed, action);
      const { status, body, headers } = await owner.get(path);
      assert.equal(status, 200, path);
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self';/, path);
      assert.equal(headers['cache-control'], 'no-store', path);
      assert.doesNotMatch(body, INLINE, path);
      assert.ok(body.includes('Ice &amp; &lt;b&gt;snow&lt;/b&gt;') && !body.includes('<b>snow'), path);
      for (const browser of [other, await openBrowser(service, 'guest')]) {
        const { status: hidden, text } = await browser.get(path);
        assert.deepEqual([hidden, text.includes('Ice')], [404, false], path);
      }
    }
  });

  test('a form from another site, of another type or with a wrong address changes nothing', async () => {
    const { data: queued } = await create(owner.caller);
    const hostile = ['%00', '..%2F..%2Fapi', 'a'.repeat(300), '%F0%9F%92%A9', "'%20OR%201=1--"];
    for (const action of POSTS) {
      const path = pathOf(queued, action);
      const foreign = await owner.post(path, { visibility: 'public' }, { headers: { origin: 'https://evil.example' } });
      assert.equal(foreign.status, 403, `${path} from another site`);
      const json = await owner.post(path, '{}', { headers: { 'content-type': 'application/json' } });
      assert.equal(json.status, 415, `${path} as JSON`);
      for (const slug of hostile) {
        const { status } = await owner.post(`/forecasts/${slug}/${action}`, {});
        assert.ok(status === 307 || (status >= 400 && status < 500), `${slug}/${action}: ${status}`);
      }
      assert.equal(
        (await owner.get(pathOf({ slug: 'nothing-here' }, action))).status === 404,
        action !== 'prepare-save',
      );
    }
    assert.deepEqual((await read(owner, queued.forecast_id)).status, 'queued');
    await owner.post(pathOf(queued, 'cancel'), {});
  });

  test('a queued forecast is canceled once, and a completed one stays completed', async () => {
    const { data: queued } = await create(owner.caller);
    const page = await owner.get(pathOf(queued));
    assert.match(page.text, /Cancel the forecast/);
    const first = await owner.post(pathOf(queued, 'cancel'), {});
    assert.deepEqual([first.status, first.location], [303, `/forecasts/${queued.slug}`]);
    assert.equal(noticeOf(owner), 'forecast_canceled');
    const [again, twin] = await Promise.all([1, 2].map(() => owner.post(pathOf(queued, 'cancel'), {})));
    assert.deepEqual([again?.status, twin?.status], [303, 303]);
    assert.equal((await read(owner, queued.forecast_id)).status, 'failed');
    await owner.post(pathOf(completed, 'cancel'), {});
    assert.equal(noticeOf(owner), 'forecast_ended_before');
    assert.match((await owner.get(pathOf(completed))).text, /had already ended/);
    assert.match((await owner.get(pathOf(completed, 'cancel'))).text, /There is nothing to cancel/);
    assert.ok(!owner.cookies.has(NOTICE), 'a notice is shown once');
  });

  test('reproducing twice with one form gives one forecast, and a refusal is explained on the page', async () => {
    const path = pathOf(completed, 'reproduce');
    const key = hiddenField((await owner.get(path)).body, path, 'key');
    const [first, second] = await Promise.all([1, 2].map(() => owner.post(path, { key })));
    assert.equal(first?.status, 303, first?.text);
    assert.equal(second?.location, first?.location);
    const copy = { slug: String(first?.location).split('/').at(-1) ?? '' } as Started;
    assert.notEqual(copy.slug, completed.slug);
    const mismatch = await owner.post(pathOf(copy, 'reproduce'), { key });
    assert.equal(mismatch.status, 409);
    assert.match(mismatch.text, /Reproduce this forecast.*This did not work.*key/);
    assert.equal((await owner.post(path, { key: 'a\u0000b' })).status, 400);
    await owner.post(pathOf(copy, 'cancel'), {});
    await sql`UPDATE forecast SET snapshot_id = NULL,
      removed_snapshot = '{"id": "s", "sha256": "x", "rows": 1, "removed_at": "2026-01-01T00:00:00.000Z"}'
      WHERE slug = ${copy.slug}`.execute(service.database.query());
    assert.match((await owner.get(pathOf(copy, 'reproduce'))).text, /rows of this forecast were removed/);
    const removed = await owner.post(pathOf(copy, 'reproduce'), {});
    assert.equal(removed.status, 422);
  });

  test('without a free slot, the page states the limit and when to try again', async () => {
    const guest = await openBrowser(service, 'guest');
    const first = await createCompleted(service, guest.caller);
    await create(guest.caller);
    const refused = await guest.post(pathOf(first, 'reproduce'), {});
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '5']);
    assert.match(refused.text, /No slot is left for this one.*Try again in 5 seconds/);
  });

  test('a forecast is renamed; a wrong name stays in its field with the reason', async () => {
    const forecast = await createCompleted(service, owner.caller);
    const renamed = await submit(owner, forecast, 'rename', { title: ' Sea level ' });
    assert.deepEqual([renamed.status, renamed.location], [303, `/forecasts/${forecast.slug}`]);
    assert.equal((await read(owner, forecast.forecast_id)).title, 'Sea level');
    for (const [title, reason] of [
      ['x'.repeat(201), /Name .*200/],
      ['two\nlines', /Name must be one line/],
      ['turned \u202eround', /Name must not contain characters that change the text direction/],
    ] as const) {
      const refused = await submit(owner, forecast, 'rename', { title });
      assert.equal(refused.status, 400, title);
      assert.match(refused.text, reason);
      assert.ok(refused.body.includes('aria-invalid="true"') && refused.body.includes('href="#title"'), title);
    }
    assert.equal((await read(owner, forecast.forecast_id)).title, 'Sea level');
    await submit(owner, forecast, 'rename', { title: '' });
    assert.equal((await read(owner, forecast.forecast_id)).title, null);
  });

  test('a stale form changes nothing, shows the new state and works when it is sent again', async () => {
    const forecast = await createCompleted(service, owner.caller, { title: 'First' });
    const path = pathOf(forecast, 'rename');
    const seen = hiddenField((await owner.get(path)).body, path, 'seen');
    await owner.caller.request('PATCH', `${FORECASTS}/${forecast.forecast_id}`, { title: 'Second' });
    const stale = await owner.post(path, { seen, title: 'Third' });
    assert.equal(stale.status, 412);
    assert.match(stale.text, /changed while this form was open.*It is called Second now/);
    assert.ok(stale.body.includes('value="Third"'), 'what was entered is kept');
    assert.equal((await read(owner, forecast.forecast_id)).title, 'Second');
    const again = await owner.post(path, { seen: hiddenField(stale.body, path, 'seen'), title: 'Third' });
    assert.deepEqual([again.status, (await read(owner, forecast.forecast_id)).title], [303, 'Third']);
    for (const forged of ['', '*', '"x"'])
      assert.equal((await owner.post(path, { seen: forged, title: 'Fourth' })).status, 412, forged);
  });

  test('of two names that are sent together, the second finds the first', async () => {
    const forecast = await createCompleted(service, owner.caller, { title: 'First' });
    const path = pathOf(forecast, 'rename');
    const seen = hiddenField((await owner.get(path)).body, path, 'seen');
    const replies = await Promise.all(['One', 'Two'].map((title) => owner.post(path, { seen, title })));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [303, 412]);
  });

  test('progress between form and change does not make the form stale', async () => {
    const { data: queued } = await create(owner.caller, { title: 'First' });
    const path = pathOf(queued, 'rename');
    const seen = hiddenField((await owner.get(path)).body, path, 'seen');
    await setForecastStatus(service.database, queued.forecast_id, 'running');
    assert.equal((await owner.post(path, { seen, title: 'Second' })).status, 303);
    const doomed = pathOf(queued, 'delete');
    const shown = hiddenField((await owner.get(doomed)).body, doomed, 'seen');
    await completeForecast(service, queued.forecast_id);
    const refused = await owner.post(doomed, { seen: shown });
    assert.equal(refused.status, 412, 'a result that was not there before is not deleted unseen');
    assert.match(refused.text, /result, its proof and its rows are removed/);
  });

  test('a private forecast must be public before it is shared, with its address, citation and frame', async () => {
    const forecast = await createCompleted(service, owner.caller, { title: 'Shared' });
    const before = await owner.get(pathOf(forecast));
    assert.match(before.text, /make it public first/);
    assert.ok(!before.body.includes('iframe'));
    const published = await submit(owner, forecast, 'visibility', { visibility: 'public' });
    assert.deepEqual([published.status, noticeOf(owner)], [303, 'forecast_public']);
    const after = (await owner.get(pathOf(forecast))).body;
    for (const part of [`/forecasts/${forecast.slug}<`, 'Almanac. “Shared”', `/embed/${forecast.slug}`, 'chart.png'])
      assert.ok(after.includes(part), part);
    const seen = await other.get(pathOf(forecast));
    assert.match(seen.text, /Reproduce/);
    assert.doesNotMatch(seen.text, /Rename|Delete|Change the visibility/);
    const guest = await openBrowser(service, 'guest');
    for (const browser of [other, guest]) {
      for (const action of ['rename', 'visibility', 'delete'] as const) {
        assert.match((await browser.get(pathOf(forecast, action))).text, /Only its creator/, action);
        const forged = hiddenField((await owner.get(pathOf(forecast, action))).body, pathOf(forecast, action), 'seen');
        const refused = await browser.post(pathOf(forecast, action), {
          seen: forged,
          title: 'Mine',
          visibility: 'public',
        });
        assert.equal(refused.status, 403, action);
        assert.match(refused.text, /Only the forecast(?:&#39;|')s creator can do this/, action);
      }
      assert.equal((await browser.post(pathOf(forecast, 'cancel'), {})).status, 403);
    }
    for (const visibility of ['', 'everyone', 'workspace'])
      assert.equal((await submit(owner, forecast, 'visibility', { visibility })).status, 400, visibility);
    await submit(owner, forecast, 'visibility', { visibility: 'private' });
    assert.equal((await other.get(pathOf(forecast))).status, 404);
  });

  test('a forecast of a workspace file becomes public only after a question', async () => {
    const forecast = await createCompleted(service, owner.caller, { title: 'Of a file' });
    const source = { type: 'workspace_csv', workspace_id: 'ws_a', csv_id: 'csv_a', time_field: 't', value_field: 'v' };
    await sql`UPDATE forecast SET settings = jsonb_set(settings::jsonb, '{source}', ${JSON.stringify(source)}::jsonb)
      WHERE id = ${forecast.forecast_id}`.execute(service.database.query());
    const asked = await submit(owner, forecast, 'visibility', { visibility: 'public' });
    assert.equal(asked.status, 200);
    assert.match(asked.text, /Everyone will see the numbers/);
    assert.equal((await read(owner, forecast.forecast_id)).visibility, 'private');
    const published = await submit(owner, forecast, 'visibility', { visibility: 'public', confirmed: 'yes' });
    assert.equal(published.status, 303);
    assert.equal((await read(owner, forecast.forecast_id)).visibility, 'public');
  });

  test('a guest cannot publish, and is led to an account', async () => {
    const guest = await openBrowser(service, 'guest');
    const forecast = await createCompleted(service, guest.caller);
    const page = await guest.get(pathOf(forecast));
    assert.match(page.text, /Keep this forecast.*a guest cannot publish: sign in and save it first/);
    assert.doesNotMatch(page.text, /Make it public/);
    const seen = hiddenField(
      (await owner.get(pathOf(completed, 'visibility'))).body,
      pathOf(completed, 'visibility'),
      'seen',
    );
    const refused = await guest.post(pathOf(forecast, 'visibility'), { seen, visibility: 'public' });
    assert.equal(refused.status, 403);
    assert.match(refused.text, /Guests cannot make a forecast public/);
    assert.equal((await read(guest, forecast.forecast_id)).visibility, 'private');
  });

  test('members of a workspace are offered what their role allows', async () => {
    const { id: workspace } = await makeWorkspace(service.database, String(owner.caller.accountId));
    const [editor, viewer] = [await openBrowser(service, 'pro'), await openBrowser(service, 'pro')];
    await makeMember(service.database, workspace, String(editor.caller.accountId), { role: 'editor' });
    await makeMember(service.database, workspace, String(viewer.caller.accountId), { role: 'viewer' });
    const fields = { workspace_id: workspace, visibility: 'workspace', title: 'Team' };
    const forecast = await createCompleted(service, owner.caller, fields);
    assert.match((await editor.get(pathOf(forecast))).text, /Reproduce.*Rename/);
    assert.doesNotMatch((await editor.get(pathOf(forecast))).text, /Delete/);
    const seen = await viewer.get(pathOf(forecast));
    assert.doesNotMatch(seen.text, /Reproduce|Rename|Delete|make it public first/);
    assert.ok(seen.body.includes(`<li><a href="/workspaces/${workspace}">`), 'the path leads to the workspace');
    assert.match((await owner.get(pathOf(forecast))).body, /<li><a href="\/forecasts">My forecasts/);
    assert.match((await viewer.get(pathOf(forecast, 'reproduce'))).text, /Your role in its workspace does not allow/);
    assert.equal((await viewer.post(pathOf(forecast, 'reproduce'), {})).status, 403);
    const choices = (await editor.get(pathOf(forecast, 'visibility'))).body;
    assert.ok(
      choices.includes('value="workspace"') && !choices.includes('value="private"'),
      'only the creator hides it',
    );
    const hidden = await submit(editor, forecast, 'visibility', { visibility: 'private' });
    assert.equal(hidden.status, 403);
    assert.match(hidden.text, /Only the creator of a forecast can make it private/);
    assert.equal((await submit(editor, forecast, 'rename', { title: 'Renamed' })).status, 303);
    assert.equal((await submit(owner, forecast, 'delete')).status, 303);
    assert.equal((await editor.get(pathOf(forecast))).status, 404);
  });

  test('a deletion asks first, needs no script, and a second one finds nothing', async () => {
    const forecast = await createCompleted(service, owner.caller, { title: 'Doomed' });
    const asked = await owner.get(pathOf(forecast, 'delete'));
    assert.match(asked.text, /Delete this forecast\?.*Doomed will be gone for good.*Keep it/);
    assert.equal((await owner.post(pathOf(forecast, 'delete'), {})).status, 412, 'without the question');
    const removed = await submit(owner, forecast, 'delete');
    assert.deepEqual([removed.status, removed.location], [303, '/forecasts']);
    assert.equal((await owner.get(pathOf(forecast, 'delete'))).status, 404);
    assert.equal((await owner.post(pathOf(forecast, 'delete'), { seen: 'x' })).status, 404);
  });

  test('a browser without an identity is asked to sign in', async () => {
    const anonymous = await openBrowser(service, 'guest');
    anonymous.cookies.clear();
    for (const action of ['rename', 'delete', 'questions', 'save'])
      assert.equal((await anonymous.get(pathOf(completed, action))).status, 401, action);
    for (const action of POSTS.filter((one) => one !== 'prepare-save'))
      assert.ok([401, 403].includes((await anonymous.post(pathOf(completed, action), {})).status), action);
  });
});

testAllowedActions(() => service);
testSaving(() => service);
testQuestions(() => service);
testOutcomes(() => service);
testQuestionPages(() => service);

test('a notice appears only on the page that it was set for, and not with an error', async () => {
  const renamed = await createCompleted(service, owner.caller, { title: 'First' });
  const { location = '' } = await submit(owner, renamed, 'rename', { title: 'Second' });
  for (const path of [pathOf(completed), '/forecasts', '/forecasts/nothing-ever-was-here'])
    assert.doesNotMatch((await owner.get(path)).text, /has its new name/, path);
  assert.match((await owner.get(location)).text, /The forecast has its new name/);
  assert.doesNotMatch((await owner.get(location)).text, /has its new name/, 'once');
});

test('refused forms name what to do in words of the page', async () => {
  const path = pathOf(completed, 'visibility');
  const hacked = await owner.post(path, { visibility: 'hacked' });
  assert.equal(hacked.status, 400);
  assert.match(hacked.text, /Choose who can see it: private or public\./);
  const twice = await owner.post(path, 'visibility=public&visibility=private');
  assert.equal(twice.status, 400);
  assert.match(twice.text, /Something in this form is not valid/);
});

test('pages for visitors without a session offer a sign-in that leads back, and no API key', async () => {
  const { app } = service;
  for (const method of ['GET', 'POST'] as const) {
    const path = pathOf(completed, 'rename');
    const { statusCode, body } = await app.inject({ method, url: path, headers: { accept: 'text/html' } });
    assert.equal(statusCode, 401);
    assert.doesNotMatch(body, /API key|Bearer/);
    assert.ok(body.includes(`href="/auth/sign-in?return_to=${encodeURIComponent(path)}"`));
  }
});

test('a form of a session that ended changes nothing, and its cookie is removed', async () => {
  const browser = await openBrowser(service, 'guest');
  const countForecasts = async () =>
    (await sql<{ count: string }>`SELECT count(*) AS count FROM forecast`.execute(service.database.query())).rows[0];
  const before = await countForecasts();
  browser.cookies.set('__Host-almanac_session', 'x'.repeat(43));
  const fields = { source: 'economic_series', provider: 'bundled', series_id: 'mauna-loa-co2', value_field: 'co2' };
  const sent = await browser.post('/new', { ...fields, horizon: '7', title: 'Air', key: 'a'.repeat(20) });
  assert.equal(sent.status, 401);
  assert.match(sent.text, /Your session has ended/);
  const typed = /<a class="button quiet" href="(\/new\?[^"]+)">Continue as a guest/.exec(sent.body)?.[1] ?? '';
  assert.match(typed, /series_id=mauna-loa-co2.*horizon=7.*title=Air/);
  assert.match(sent.body, /href="\/auth\/sign-in\?return_to=%2Fnew%3F/);
  assert.deepEqual(await countForecasts(), before);
  assert.ok(!browser.cookies.has('__Host-almanac_session'));
  assert.notEqual((await browser.post('/new', { ...fields, horizon: '7', key: 'a'.repeat(20) })).status, 401);
});

test('an address with an empty name of a forecast leads to the list or does not exist', async () => {
  const list = await owner.get('/forecasts/');
  assert.deepEqual([list.status, list.location], [303, '/forecasts']);
  assert.equal((await owner.get('/forecasts//rename')).status, 404);
});
