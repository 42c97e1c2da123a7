import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { operations } from '../../src/contract/index.ts';
import { createGuest } from '../../src/identity/index.ts';
import type { ForecastService } from '../support/forecasts/forecast-service.ts';
import { addScoredForecast } from '../support/forecasts/scored-forecasts.ts';
import { addShownForecasts } from '../support/forecasts/shown-forecasts.ts';
import { makeAccount, withSession } from '../support/identity/callers.ts';
import { makeMember, makeWorkspace, shareService } from '../support/workspaces/workspaces.ts';

const onService = shareService();

type Cookie = Readonly<Record<string, string>>;

async function signIn({ identity }: ForecastService): Promise<{ id: string; cookie: Cookie }> {
  const { id, email } = await makeAccount(identity);
  return { id, cookie: await withSession(identity, email) };
}

async function open({ app }: ForecastService, path: string, headers: Cookie = {}) {
  const response = await app.inject({ url: path, headers: { accept: 'text/html', ...headers } });
  const names = [...response.body.matchAll(/data-name="([^"]*)"/g)].map(([, name]) => name);
  return { status: response.statusCode, body: response.body, headers: response.headers, names };
}

const days = (count: number, owner: string) =>
  Array.from({ length: count }, (_, i) => ({
    owner,
    title: `Number ${i + 1}`,
    createdAt: new Date(Date.UTC(2026, 0, 1 + i)).toISOString(),
  }));

onService('looking at the page makes no guest session', async (service) => {
  for (const path of ['/forecasts', '/forecasts?q=oil&status=lost', '/forecasts?view=record']) {
    const { status, body, headers } = await open(service, path);
    assert.deepEqual([status, headers['set-cookie']], [200, undefined], path);
    assert.match(body, /Your forecasts appear here|A track record needs an account/);
  }
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int FROM guest_session`.execute(
    service.database.query(),
  );
  assert.equal(rows[0]?.count, 0);
});

onService('a guest sees its own forecasts, and why they do not stay', async (service) => {
  const { guestId, secret } = await createGuest(service.identity);
  const cookie = { cookie: `__Host-almanac_guest=${secret}` };
  assert.match((await open(service, '/forecasts', cookie)).body, /No forecasts yet/);
  await addShownForecasts(service.database, days(1, guestId));
  const { body, names } = await open(service, '/forecasts', cookie);
  assert.deepEqual(names, ['Number 1']);
  assert.match(body, /You are a guest.*deleted when your guest session ends/s);
  assert.match((await open(service, '/forecasts?view=record', cookie)).body, /A track record needs an account/);
});

onService('a page counts the weight of each operation that it calls', async (service) => {
  const costOf = async (count: number): Promise<number> => {
    const { guestId, secret } = await createGuest(service.identity);
    await addShownForecasts(service.database, days(count, guestId));
    const { headers } = await open(service, '/forecasts', { cookie: `__Host-almanac_guest=${secret}` });
    return Number(headers['ratelimit-limit']) - Number(headers['ratelimit-remaining']);
  };
  // A list with a forecast also reads its preview, which counts as two requests.
  assert.equal((await costOf(1)) - (await costOf(0)), operations.previewForecasts.weight);
});

onService('pages follow each other by cursor, and filters and order stay in their addresses', async (service) => {
  const { id: owner, cookie } = await signIn(service);
  const forecasts = days(23, owner);
  await addShownForecasts(service.database, [
    ...forecasts.slice(0, 22),
    { ...forecasts[22], owner, title: 'Number last' },
  ]);
  const first = await open(service, '/forecasts?q=number&sort=created_at.asc', cookie);
  assert.deepEqual([first.names.length, first.names[0], first.names.at(-1)], [20, 'Number 1', 'Number 20']);
  assert.match(first.body, /20 forecasts on this page, and there are more/);
  const [, next = ''] = /href="([^"]+)">Next page/.exec(first.body) ?? [];
  const address = next.replaceAll('&amp;', '&');
  assert.match(address, /^\/forecasts\?q=number&sort=created_at\.asc&cursor=/);
  const second = await open(service, address, cookie);
  assert.deepEqual(second.names, ['Number 21', 'Number 22', 'Number last']);
  assert.match(second.body, /3 forecasts on this last page/);
  assert.match(second.body, /href="\/forecasts\?q=number&amp;sort=created_at\.asc">Back to the first page/);
  assert.deepEqual((await open(service, '/forecasts?q=LAST%20number', cookie)).names, ['Number last']);
  assert.match((await open(service, '/forecasts?status=completed', cookie)).body, /No forecast matches/);
});

onService('a wrong filter is named beside its field, keeps what was typed and lists nothing', async (service) => {
  const { id: owner, cookie } = await signIn(service);
  await addShownForecasts(service.database, days(1, owner));
  const wrong: readonly (readonly [query: string, message: RegExp])[] = [
    ['status=lost', /id="status-error">State: choose one from the list\./],
    ['sort=luck', /id="sort-error">Order: choose one from the list\./],
    ['sort=name.up', /id="sort-error">Order: choose one from the list\./],
    [`q=${'x'.repeat(201)}`, /id="q-error">Search must have at most 200 characters/],
    ['q=a&q=b', /id="q-error">Search must be of the type string/],
    ['q=%00', /id="q-error">Search must not contain NUL/],
    ['status=lost&sort=luck', /id="status-error">State: choose one from the list\.<.*id="sort-error">Order: choose/s],
    ['cursor=forged', /<li>The link to this page of the list /],
    ['workspace_id=ws_other', /id="workspace_id-error">/],
  ];
  for (const [query, message] of wrong) {
    const { status, body, names } = await open(service, `/forecasts?${query}`, cookie);
    assert.ok(status === 400 || status === 403, `${query}: ${status}`);
    assert.match(body, message, query);
    assert.match(body, /<title>Error: /);
    assert.deepEqual(names, [], query);
  }
  const { body } = await open(service, '/forecasts?q=%22%3E%3Cscript%3E&status=lost', cookie);
  assert.match(body, /value="&quot;&gt;&lt;script&gt;"/);
  assert.equal((await open(service, '/forecasts?utm_source=mail&horizon=3', cookie)).status, 200);
});

onService(
  'a workspace shows the forecasts of its members, and of private ones only what they cost',
  async (service) => {
    const [boss, member] = [await signIn(service), await signIn(service)];
    const { id: workspace } = await makeWorkspace(service.database, boss.id, 'Research');
    await makeMember(service.database, workspace, member.id, { role: 'editor' });
    await addShownForecasts(service.database, [
      { owner: member.id, title: 'Open', workspace },
      { owner: member.id, title: 'Secret', workspace, visibility: 'private' },
      { owner: boss.id, title: '<b>Mine</b>', workspace },
    ]);
    const all = await open(service, `/forecasts?workspace_id=${workspace}`, boss.cookie);
    assert.deepEqual(all.names.toSorted(), ['&lt;b&gt;Mine&lt;/b&gt;', 'Open']);
    assert.match(all.body, /Private forecast of another member.*4 credits reserved/s);
    assert.match(all.body, /Shared in Research/);
    assert.doesNotMatch(all.body, /Secret/);
    const mine = await open(service, `/forecasts?workspace_id=${workspace}&mine=true`, boss.cookie);
    assert.deepEqual(mine.names, ['&lt;b&gt;Mine&lt;/b&gt;']);
    assert.deepEqual((await open(service, '/forecasts', member.cookie)).names.toSorted(), ['Open', 'Secret']);
  },
);

onService(
  'the track record is about the visitor unless the address asks for all, and names wrong filters',
  async (service) => {
    const [owner, other] = [await signIn(service), await signIn(service)];
    await addScoredForecast(service.database, { owner: owner.id, horizon: 5, seed: 1 });
    await addScoredForecast(service.database, { owner: other.id, horizon: 7, seed: 2, visibility: 'public' });
    const mine = await open(service, '/forecasts?view=record', owner.cookie);
    assert.match(mine.body, /Over 1 forecast and 5 rows, the loss was/);
    assert.match(mine.body, /href="\/api\/v1\/forecast\/track-record\?format=csv&amp;mine=true" download/);
    assert.match(
      (await open(service, '/forecasts?view=record&mine=false', owner.cookie)).body,
      /Over 2 forecasts and 12 rows/,
    );
    const dated = await open(service, '/forecasts?view=record&from=2026-01-01&to=2026-01-04', owner.cookie);
    assert.match(dated.body, /No scored forecast matches/);
    for (const [query, message] of [
      ['horizon=0', /id="horizon-error">Horizon must be at least 1/],
      ['horizon=many', /id="horizon-error">Horizon must be of the type number/],
      ['from=yesterday', /id="from-error">Made from must be a date/],
      ['mine=maybe', /id="mine-error">Forecasts of: choose one from the list\./],
      ['workspace_id=ws_other', /id="workspace_id-error">/],
    ] as const) {
      const { status, body } = await open(service, `/forecasts?view=record&${query}`, owner.cookie);
      assert.ok(status === 400 || status === 403, `${query}: ${status}`);
      assert.match(body, message, query);
      assert.doesNotMatch(body, /In words/);
    }
    const { cookie } = await signIn(service);
    assert.match(
      (await open(service, '/forecasts?view=record', cookie)).body,
      /No score yet.*The first score comes when/s,
    );
  },
);
