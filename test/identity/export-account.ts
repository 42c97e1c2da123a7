import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type ConsoleBrowser, openBrowser } from '../support/api/console-browser.ts';
import { makeFeed } from '../support/feeds/make-feed.ts';
import { createCompleted } from '../support/forecasts/completed-forecasts.ts';
import { create, type ForecastService } from '../support/forecasts/forecast-service.ts';
import { addShownForecasts } from '../support/forecasts/shown-forecasts.ts';
import { withKey } from '../support/identity/callers.ts';
import { makeDelivery, makeWebhook } from '../support/notifications/make-webhook.ts';
import { readZip } from '../support/platform/read-zip.ts';
import { makeEvent } from '../support/scout/events.ts';
import { makeFilter } from '../support/screener/filters.ts';
import { makeCsvFile } from '../support/workspaces/csv-files.ts';
import { makeMember, makeWorkspace, personalWorkspace } from '../support/workspaces/workspaces.ts';

interface Manifest {
  readonly files: number;
  readonly left_out: readonly { readonly path: string; readonly code: string }[];
}

async function readExport({ app }: ForecastService, { caller }: ConsoleBrowser) {
  const response = await app.inject({ url: '/api/v1/me/export', headers: caller.credentials });
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['content-type'], 'application/zip');
  assert.match(String(response.headers['content-disposition']), /^attachment; filename="almanac-export-[\d-]+\.zip"$/);
  assert.equal(response.headers['cache-control'], 'no-store');
  const files = readZip(response.rawPayload);
  const json = <Data>(path: string): Data => JSON.parse(files.get(path)?.toString() ?? assert.fail(`no ${path}`));
  return { files, json, manifest: json<Manifest>('manifest.json') };
}

export function testExport(service: () => ForecastService): void {
  test('exports everything that an account owns, and no secret', async () => {
    const { database, identity } = service();
    const owner = await openBrowser(service(), 'enterprise');
    const other = await openBrowser(service(), 'pro');
    const id = owner.caller.accountId ?? '';
    const { id: personal, slug } = await personalWorkspace(database, id);
    const csv = await makeCsvFile(database, personal, id);
    const completed = await createCompleted(service(), owner.caller, { title: 'Exported' });
    const { data: queued } = await create(owner.caller);
    const foreign = await makeWorkspace(database, other.caller.accountId ?? '', 'Of another');
    await makeMember(database, foreign.id, id);
    await makeCsvFile(database, foreign.id, other.caller.accountId ?? '');
    const question = await makeEvent(database, { author: id });
    await makeEvent(database, { author: other.caller.accountId ?? '', visibility: 'public' });
    const { id: filter } = await makeFilter(database, id);
    await sql`INSERT INTO screener_result (filter_id, session, symbols, new_symbols, shown)
      VALUES (${filter}, '2026-03-05', '{AAPL}', '{}', '{}'), (${filter}, '2026-03-06', '{AAPL,MSFT}', '{MSFT}', '{}')`.execute(
      database.query(),
    );
    const feed = await makeFeed(identity, id);
    const { data: webhook } = await owner.caller.request<{ id: string; secret: string }>('POST', '/v1/me/webhooks', {
      url: 'https://example.com/hooks/almanac',
      types: ['forecast.completed'],
    });
    const delivery = await makeDelivery(database, webhook.id);
    const shared = await makeWebhook(database, { workspaceId: personal });
    await makeWebhook(database, { workspaceId: foreign.id });
    await owner.caller.request('PATCH', '/v1/me/notifications', { outcomes: true });
    const { authorization = '' } = await withKey(identity, id, ['account:read']);

    const { files, json, manifest } = await readExport(service(), owner);
    assert.deepEqual(
      [...files.keys()].sort(),
      [
        'README.txt',
        'account.json',
        'api-keys.json',
        'applications.json',
        'feeds.json',
        ...['forecast', 'outcome', 'proof', 'rows'].map((name) => `forecasts/${completed.slug}/${name}.json`),
        ...['forecast', 'rows'].map((name) => `forecasts/${queued.slug}/${name}.json`),
        'invitations.json',
        'manifest.json',
        ...['choice', 'mails'].map((name) => `notifications/${name}.json`),
        ...['history', 'proof', 'question', 'revisions'].map((name) => `questions/${question.slug}/${name}.json`),
        ...['filter', 'matches'].map((name) => `screener/${filter}/${name}.json`),
        'screener/mails.json',
        'security-events.json',
        'sessions.json',
        'usage.json',
        ...['deliveries', 'webhook'].map((name) => `webhooks/${webhook.id}/${name}.json`),
        `workspaces/${foreign.slug}/workspace.json`,
        ...[`files/${csv}-daily.csv`, `files/${csv}.json`].map((name) => `workspaces/${slug}/${name}`),
        ...['collaborators', 'forecasts', 'workspace'].map((name) => `workspaces/${slug}/${name}.json`),
        ...['deliveries', 'webhook'].map((name) => `workspaces/${slug}/webhooks/${shared}/${name}.json`),
      ].sort(),
    );
    assert.deepEqual(manifest.left_out, []);
    assert.equal(manifest.files, files.size);
    assert.equal(json<{ email: string }>('account.json').email, owner.email);
    assert.equal(json<{ rows: object[] }>(`forecasts/${completed.slug}/rows.json`).rows.length, 40);
    assert.deepEqual(
      json<{ session: string; symbols: string[] }[]>(`screener/${filter}/matches.json`).map(({ symbols }) => symbols),
      [['AAPL', 'MSFT'], ['AAPL']],
    );
    assert.deepEqual(
      json<{ id: string }[]>(`webhooks/${webhook.id}/deliveries.json`).map((one) => one.id),
      [delivery],
    );
    assert.deepEqual(json('notifications/choice.json'), {
      forecasts: false,
      outcomes: true,
      delivery: { state: 'on', since: null },
    });
    const everything = Buffer.concat([...files.values()]).toString();
    const session = String(owner.caller.credentials.cookie).split('=')[1] ?? '';
    for (const secret of [feed.token, webhook.secret, authorization.split(' ')[1] ?? '', session, 'argon2id']) {
      assert.ok(secret.length > 7 && !everything.includes(secret));
    }
    assert.ok(!everything.includes(other.email), 'nothing of another account');
  });

  test('names a forecast in a workspace that the account has left', async () => {
    const { database } = service();
    const [owner, other] = [await openBrowser(service(), 'pro'), await openBrowser(service(), 'pro')];
    const id = owner.caller.accountId ?? '';
    const left = await makeWorkspace(database, other.caller.accountId ?? '', 'Left');
    const [forecast = ''] = await addShownForecasts(database, [
      { workspace: left.id, visibility: 'private', owner: id },
    ]);
    const { rows } = await sql<{ slug: string }>`SELECT slug FROM forecast WHERE id = ${forecast}`.execute(
      database.query(),
    );
    const { manifest } = await readExport(service(), owner);
    assert.deepEqual(
      manifest.left_out.map(({ path, code }) => [path, code]),
      [[`forecasts/${rows[0]?.slug}`, 'WORKSPACE_DENIED']],
    );
  });

  test('an export stops when its session ends', async () => {
    const { app } = service();
    const owner = await openBrowser(service(), 'pro');
    const { id: filter } = await makeFilter(service().database, owner.caller.accountId ?? '');
    // Its matches do not fit into the buffers of the response, so that the export has to wait for its reader.
    const symbols = Array.from({ length: 150 }, () => randomBytes(4_000).toString('hex'));
    for (const [index, symbol] of symbols.entries()) {
      await sql`INSERT INTO screener_result (filter_id, session, symbols, new_symbols, shown)
        VALUES (${filter}, date '2026-01-01' + ${index}::int, ${[symbol]}, '{}', '{}')`.execute(
        service().database.query(),
      );
    }
    const url = '/api/v1/me/export';
    const reply = await app.inject({ url, headers: owner.caller.credentials, payloadAsStream: true });
    assert.equal(reply.statusCode, 200);
    await owner.caller.request('DELETE', '/v1/sessions/current');
    const parts: Buffer[] = [];
    const reading = async () => {
      for await (const part of reply.stream()) parts.push(part);
    };
    await assert.rejects(reading);
    assert.throws(() => readZip(Buffer.concat(parts)), /has a directory/);
  });
}
