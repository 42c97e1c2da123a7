import assert from 'node:assert/strict';
import type { Reply } from '../support/api/request-as.ts';
import { EVENTS, type EventView, eventRequest } from '../support/scout/events.ts';
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
