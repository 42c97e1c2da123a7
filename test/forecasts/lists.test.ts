import assert from 'node:assert/strict';
import {
  create as createForecast,
  FORECASTS,
  inlineRequest,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { addListedForecasts, setOutcome } from '../support/forecasts/listed-forecasts.ts';
import {
  makeMember,
  makeWorkspace,
  type Registered,
  register,
  shareService,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const forEachService = shareService();

interface Listed {
  readonly forecast_id: string;
  readonly name: string;
  readonly title: string | null;
  readonly slug: string;
  readonly source: { readonly type: string; readonly symbol?: string } | null;
  readonly cutoff: string | null;
  readonly horizon: number;
  readonly score: object;
}

interface Page {
  readonly forecasts: readonly Listed[];
  readonly next_cursor: string | null;
}

type Query = Readonly<Record<string, string>>;

async function list({ request }: Pick<Registered, 'request'>, query: Query, path = FORECASTS) {
  const { status, data, body, code } = await request<Page>('GET', `${path}?${new URLSearchParams(query)}`);
  const ids = status === 200 ? data.forecasts.map(({ forecast_id }) => forecast_id) : [];
  return { status, code, body, ids, data };
}

forEachService('an untitled forecast is shown under a name, and its title stays null', async (_, owner) => {
  const source = { type: 'market', symbol: '^GSPC', timeframe: '1D', provider: 'bundled' };
  const cutoff = '2018-01-31T00:00:00.000Z';
  const untitled = await createForecast(owner, { source, cutoff, horizon: 30, limit: 100 });
  const titled = await createForecast(owner, { title: 'My own name' });
  assert.deepEqual([untitled.status, titled.status], [202, 202], untitled.body);
  const { data } = await list(owner, { source: '^gspc' });
  const [listed] = data.forecasts;
  assert.equal(data.forecasts.length, 1);
  assert.deepEqual(
    [listed?.name, listed?.title, listed?.source?.type, listed?.source?.symbol, listed?.cutoff, listed?.horizon],
    ['^GSPC, 30 sessions', null, 'market', '^GSPC', cutoff, 30],
  );
  assert.match(listed?.slug ?? '', /^gspc-1d-30-/);
  const unscored = { validation_wql: null, outcome_status: null, average_wql: null, relative_wql: null };
  assert.deepEqual(listed?.score, unscored);
  const views = [untitled, titled].map(async ({ data: { forecast_id } }) => {
    const { data } = await owner.request<Listed>('GET', `${FORECASTS}/${forecast_id}`);
    return [data.name, data.title];
  });
  assert.deepEqual(await Promise.all(views), [
    ['^GSPC, 30 sessions', null],
    ['My own name', 'My own name'],
  ]);
});

forEachService(
  'lists show the error on history and, once there is one, of the outcome',
  async ({ database }, owner) => {
    const finishedAt = '2026-02-01T00:00:00Z';
    const [good, bad, open] = (await addListedForecasts(database, [
      { owner: owner.id, wql: 0.1, finishedAt },
      { owner: owner.id, wql: 0.2, finishedAt },
      { owner: owner.id },
    ])) as [string, string, string];
    await setOutcome(database, good, 'waiting', null);
    await setOutcome(database, bad, 'partial', { average_wql: 0.5, relative_wql: null });
    const { ids, data } = await list(owner, { sort: 'score' });
    assert.deepEqual(ids, [good, bad, open]);
    assert.deepEqual(
      data.forecasts.map(({ score }) => Object.values(score)),
      [
        [0.1, 'waiting', null, null],
        [0.2, 'partial', 0.5, null],
        [null, null, null, null],
      ],
    );
    assert.deepEqual((await list(owner, { sort: 'score', order: 'desc' })).ids, [bad, good, open]);
  },
);

forEachService('refuses parameters that no list has', async (_, owner) => {
  const workspaceList = `${WORKSPACES}/any/forecasts`;
  const refused: readonly [Query, RegExp, string?][] = [
    [{ q: 'a\u0000b' }, /q: must not contain NUL/],
    [{ q: 'x'.repeat(201) }, /q: /],
    [{ sort: 'title' }, /sort: /],
    [{ sort: '' }, /sort: /],
    [{ order: 'up' }, /order: /],
    [{ source: '' }, /source: /],
    [{ model: 'x'.repeat(41) }, /model: /],
    [{ mine: 'true' }, /mine/],
    [{ mine: 'yes' }, /mine: /, workspaceList],
    [{ workspace_id: 'any' }, /workspace_id/, workspaceList],
    [{ cursor: 'x'.repeat(2001) }, /cursor: /],
  ];
  for (const [query, message, path] of refused) {
    const { status, code, body } = await list(owner, query, path);
    assert.deepEqual([status, code], [400, 'INVALID_REQUEST'], body);
    assert.match(body, message);
  }
  for (const q of ['%', '_', '\\', "'", '"', '😀', 'x'.repeat(200), '😀'.repeat(100), '']) {
    assert.equal((await list(owner, { q, sort: 'name' })).status, 200, q);
  }
});

forEachService('pages by name work with the longest titles', async ({ database }, owner) => {
  const titles = ['"'.repeat(200), '\\'.repeat(200), '\uffff'.repeat(200), '😀'.repeat(100)];
  const ids = await addListedForecasts(
    database,
    titles.map((title) => ({ owner: owner.id, title })),
  );
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await list(owner, { sort: 'name', limit: '1', ...(cursor && { cursor }) });
    assert.equal(page.status, 200, page.body);
    seen.push(...page.ids);
    cursor = page.data.next_cursor;
  }
  assert.deepEqual(seen, ids);
});

forEachService('the list of own forecasts can be limited to a workspace of the caller', async (service, owner) => {
  const { database } = service;
  const [research, elsewhere] = [await makeWorkspace(database, owner.id), await makeWorkspace(database, owner.id)];
  const other = await register(service);
  const foreign = await makeWorkspace(database, other.id);
  const [inside] = await addListedForecasts(database, [
    { owner: owner.id, workspace: research.id, title: 'Inside' },
    { owner: owner.id, title: 'Outside' },
    { owner: owner.id, workspace: elsewhere.id },
  ]);
  for (const workspace_id of [research.id, research.slug]) {
    assert.deepEqual((await list(owner, { workspace_id })).ids, [inside]);
    assert.deepEqual((await list(owner, { workspace_id, q: 'outside' })).ids, []);
  }
  const [unknown, denied] = [
    await list(owner, { workspace_id: 'none' }),
    await list(owner, { workspace_id: foreign.id }),
  ];
  assert.deepEqual([unknown.status, unknown.code], [403, 'WORKSPACE_DENIED']);
  assert.deepEqual([denied.status, denied.code], [403, 'WORKSPACE_DENIED']);
  const guest = await service.guest();
  assert.equal((await list(guest, { workspace_id: research.id })).code, 'WORKSPACE_DENIED');
});

forEachService('no search or sort reveals the private forecasts of other members', async (service, owner) => {
  const { database } = service;
  const member = await register(service);
  const workspace = await makeWorkspace(database, owner.id);
  await makeMember(database, workspace.id, member.id, { role: 'editor' });
  const shared = { workspace: workspace.id, finishedAt: '2026-02-01T00:00:00Z' };
  const secret = {
    owner: member.id,
    title: 'AAA secret merger',
    visibility: 'private',
    source: { type: 'market', symbol: 'SECRET', timeframe: '1D' },
    models: ['arima'],
    horizon: 1,
    wql: 0,
    createdAt: '2026-01-02T00:00:00Z',
  } as const;
  const [hidden, theirs, own] = (await addListedForecasts(database, [
    { ...shared, ...secret },
    { ...shared, owner: member.id, title: 'Theirs', createdAt: '2026-01-01T00:00:00Z', wql: 0.2, horizon: 5 },
    { ...shared, owner: owner.id, title: 'Own', createdAt: '2026-01-03T00:00:00Z', wql: 0.1, horizon: 4 },
  ])) as [string, string, string];
  const path = `${WORKSPACES}/${workspace.id}/forecasts`;
  const ids = async (query: Query, caller: Registered = owner) => (await list(caller, query, path)).ids;

  for (const query of [
    { q: 'secret' },
    { q: hidden },
    { source: 'secret' },
    { source: 'market' },
    { model: 'arima' },
  ]) {
    assert.deepEqual(await ids(query), [], JSON.stringify(query));
  }
  assert.deepEqual(await ids({ q: 'secret', source: 'SECRET', model: 'arima' }, member), [hidden]);
  assert.deepEqual(await ids({}), [own, hidden, theirs]);
  assert.deepEqual(await ids({ sort: 'created_at', order: 'asc' }), [theirs, hidden, own]);
  assert.deepEqual(await ids({ status: 'completed' }), [own, hidden, theirs]);
  for (const sort of ['name', 'horizon', 'score', 'finished_at']) {
    for (const order of ['asc', 'desc']) {
      const found = await ids({ sort, order });
      assert.equal(found.at(-1), hidden, `${sort} ${order}`);
      assert.equal(found.length, 3);
    }
  }
  assert.deepEqual(await ids({ sort: 'name' }, member), [hidden, own, theirs]);
  assert.deepEqual(await ids({ mine: 'true' }), [own]);
  assert.deepEqual(await ids({ mine: 'true', sort: 'name' }, member), [hidden, theirs]);
  // A later forecast that is also hidden makes the cursor name a hidden one.
  await addListedForecasts(database, [{ ...shared, ...secret }]);
  const { data } = await list(owner, { sort: 'name', limit: '3' }, path);
  const position = Buffer.from(data.next_cursor?.split('.')[0] ?? '', 'base64url').toString();
  assert.match(position, /"key":null/);
});

forEachService('a cursor of one search is refused in another and for another caller', async (service, owner) => {
  const other = await register(service);
  for (const caller of [owner, other]) {
    await addListedForecasts(
      service.database,
      ['one a', 'two a', 'three a'].map((title) => ({ owner: caller.id, title })),
    );
  }
  const query = { q: 'a', sort: 'name', limit: '1' };
  const { data } = await list(owner, query);
  const cursor = data.next_cursor ?? '';
  const next = await list(owner, { ...query, cursor });
  assert.deepEqual(
    next.data.forecasts.map(({ name }) => name),
    ['three a'],
  );
  const refused = [
    await list(owner, { ...query, q: 'b', cursor }),
    await list(owner, { ...query, sort: 'horizon', cursor }),
    await list(owner, { ...query, order: 'desc', cursor }),
    await list(other, { ...query, cursor }),
  ];
  for (const { status, body } of refused) {
    assert.equal(status, 400);
    assert.match(body, /cursor: belongs to another list/);
  }
  const { status } = await owner.request<Started>('POST', FORECASTS, inlineRequest({ title: 'four a' }));
  assert.equal(status, 202);
  const again = await list(owner, { ...query, cursor });
  assert.deepEqual(again.ids, next.ids, 'a forecast that was created in between does not shift the page');
});
