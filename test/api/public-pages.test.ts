import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { openApi } from '../support/api/api.ts';
import { FORECAST_PAGES, pageReader, RESULT_FILES, readMissing } from '../support/api/public-pages.ts';
import { createCompleted } from '../support/forecasts/completed-forecasts.ts';
import { setForecastStatus } from '../support/forecasts/forecast-rows.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeEvent } from '../support/scout/events.ts';
import { makeWorkspace } from '../support/workspaces/workspaces.ts';
import { testPublicContent } from './public-content.ts';
import { testPublicQuestions } from './public-questions.ts';
import { testShownToCallers } from './shown-to-callers.ts';

const CO2 = { type: 'economic_series', provider: 'bundled', series_id: 'mauna-loa-co2', value_field: 'co2' };
const CO2_LICENSE = 'CC BY 4.0';
const UNLIMITED = { ALMANAC_RATE_ANONYMOUS: '1000000' };

let service: ForecastService;
let owner: Caller;
let open: ReturnType<typeof pageReader>;
let completed: Started;
let isMissing: Awaited<ReturnType<typeof readMissing>>;

before(async () => {
  service = await openForecastService(testedKind);
  owner = await service.account('enterprise');
  open = pageReader(service.app);
  completed = await createCompleted(service, owner, { source: CO2, visibility: 'public' });
  isMissing = await readMissing(open);
});
after(() => service?.[Symbol.asyncDispose]());

/** Changes a row without the API, which has no operation for most of these states. */
async function setColumns(id: string, columns: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, value] of Object.entries(columns)) {
    await sql`UPDATE forecast SET ${sql.ref(name)} = ${value} WHERE id = ${id}`.execute(service.database.query());
  }
}

async function assertHidden(url: string, what: string): Promise<void> {
  const { status, body, headers } = await open(url);
  assert.deepEqual([status, isMissing(url, body)], [404, true], `${what}: ${url}`);
  assert.deepEqual([headers['cache-control'], headers['x-robots-tag']], ['no-store', 'noindex'], what);
  assert.ok(!('etag' in headers), what);
}

async function assertShown(slug: string, hasResult: boolean, what: string): Promise<void> {
  for (const url of FORECAST_PAGES(slug)) assert.equal((await open(url)).status, 200, `${what}: ${url}`);
  for (const url of RESULT_FILES(slug)) {
    if (hasResult) assert.equal((await open(url)).status, 200, `${what}: ${url}`);
    else await assertHidden(url, what);
  }
}

async function assertAllHidden(slug: string, what: string): Promise<void> {
  for (const url of [...FORECAST_PAGES(slug), ...RESULT_FILES(slug)]) await assertHidden(url, what);
}

describe(`pages of forecasts [${testedKind}]`, () => {
  test('show what is public in every status, and hide everything else as if it had never existed', async () => {
    const { id: workspace } = await makeWorkspace(service.database, String(owner.accountId));
    const forecasts = { completed, queued: null, running: null, failed: null } as Record<string, Started | null>;
    for (const status of ['queued', 'running', 'failed'] as const) {
      const { data } = await create(owner, { models: ['theta'] });
      forecasts[status] = data;
      await setForecastStatus(service.database, data.forecast_id, status);
    }
    for (const [status, forecast] of Object.entries(forecasts)) {
      const { forecast_id: id, slug } = forecast as Started;
      for (const workspace_id of [null, workspace]) {
        await setColumns(id, { workspace_id });
        for (const visibility of ['private', 'workspace', 'public']) {
          const what = `${status} ${visibility} ${workspace_id}`;
          await setColumns(id, { visibility });
          if (visibility === 'public') await assertShown(slug, status === 'completed', what);
          else await assertAllHidden(slug, what);
        }
      }
      await setColumns(id, { workspace_id: null });
    }
  });

  test('never show a guest’s forecast, even if its row is public', async () => {
    const { forecast_id: id, slug } = completed;
    await assertShown(slug, true, 'before');
    const set = (account: string | null, guest: string | null) =>
      sql`UPDATE forecast SET account_id = ${account}, guest_id = ${guest} WHERE id = ${id}`.execute(
        service.database.query(),
      );
    await set(null, 'gst_1');
    await assertAllHidden(slug, 'of a guest');
    await set(owner.accountId, null);
    await assertShown(slug, true, 'after');
  });

  test('are found by slug and not by id, however the address is spelled', async () => {
    const { forecast_id: id, slug } = completed;
    await assertAllHidden(id, 'id');
    await assertAllHidden(id.toLowerCase(), 'id in lower case');
    for (const name of [
      slug.toUpperCase(),
      `${slug}%00`,
      `${slug}%20`,
      `%27${slug}`,
      `${slug}%2f..`,
      'a'.repeat(5_000),
    ]) {
      await assertHidden(`/forecasts/${name}`, name.slice(0, 50));
      await assertHidden(`/questions/${name}`, name.slice(0, 50));
    }
    // These addresses have no route, whatever exists.
    for (const path of [`/forecasts/${slug}/`, `/forecasts/${slug}/chart.gif`, `/embed/${slug}/chart.svg`]) {
      const found = await open(path);
      const unknown = await open(path.replace(slug, 'unknown'));
      assert.deepEqual([found.status, found.body], [404, unknown.body], path);
    }
  });

  test('disappear with the deletion of the forecast', async () => {
    const { forecast_id: id, slug } = await createCompleted(service, owner, { visibility: 'public' });
    await assertShown(slug, true, 'before');
    assert.equal((await owner.request('DELETE', `${FORECASTS}/${id}`)).status, 200);
    await assertAllHidden(slug, 'deleted');
  });

  test('disappear when the license of the rows or of a model is denied', async () => {
    const { queue, forecasts: jobs, database } = service;
    for (const [denied, expected] of [
      ['Other-1.0', 200],
      [CO2_LICENSE, 404],
      ['Apache-2.0', 404],
    ] as const) {
      const { app } = await openApi(
        database,
        { ...UNLIMITED, ALMANAC_DENIED_LICENSES: denied },
        undefined,
        queue,
        jobs.checkpoints,
      );
      try {
        const read = pageReader(app);
        for (const url of [...FORECAST_PAGES(completed.slug), ...RESULT_FILES(completed.slug)]) {
          const { status, body } = await read(url);
          assert.equal(status, expected, `${denied}: ${url}`);
          if (expected === 404) assert.ok(isMissing(url, body), `${denied}: ${url}`);
        }
      } finally {
        await app.close();
      }
    }
  });
});

test('a page that is not public offers a sign-in that leads back to it, whether or not it exists', async () => {
  const { data: hidden } = await create(owner, { models: ['theta'] });
  for (const slug of [hidden.slug, 'nothing-ever-was-here']) {
    const { body } = await open(`/forecasts/${slug}`);
    assert.match(body, /If it is yours, sign in to open it\./);
    assert.ok(body.includes(`href="/auth/sign-in?return_to=%2Fforecasts%2F${slug}"`), slug);
    assert.match(body, /<a class="button quiet" href="\/">Go to the start page<\/a>/);
  }
  const { body } = await open('/embed/nothing-ever-was-here');
  assert.doesNotMatch(body, /sign-in/, 'a session changes only the page of a forecast');
});

test('the API still needs a credential for what its pages show', async () => {
  const { status } = await open(`/api${FORECASTS}/${completed.forecast_id}`);
  assert.equal(status, 401);
});

test('pages allow no script and no framing; only the embedded page may be framed', async () => {
  const question = await makeEvent(service.database, { author: String(owner.accountId), visibility: 'public' });
  const pages = [...FORECAST_PAGES(completed.slug), ...RESULT_FILES(completed.slug), `/questions/${question.slug}`];
  for (const url of [...pages, '/forecasts/unknown']) {
    const { headers, body } = await open(url);
    const policy = String(headers['content-security-policy']).split('; ');
    assert.ok(policy.includes("default-src 'none'") && policy.includes("base-uri 'none'"), url);
    assert.ok(
      policy.every((rule) => !/script-src|unsafe|https?:/.test(rule)),
      url,
    );
    const isEmbed = url.startsWith('/embed/');
    assert.ok(policy.includes(`frame-ancestors ${isEmbed ? '*' : "'none'"}`), url);
    assert.equal(headers['x-frame-options'], isEmbed ? undefined : 'DENY', url);
    assert.equal(headers['x-robots-tag'], 'noindex', url);
    assert.equal(headers['x-content-type-options'], 'nosniff', url);
    assert.doesNotMatch(body, /<script|\son\w+=|\sstyle=|javascript:/i, url);
    if (String(headers['content-type']).startsWith('text/html'))
      assert.match(body, /<meta name="robots" content="noindex">/);
  }
});

test('pages ignore credentials and set no cookie; only the page of a forecast reads the cookies of a session', async () => {
  const session = await service.account('free');
  const guest = await service.guest();
  const credentials = [
    owner.credentials,
    session.credentials,
    guest.credentials,
    { authorization: 'Bearer alm_wrong' },
  ];
  const { body: hidden } = await create(owner, { models: ['theta'] });
  const { slug } = JSON.parse(hidden).data as Started;
  for (const headers of [...credentials, { cookie: 'almanac_session=wrong; other=1' }]) {
    for (const url of [`/forecasts/${completed.slug}`, `/embed/${completed.slug}`]) {
      const plain = await open(url);
      const sent = await open(url, { headers });
      // test/api/console-forecast.test.ts has what a visitor with a session gets instead.
      const isVisitor = url.startsWith('/forecasts/') && [session.credentials, guest.credentials].includes(headers);
      assert.deepEqual([sent.status, sent.body === plain.body], [200, !isVisitor], url);
      assert.ok(!('set-cookie' in sent.headers), url);
    }
    const own = await open(`/forecasts/${slug}`, { headers });
    assert.equal(own.status, 404, 'a key does not open the page of a private forecast');
    assert.ok(!('set-cookie' in own.headers));
  }
});

test('readers revalidate by ETag, HEAD has the headers of GET, and other methods are refused', async () => {
  for (const url of [...FORECAST_PAGES(completed.slug), ...RESULT_FILES(completed.slug)]) {
    const { headers, body } = await open(url);
    assert.equal(headers['cache-control'], 'public, max-age=60', url);
    const again = await open(url, { headers: { 'if-none-match': String(headers.etag) } });
    assert.deepEqual([again.status, again.body, again.headers.etag], [304, '', headers.etag], url);
    assert.equal((await open(url, { headers: { 'if-none-match': '"other"' } })).body, body);
    const head = await open(url, { method: 'HEAD' });
    assert.deepEqual([head.status, head.body, head.headers.etag], [200, '', headers.etag], url);
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      const refused = await open(url, { method });
      const unknown = await open(url.replace(completed.slug, 'unknown'), { method });
      assert.deepEqual([refused.status, unknown.status, refused.body], [405, 405, unknown.body], `${method} ${url}`);
    }
  }
});

test('a thousand guesses find nothing and cost at most the limit of the address', async () => {
  const { app } = await openApi(service.database, { ALMANAC_RATE_ANONYMOUS: '20' });
  try {
    const read = pageReader(app);
    const counts = new Map<number, number>();
    for (let guess = 0; guess < 1_000; guess++) {
      const { status } = await read(`/forecasts/s-p-500-${guess}`, { address: '192.0.2.8' });
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    assert.deepEqual([...counts].sort(), [
      [404, 20],
      [429, 980],
    ]);
    const refused = await read(`/forecasts/${completed.slug}`, { address: '192.0.2.8' });
    assert.equal(refused.status, 429);
    assert.match(String(refused.headers['content-type']), /^text\/html/);
    assert.equal((await read(`/forecasts/${completed.slug}`, { address: '192.0.2.9' })).status, 200);
  } finally {
    await app.close();
  }
});

testPublicContent(() => ({ service, owner, open, completed }));
testPublicQuestions(() => ({ service, owner, open, completed }));
testShownToCallers(() => ({ service }));
