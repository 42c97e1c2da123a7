import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { verifyProof } from '../../src/provenance/index.ts';
import type { pageReader } from '../support/api/public-pages.ts';
import { createCompleted, recordOutcome } from '../support/forecasts/completed-forecasts.ts';
import { type Caller, FORECASTS, type ForecastService, type Started } from '../support/forecasts/forecast-service.ts';
import { makeCsvFile } from '../support/workspaces/csv-files.ts';
import { makeWorkspace } from '../support/workspaces/workspaces.ts';

export interface PublicScene {
  readonly service: ForecastService;
  readonly owner: Caller;
  readonly open: ReturnType<typeof pageReader>;
  /** A completed public forecast of a bundled series. */
  readonly completed: Started;
}

const HOSTILE =
  '"><script>alert(1)</script><img src=x onerror="alert(2)">&amp;\u2028\'--><style>*{display:none}</style>';

/** Tests what the pages of forecasts show. */
export function testPublicContent(scene: () => PublicScene): void {
  const pagesOf = (slug: string) => [`/forecasts/${slug}`, `/embed/${slug}`, `/forecasts/${slug}/chart.svg`];

  /** Changes a row as a transaction of another process would, without this one noticing. */
  async function setColumn(id: string, column: string, value: string | null): Promise<void> {
    const { database } = scene().service;
    await sql`UPDATE forecast SET ${sql.ref(column)} = ${value} WHERE id = ${id}`.execute(database.query());
  }

  test('a page names the series, the numbers and the license, and nothing about the owner', async () => {
    const { service, owner, open, completed } = scene();
    const { id: workspace, slug: workspaceSlug } = await makeWorkspace(
      service.database,
      String(owner.accountId),
      'Secret Research',
    );
    await setColumn(completed.forecast_id, 'workspace_id', workspace);
    const { data } = await owner.request<{ predictions: { quantiles: Record<string, number> }[] }>(
      'GET',
      `${FORECASTS}/${completed.forecast_id}`,
    );
    const { body } = await open(`/forecasts/${completed.slug}`);
    assert.match(body, /<h1>mauna-loa-co2, 3 months<\/h1>/);
    assert.match(body, /CC BY 4\.0/);
    for (const { quantiles } of data.predictions) {
      for (const value of Object.values(quantiles)) assert.ok(body.includes(`>${value.toFixed(2)}<`), String(value));
    }
    for (const url of pagesOf(completed.slug)) {
      const shown = (await open(url)).body;
      for (const secret of [String(owner.accountId), workspace, workspaceSlug, 'Secret Research', 'example.org']) {
        assert.ok(!shown.includes(secret), `${url} shows ${secret}`);
      }
    }
    await setColumn(completed.forecast_id, 'workspace_id', null);
  });

  test('a changed title and a withdrawn forecast take effect at the next request', async () => {
    const { open, completed } = scene();
    const page = () => open(`/forecasts/${completed.slug}`);
    const before = await page();
    await setColumn(completed.forecast_id, 'title', 'Another title');
    const renamed = await page();
    assert.match(renamed.body, /<h1>Another title<\/h1>/);
    assert.notEqual(renamed.headers.etag, before.headers.etag);
    await setColumn(completed.forecast_id, 'visibility', 'private');
    for (const url of pagesOf(completed.slug)) {
      const { status } = await open(url, { headers: { 'if-none-match': String(renamed.headers.etag) } });
      assert.equal(status, 404, url);
    }
    await setColumn(completed.forecast_id, 'visibility', 'public');
    await setColumn(completed.forecast_id, 'title', null);
    assert.equal((await page()).headers.etag, before.headers.etag);
  });

  test('a hostile title stays text on every page', async () => {
    const { open, completed } = scene();
    await setColumn(completed.forecast_id, 'title', HOSTILE);
    for (const url of pagesOf(completed.slug)) {
      const { body, status } = await open(url);
      assert.equal(status, 200);
      assert.doesNotMatch(body, /<script|<img|onerror="|-->|<style>\*/, url);
      assert.match(body, /&lt;script&gt;alert\(1\)/, url);
    }
    await setColumn(completed.forecast_id, 'title', null);
  });

  test('an outcome appears at the next request, with its scores; replayed values are named and not counted', async () => {
    const { service, open, completed } = scene();
    const { database } = service;
    const page = async () => (await open(`/forecasts/${completed.slug}`)).body;
    await recordOutcome(database, completed.forecast_id, []);
    assert.match(await page(), /The periods of this forecast are over\. Actual values appear here when they were read/);
    const metrics = { count: 1, mae: 0.25, average_wql: 0.01, coverage: {}, relative_wql: 0.5 };
    const rows = [
      { step: 1, timestamp: '2000-01-01T00:00:00Z', actual: 370.11, replayed: true },
      { step: 2, timestamp: '2000-01-08T00:00:00Z', actual: -999, replayed: false },
    ];
    await recordOutcome(database, completed.forecast_id, rows, metrics);
    const body = await page();
    assert.match(body, /So far 2 values of 3 periods are known/);
    assert.match(body, /One of these values existed when the forecast was made/);
    assert.match(body, /<th scope="col">Actual<\/th><th scope="col">Known when made<\/th>/);
    assert.match(body, /<td><\/td><td>370\.11<\/td><\/tr>/);
    assert.match(body, /<strong>0 of 1<\/strong> scored values lay inside the 80% range/);
    assert.match(body, /<strong>0\.5 times<\/strong> that of a naive forecast/);
    assert.match((await open(`/forecasts/${completed.slug}/chart.svg`)).body, /Known when made/);
  });

  test('rows that were sent with a request or are in a file are not shown', async () => {
    const { service, owner, open, completed } = scene();
    assert.match((await open(`/forecasts/${completed.slug}/chart.svg`)).body, />History</, 'published rows are shown');
    const { id: workspace_id } = await makeWorkspace(service.database, String(owner.accountId));
    const csv_id = await makeCsvFile(service.database, workspace_id, String(owner.accountId));
    const file = { type: 'workspace_csv', workspace_id, csv_id, time_field: 'date', value_field: 'value' };
    for (const fields of [{}, { source: file, workspace_id }]) {
      const { slug } = await createCompleted(service, owner, { ...fields, visibility: 'public' });
      for (const url of pagesOf(slug)) {
        const { body, status } = await open(url);
        assert.equal(status, 200);
        assert.doesNotMatch(body, />History<|Last known value/, url);
        assert.ok(!body.includes(csv_id) && !body.includes(workspace_id) && !body.includes('daily.csv'), url);
      }
      assert.match((await open(`/forecasts/${slug}`)).body, /are not public/);
    }
  });

  test('the proof file is the one of the API and is valid, and the picture is a PNG of its size', async () => {
    const { owner, open, completed } = scene();
    const file = await open(`/forecasts/${completed.slug}/proof.json`);
    const { data } = await owner.request('GET', `${FORECASTS}/${completed.forecast_id}/proof`);
    assert.deepEqual(JSON.parse(file.body), data);
    assert.equal(verifyProof(file.body).valid, true);
    assert.match(String(file.headers['content-disposition']), /^attachment; filename="mauna-loa-co2-.*-proof\.json"$/);
    const picture = await scene().service.app.inject(`/forecasts/${completed.slug}/chart.png`);
    assert.equal(picture.headers['content-type'], 'image/png');
    assert.equal(picture.headers['cross-origin-resource-policy'], 'cross-origin');
    assert.deepEqual([picture.rawPayload.readUInt32BE(16), picture.rawPayload.readUInt32BE(20)], [1200, 630]);
  });
}
