import assert from 'node:assert/strict';
import type { Reply } from '../support/api/ask.ts';
import { EVENTS, type EventView, eventRequest } from '../support/scout/events.ts';
import { type Registered, register, shareService } from '../support/workspaces/workspaces.ts';

const onService = shareService();

interface Page {
  readonly forecasts?: EventView[];
  readonly revisions?: { revision: number }[];
  readonly entries?: { action: string }[];
  readonly next_cursor: string | null;
}

/** Every page of a list, followed by its cursors. */
async function pages({ ask }: Pick<Registered, 'ask'>, path: string): Promise<Page[]> {
  const found: Page[] = [];
  for (let next = path; next !== ''; ) {
    const reply: Reply<Page> = await ask<Page>('GET', next);
    assert.equal(reply.status, 200, reply.body);
    found.push(reply.data);
    const { next_cursor: cursor } = reply.data;
    next = cursor === null ? '' : `${path}&cursor=${encodeURIComponent(cursor)}`;
  }
  return found;
}

onService('a list is paged newest first, and a cursor leads on in its own list only', async (service, author) => {
  const made: string[] = [];
  for (let i = 0; i < 7; i++) {
    const fields = {
      category: i % 2 === 0 ? 'even' : 'odd',
      entity: { type: 'thing', name: `Thing ${i}`, ticker: `T${i}` },
    };
    made.unshift((await author.ask<EventView>('POST', EVENTS, eventRequest(fields))).data.forecast_id);
  }
  const ids = (list: Page[]) => list.flatMap(({ forecasts = [] }) => forecasts.map(({ forecast_id }) => forecast_id));
  const three = await pages(author, `${EVENTS}?author=me&limit=3`);
  assert.deepEqual([three.length, ids(three)], [3, made]);
  assert.deepEqual(ids(await pages(author, `${EVENTS}?category=odd&limit=2`)), [made[1], made[3], made[5]]);
  assert.deepEqual(ids(await pages(author, `${EVENTS}?entity=t4&limit=2`)), [made[2]]);
  assert.deepEqual(ids(await pages(author, `${EVENTS}?entity=${encodeURIComponent('THING 4')}&limit=2`)), [made[2]]);
  assert.deepEqual(ids(await pages(author, `${EVENTS}?author=me&status=resolved_yes&limit=2`)), []);
  const cursor = encodeURIComponent(three[0]?.next_cursor ?? '');
  const elsewhere = [
    `${EVENTS}?author=me&limit=3&category=odd&cursor=${cursor}`,
    `${EVENTS}?limit=3&cursor=${cursor}`,
    `${EVENTS}/${made[0]}/revisions?cursor=${cursor}`,
    `${EVENTS}/${made[0]}/history?cursor=${cursor}`,
  ];
  for (const path of elsewhere) assert.equal((await author.ask('GET', path)).code, 'INVALID_REQUEST', path);
  const other = await register(service);
  assert.equal((await other.ask('GET', `${EVENTS}?author=me&limit=3&cursor=${cursor}`)).code, 'INVALID_REQUEST');
  await author.ask('POST', EVENTS, eventRequest());
  const next = await author.ask<Page>('GET', `${EVENTS}?author=me&limit=3&cursor=${cursor}`);
  assert.deepEqual(ids([next.data]), made.slice(3, 6), 'what is added meanwhile moves nothing');
});

onService('revisions and history are paged in the order in which they came', async (_service, author) => {
  const { data } = await author.ask<EventView>('POST', EVENTS, eventRequest());
  const path = `${EVENTS}/${data.forecast_id}`;
  for (let i = 1; i <= 10; i++) {
    const body = { probability: i / 20, input_cutoff_at: '2024-02-01T00:00:00Z' };
    assert.equal((await author.ask('POST', `${path}/revisions`, body)).status, 201);
  }
  const revisions = await pages(author, `${path}/revisions?limit=4`);
  assert.deepEqual(
    revisions.map(({ revisions: list = [] }) => list.map(({ revision }) => revision)),
    [
      [11, 10, 9, 8],
      [7, 6, 5, 4],
      [3, 2, 1],
    ],
  );
  const entries = (await pages(author, `${path}/history?limit=4`)).flatMap(({ entries: list = [] }) => list);
  assert.deepEqual([entries.length, entries.at(-1)?.action], [11, 'created']);
});
