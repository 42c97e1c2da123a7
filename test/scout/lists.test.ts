import assert from 'node:assert/strict';
import type { Reply } from '../support/api/request-as.ts';
import { EVENTS, type EventView, eventRequest, YES } from '../support/scout/events.ts';
import { readContentCid, stampProof } from '../support/scout/proofs.ts';
import { type Registered, register, shareService } from '../support/workspaces/workspaces.ts';

const onService = shareService();

interface Page {
  readonly forecasts?: EventView[];
  readonly revisions?: { revision: number }[];
  readonly entries?: { action: string }[];
  readonly next_cursor: string | null;
}

/** Reads every page of a list. */
async function readPages({ request }: Pick<Registered, 'request'>, path: string): Promise<Page[]> {
  const found: Page[] = [];
  for (let next = path; next !== ''; ) {
    const reply: Reply<Page> = await request<Page>('GET', next);
    assert.equal(reply.status, 200, reply.body);
    found.push(reply.data);
    const { next_cursor: cursor } = reply.data;
    next = cursor === null ? '' : `${path}&cursor=${encodeURIComponent(cursor)}`;
  }
  return found;
}

onService('pages a list newest first, and refuses a cursor of another list', async (service, author) => {
  const ids: string[] = [];
  for (let i = 0; i < 7; i++) {
    const fields = {
      category: i % 2 === 0 ? 'even' : 'odd',
      entity: { type: 'thing', name: `Thing ${i}`, ticker: `T${i}` },
    };
    ids.unshift((await author.request<EventView>('POST', EVENTS, eventRequest(fields))).data.forecast_id);
  }
  const listIds = (list: Page[]) =>
    list.flatMap(({ forecasts = [] }) => forecasts.map(({ forecast_id }) => forecast_id));
  const firstPages = await readPages(author, `${EVENTS}?author=me&limit=3`);
  assert.deepEqual([firstPages.length, listIds(firstPages)], [3, ids]);
  assert.deepEqual(listIds(await readPages(author, `${EVENTS}?category=odd&limit=2`)), [ids[1], ids[3], ids[5]]);
  assert.deepEqual(listIds(await readPages(author, `${EVENTS}?entity=t4&limit=2`)), [ids[2]]);
  assert.deepEqual(listIds(await readPages(author, `${EVENTS}?entity=${encodeURIComponent('THING 4')}&limit=2`)), [
    ids[2],
  ]);
  assert.deepEqual(listIds(await readPages(author, `${EVENTS}?author=me&status=resolved_yes&limit=2`)), []);
  const cursor = encodeURIComponent(firstPages[0]?.next_cursor ?? '');
  const otherLists = [
    `${EVENTS}?author=me&limit=3&category=odd&cursor=${cursor}`,
    `${EVENTS}?limit=3&cursor=${cursor}`,
    `${EVENTS}/${ids[0]}/revisions?cursor=${cursor}`,
    `${EVENTS}/${ids[0]}/history?cursor=${cursor}`,
  ];
  for (const path of otherLists) assert.equal((await author.request('GET', path)).code, 'INVALID_REQUEST', path);
  const other = await register(service);
  assert.equal((await other.request('GET', `${EVENTS}?author=me&limit=3&cursor=${cursor}`)).code, 'INVALID_REQUEST');
  await author.request('POST', EVENTS, eventRequest());
  const next = await author.request<Page>('GET', `${EVENTS}?author=me&limit=3&cursor=${cursor}`);
  assert.deepEqual(listIds([next.data]), ids.slice(3, 6), 'an event that is added meanwhile does not shift the pages');
});

onService('pages revisions and history newest first', async (_service, author) => {
  const { data } = await author.request<EventView>('POST', EVENTS, eventRequest());
  const path = `${EVENTS}/${data.forecast_id}`;
  for (let i = 1; i <= 10; i++) {
    const body = { probability: i / 20, input_cutoff_at: '2024-02-01T00:00:00Z' };
    assert.equal((await author.request('POST', `${path}/revisions`, body)).status, 201);
  }
  const revisions = await readPages(author, `${path}/revisions?limit=4`);
  assert.deepEqual(
    revisions.map(({ revisions: list = [] }) => list.map(({ revision }) => revision)),
    [
      [11, 10, 9, 8],
      [7, 6, 5, 4],
      [3, 2, 1],
    ],
  );
  const entries = (await readPages(author, `${path}/history?limit=4`)).flatMap(({ entries: list = [] }) => list);
  assert.deepEqual([entries.length, entries.at(-1)?.action], [11, 'created']);
});

onService(
  'lists by deadline, within a range of deadlines, and marks stamped and scored questions',
  async (service, author) => {
    const at = (days: number) => new Date(Date.UTC(2060, 0, 1 + days)).toISOString();
    const made: string[] = [];
    for (const days of [5, 1, 9, 5])
      made.push(
        (
          await author.request<EventView>(
            'POST',
            EVENTS,
            eventRequest({ category: 'dated', resolution_deadline: at(days) }),
          )
        ).data.forecast_id,
      );
    const listIds = (list: Page[]) =>
      list.flatMap(({ forecasts = [] }) => forecasts.map(({ forecast_id }) => forecast_id));
    const ordered = [made[1], ...[made[0], made[3]].sort(), made[2]];
    const dated = `${EVENTS}?category=dated`;
    assert.deepEqual(listIds(await readPages(author, `${dated}&sort=deadline&limit=1`)), ordered);
    assert.deepEqual(
      listIds(await readPages(author, `${dated}&sort=deadline&deadline_from=${at(5)}&deadline_to=${at(9)}`)),
      ordered.slice(1, 3),
    );
    const [first] = await readPages(author, `${dated}&sort=deadline&limit=2`);
    const cursor = encodeURIComponent(first?.next_cursor ?? '');
    for (const query of [
      `limit=2&cursor=${cursor}`,
      'sort=oldest',
      'deadline_from=soon',
      'deadline_to=2026-13-01T00:00:00Z',
    ])
      assert.equal((await author.request('GET', `${dated}&${query}`)).code, 'INVALID_REQUEST', query);
    const [id = '', late = ''] = made;
    const read = async (event: string) => (await author.request<EventView>('GET', `${EVENTS}/${event}`)).data;
    assert.deepEqual([(await read(id)).stamped, (await read(id)).score], [false, null]);
    await stampProof(service.database, await readContentCid(service.database, id), new Date());
    assert.equal((await read(id)).stamped, true);
    await author.request('POST', `${EVENTS}/${id}/revisions`, {
      probability: 0.9,
      input_cutoff_at: '2024-02-01T00:00:00Z',
    });
    assert.equal((await read(id)).stamped, false, 'the stamp of an earlier revision does not prove the current one');
    for (const event of [id, late]) await author.request('POST', `${EVENTS}/${event}/resolve`, YES);
    const scored = await read(id);
    assert.deepEqual(scored.score, {
      revision: 2,
      probability: 0.9,
      log_score: -Math.log(0.9),
      brier_score: (1 - 0.9) ** 2,
    });
    assert.ok(scored.resolved_at);
    await stampProof(service.database, await readContentCid(service.database, late), new Date());
    assert.equal((await read(late)).stamped, false, 'a stamp after the outcome comes too late');
  },
);

onService('states which actions the caller may take now, and until when', async (service, author) => {
  const { data } = await author.request<EventView>('POST', EVENTS, eventRequest({ visibility: 'public' }));
  const path = `${EVENTS}/${data.slug}/actions`;
  const actionsOf = async (caller: Pick<Registered, 'request'>) =>
    (await caller.request<{ is_own: boolean; actions: string[]; revisable_until: string }>('GET', path)).data;
  assert.deepEqual(await actionsOf(author), {
    forecast_id: data.forecast_id,
    is_own: true,
    actions: ['revise', 'resolve'],
    revisable_until: data.resolution_deadline,
  });
  const other = await register(service);
  assert.deepEqual([(await actionsOf(other)).is_own, (await actionsOf(other)).actions], [false, []]);
  await author.request('POST', `${EVENTS}/${data.slug}/resolve`, YES);
  assert.deepEqual((await actionsOf(author)).actions, []);
});
