import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { freeze } from '../../src/snapshots/index.ts';
import { openApi } from '../support/api/api.ts';
import { pageReader, readMissing } from '../support/api/public-pages.ts';
import { EVENTS, type EventView, eventRequest, YES } from '../support/scout/events.ts';
import { makeWorkspace } from '../support/workspaces/workspaces.ts';
import type { PublicScene } from './public-content.ts';

/** Tests the pages of questions. */
export function testPublicQuestions(scene: () => PublicScene): void {
  async function ask(fields: object): Promise<EventView> {
    const { status, data, body } = await scene().owner.request<EventView>('POST', EVENTS, eventRequest(fields));
    assert.equal(status, 201, body);
    return data;
  }

  test('a question has a page only while it is public, and only by its slug', async () => {
    const { service, owner, open } = scene();
    const { id: workspace_id } = await makeWorkspace(service.database, String(owner.accountId));
    const { forecast_id: id, slug } = await ask({ visibility: 'public', workspace_id });
    const isMissing = await readMissing(open);
    assert.equal((await open(`/questions/${slug}`)).status, 200);
    const setVisibility = (visibility: string) =>
      sql`UPDATE event_forecast SET visibility = ${visibility} WHERE id = ${id}`.execute(service.database.query());
    const assertHidden = async (url: string) => {
      const { status, body } = await open(url);
      assert.deepEqual([status, isMissing(url, body)], [404, true], url);
    };
    for (const url of [
      `/questions/${id}`,
      `/questions/${scene().completed.slug}`,
      `/forecasts/${slug}`,
      `/embed/${slug}`,
    ]) {
      await assertHidden(url);
    }
    for (const visibility of ['private', 'workspace']) {
      await setVisibility(visibility);
      await assertHidden(`/questions/${slug}`);
    }
    await setVisibility('public');
    assert.equal((await open(`/questions/${slug}`)).status, 200);
  });

  test('a page shows new revisions and the resolution at the next request, and no account', async () => {
    const { owner, open } = scene();
    const { forecast_id: id, slug } = await ask({ visibility: 'public', question: 'Is <b>this</b> "bold"?' });
    const page = async () => (await open(`/questions/${slug}`)).body;
    assert.match(await page(), /<span class="big">70%<\/span>[\s\S]*Open<\/span>/);
    const revision = { probability: 0.9995, input_cutoff_at: '2024-02-01T00:00:00Z', note: '<script>x</script>' };
    assert.equal((await owner.request('POST', `${EVENTS}/${id}/revisions`, revision)).status, 201);
    const revised = await page();
    assert.match(revised, /<span class="big">&gt;99\.9%<\/span>/);
    assert.match(revised, /&lt;script&gt;x&lt;\/script&gt;/);
    assert.match(revised, /<h1>Is &lt;b&gt;this&lt;\/b&gt; &quot;bold&quot;\?<\/h1>/);
    assert.equal((await owner.request('POST', `${EVENTS}/${id}/resolve`, YES)).status, 200);
    const resolved = await page();
    assert.match(resolved, /Resolved: yes/);
    assert.match(resolved, /It did\.[\s\S]*The report[\s\S]*Log score/);
    assert.ok(!resolved.includes(String(owner.accountId)) && !/<script|<b>/.test(resolved));
  });

  test('a question links to the forecast that it comes from while that one is public', async () => {
    const { service, open, completed } = scene();
    const { forecast_id: id, slug } = await ask({ visibility: 'public' });
    const { database } = service;
    await sql`UPDATE event_forecast SET source_forecast_id = ${completed.forecast_id} WHERE id = ${id}`.execute(
      database.query(),
    );
    const link = `href="/forecasts/${completed.slug}"`;
    const hasLink = async () => (await open(`/questions/${slug}`)).body.includes(link);
    const setVisibility = (visibility: string) =>
      sql`UPDATE forecast SET visibility = ${visibility} WHERE id = ${completed.forecast_id}`.execute(database.query());
    assert.equal(await hasLink(), true);
    await setVisibility('private');
    assert.equal(await hasLink(), false);
    await setVisibility('public');
    const { app } = await openApi(database, { ALMANAC_DENIED_LICENSES: 'CC BY 4.0' }, undefined, service.queue);
    const { status, body } = await pageReader(app)(`/questions/${slug}`, { address: '192.0.2.78' });
    await app.close();
    assert.deepEqual([status, body.includes(link)], [200, false], 'the license of the forecast is denied');
  });

  test('a question disappears when the license of the row that resolved it is denied', async () => {
    const { service } = scene();
    const { database, queue, forecasts } = service;
    const { forecast_id: id, slug } = await ask({ visibility: 'public' });
    const table = { timestamps: Float64Array.of(0), columns: { value: Float64Array.of(1) } };
    const { id: snapshot_id } = await freeze(forecasts, { about: { license: { name: 'Denied-1.0' } }, table });
    const evidence = { text: null, observation: null, source: null, provider: null, snapshot_id };
    await sql`UPDATE event_forecast SET evidence = ${JSON.stringify(evidence)} WHERE id = ${id}`.execute(
      database.query(),
    );
    for (const [denied, expected] of [
      ['Other-1.0', 200],
      ['Denied-1.0', 404],
    ] as const) {
      const { app } = await openApi(database, { ALMANAC_DENIED_LICENSES: denied }, undefined, queue);
      assert.equal((await pageReader(app)(`/questions/${slug}`, { address: '192.0.2.77' })).status, expected, denied);
      await app.close();
    }
  });
}
