import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { verifyProof } from '../../src/provenance/index.ts';
import { prepareRevisionProofs, removeAccountEvents } from '../../src/scout/index.ts';
import type { Reply } from '../support/api/request-as.ts';
import { EVENTS, type EventView, eventRequest, NO_STAMPS, YES } from '../support/scout/events.ts';
import { type ProofView, removeSeals, stampProof } from '../support/scout/proofs.ts';
import {
  makeMember,
  makeWorkspace,
  type Registered,
  register,
  shareService,
} from '../support/workspaces/workspaces.ts';

const onService = shareService();

const CUTOFF = '2024-02-01T00:00:00.000Z';

async function publish({ request }: Pick<Registered, 'request'>, fields: object = {}): Promise<EventView> {
  const { status, data, body } = await request<EventView>('POST', EVENTS, eventRequest(fields));
  assert.equal(status, 201, body);
  return data;
}

async function revise({ request }: Pick<Registered, 'request'>, id: string, fields: object): Promise<EventView> {
  const { status, data, body } = await request<EventView>('POST', `${EVENTS}/${id}/revisions`, {
    probability: 0.4,
    input_cutoff_at: CUTOFF,
    ...fields,
  });
  assert.equal(status, 201, body);
  return data;
}

async function readProof({ request }: Pick<Registered, 'request'>, id: string, query = ''): Promise<ProofView> {
  const { status, data, body } = await request<ProofView>('GET', `${EVENTS}/${id}/proof${query}`);
  assert.equal(status, 200, body);
  return data;
}

/** Computes the id of a document without the code of the service. The document has ASCII keys only. */
function hashByHand(document: unknown): string {
  const sorted = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return `0x${createHash('sha3-256').update(JSON.stringify(document, sorted)).digest('hex')}`;
}

function assertVerifies({ document, content_cid }: ProofView): void {
  assert.equal(hashByHand(document), content_cid);
  assert.deepEqual(verifyProof(JSON.stringify({ document, content_cid })).problems, []);
}

onService('a revision by the author has a proof that verifies', async (_service, author) => {
  const event = await publish(author, { model: 'my-model-2' });
  const proof = await readProof(author, event.slug);
  const { salt } = proof.document;
  assert.match(String(salt), /^[0-9a-f]{64}$/);
  assert.deepEqual(proof.document, {
    schema_version: 'almanac_forecast_proof_v1',
    kind: 'event_revision',
    hash: 'sha3-256',
    salt,
    forecast_id: event.forecast_id,
    revision: 1,
    question: event.question,
    category: event.category,
    entity: event.entity,
    possible_future_headline: event.possible_future_headline,
    probability: 0.7,
    input_cutoff_at: event.input_cutoff_at,
    created_at: event.created_at,
    resolution_deadline: event.resolution_deadline,
    resolution_rule: null,
    model: 'my-model-2',
    source_forecast: null,
    note: null,
  });
  assertVerifies(proof);
  assert.deepEqual(proof.provenance, {
    provider: 'vbase',
    schema_version: 'almanac_forecast_proof_v1',
    status: 'unavailable',
    content_cid: proof.content_cid,
    receipt: null,
    error_code: 'CHAIN_NOT_CONFIGURED',
  });
});

onService('a proof of a workspace names no account and never changes', async ({ database, ...service }, author) => {
  const workspace = await makeWorkspace(database, author.id);
  const member = await register(service);
  await makeMember(database, workspace.id, member.id, { role: 'editor' });
  const event = await publish(member, {
    workspace_id: workspace.id,
    model: 'my-model-2',
    input_cutoff_at: '0001-01-01T00:00:00Z',
  });
  const note = 'Two lines:\nthe “new” figures are out 📈.';
  const first = await readProof(author, event.forecast_id);
  const fields = {
    note,
    possible_future_headline: 'Acme misses',
    probability: 0.1 + 0.2,
    input_cutoff_at: '0001-01-01T00:00:00Z',
  };
  const revised = await revise(author, event.forecast_id, fields);
  const second = await readProof(member, event.forecast_id);
  assert.partialDeepStrictEqual(second.document, {
    forecast_id: event.forecast_id,
    revision: 2,
    question: event.question,
    possible_future_headline: 'Acme misses',
    probability: 0.1 + 0.2,
    input_cutoff_at: '0001-01-01T00:00:00.000Z',
    created_at: revised.revised_at,
    // The model gave only the first probability.
    model: null,
    source_forecast: null,
    note,
  });
  assert.partialDeepStrictEqual(first.document, { revision: 1, model: 'my-model-2', created_at: event.created_at });
  const texts = JSON.stringify([first, second]);
  for (const hidden of [author.id, member.id, author.email, member.email]) assert.ok(!texts.includes(hidden));
  for (const proof of [first, second]) assertVerifies(proof);
  assert.equal((await author.request('POST', `${EVENTS}/${event.forecast_id}/resolve`, YES)).status, 200);
  await database.transaction((tx) => removeAccountEvents(tx, member.id));
  assert.deepEqual(await readProof(author, event.forecast_id, '?revision=1'), first);
  assert.deepEqual(await readProof(author, event.forecast_id, '?revision=2'), second);
});

onService('a revision that does not exist is not found, and other values are refused', async (_service, author) => {
  const { forecast_id: id } = await publish(author);
  const answer = async (query: string) => {
    const { status, code } = await author.request('GET', `${EVENTS}/${id}/proof?${query}`);
    return [query, status, code];
  };
  for (const query of ['revision=2', 'revision=1000']) assert.deepEqual(await answer(query), [query, 404, 'NOT_FOUND']);
  for (const value of ['0', '-1', '1e9', '99999999999', 'abc', '', '1.5', 'NaN', '1&revision=1', '%00', 'true']) {
    assert.deepEqual(await answer(`revision=${value}`), [`revision=${value}`, 400, 'INVALID_REQUEST']);
  }
  assert.deepEqual(await answer('number=1'), ['number=1', 400, 'INVALID_REQUEST']);
});

onService('pages of revisions show the receipt of each proof', async ({ database }, author) => {
  const { forecast_id: id } = await publish(author);
  for (const probability of [0.2, 0.3, 0.4]) await revise(author, id, { probability });
  const stamped = await readProof(author, id, '?revision=2');
  await stampProof(database, stamped.content_cid, new Date('2026-03-02T10:00:00Z'));
  type Page = { revisions: { revision: number; provenance: ProofView['provenance'] }[]; next_cursor: string };
  const read = (query: string): Promise<Reply<Page>> =>
    author.request<Page>('GET', `${EVENTS}/${id}/revisions?limit=2${query}`);
  const first = (await read('')).data;
  const second = (await read(`&cursor=${encodeURIComponent(first.next_cursor)}`)).data;
  for (const { revision, provenance } of [...first.revisions, ...second.revisions]) {
    const proof = await readProof(author, id, `?revision=${revision}`);
    assert.deepEqual(provenance, proof.provenance);
    assert.equal(provenance?.status, revision === 2 ? 'stamped' : 'unavailable');
  }
  assert.equal(second.revisions.length, 2);
});

onService('a revision without a proof can get one later', async ({ database, identity }, author) => {
  const { forecast_id: id } = await publish(author);
  await revise(author, id, {});
  await removeSeals(database, id);
  const refused = await author.request('GET', `${EVENTS}/${id}/proof`);
  assert.deepEqual([refused.status, refused.code], [409, 'CONFLICT']);
  assert.match(refused.body, new RegExp(`almanac proof stamp ${id}`));
  const listed = await author.request<{ revisions: { provenance: null }[] }>('GET', `${EVENTS}/${id}/revisions`);
  assert.deepEqual(
    listed.data.revisions.map(({ provenance }) => provenance),
    [null, null],
  );
  const context = { database, clock: identity.clock, stamps: NO_STAMPS };
  assert.deepEqual(await prepareRevisionProofs(context, { eventIds: [id] }), {
    revisions: 2,
    prepared: 2,
    requested: 0,
  });
  for (const number of [1, 2]) assertVerifies(await readProof(author, id, `?revision=${number}`));
});

onService('a row that was changed gets an error and a log line, but no proof', async ({ database, logged }, author) => {
  const { forecast_id: id } = await publish(author);
  const { content_cid } = await readProof(author, id);
  const changes = [
    sql`UPDATE event_revision SET probability = 0.99 WHERE event_id = ${id}`,
    sql`UPDATE event_revision SET probability = 0.7, proof_salt = ${'0'.repeat(64)} WHERE event_id = ${id}`,
    sql`UPDATE event_forecast SET question = 'Will Acme miss?' WHERE id = ${id}`,
  ];
  for (const change of changes) {
    await change.execute(database.query());
    const { status, code, body } = await author.request('GET', `${EVENTS}/${id}/proof`);
    assert.deepEqual([status, code], [500, 'INTERNAL']);
    assert.ok(!body.includes(content_cid));
  }
  const lines = logged()
    .split('\n')
    .filter((line) => line.includes(`revision 1 of the forecast ${id} have changed`));
  assert.equal(lines.length, changes.length);
  for (const line of lines) assert.partialDeepStrictEqual(JSON.parse(line), { level: 50, msg: 'unexpected error' });
});

onService('the proof of an event that the caller cannot see is like that of no event', async (service, author) => {
  const { forecast_id: id } = await publish(author);
  const other = await register(service);
  const read = async (name: string) => {
    const { status, body } = await other.request('GET', `${EVENTS}/${name}/proof?revision=1`);
    return [status, body.replace(/"request_id":"[^"]+"/, '')];
  };
  assert.deepEqual(await read(id), await read('evt_00000000000000000000000000'));
  assert.equal((await read(id))[0], 404);
});
