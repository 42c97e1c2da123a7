import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { z } from 'zod';
import { DAY_MS } from '../../src/calendar/index.ts';
import type { EventHistoryEntry, EventRevision } from '../../src/contract/index.ts';
import { EVENTS, type EventView, eventRequest, NO, type ResolutionView, YES } from '../support/scout/events.ts';
import {
  makeMember,
  makeWorkspace,
  type Registered,
  register,
  shareService,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const onService = shareService();

type Revisions = { revisions: z.output<typeof EventRevision>[]; next_cursor: string | null };
type History = { entries: z.output<typeof EventHistoryEntry>[]; next_cursor: string | null };

const CUTOFF = '2024-02-01T00:00:00.000Z';

async function publish({ request }: Pick<Registered, 'request'>, fields: object = {}): Promise<EventView> {
  const { status, data, body } = await request<EventView>('POST', EVENTS, eventRequest(fields));
  assert.equal(status, 201, body);
  return data;
}

onService('publishes an event and reads it by id and by slug', async (_service, author) => {
  const created = await publish(author, { slug: 'acme-beats-q3', model: 'my-model-2' });
  assert.match(created.slug, /^acme-beats-q3-[0-9a-f]{8}$/);
  const { forecast_id, created_at } = created;
  assert.match(forecast_id, /^evt_[0-9A-Z]{26}$/);
  assert.deepEqual(created, {
    forecast_id,
    slug: created.slug,
    category: 'earnings',
    entity: { type: 'company', name: 'Acme', ticker: 'ACME' },
    question: 'Will Acme beat the consensus of the third quarter?',
    possible_future_headline: 'Acme beats the consensus',
    probability: 0.7,
    status: 'pending',
    revision: 1,
    created_at,
    revised_at: created_at,
    input_cutoff_at: '2024-01-31T00:00:00.000Z',
    resolution_deadline: created.resolution_deadline,
    visibility: 'private',
    workspace_id: null,
    is_own: true,
    model: 'my-model-2',
    resolution_rule: null,
    source_forecast: null,
    check: null,
    stamped: false,
    resolved_at: null,
    score: null,
  });
  for (const name of [forecast_id, created.slug]) {
    assert.deepEqual((await author.request('GET', `${EVENTS}/${name}`)).data, created);
    assert.equal(
      (await author.request('GET', `${EVENTS}/${name}/resolution`)).code,
      'NOT_FOUND',
      'the event is pending',
    );
  }
  const withoutTicker = await publish(author, { entity: { type: 'company', name: 'Acme' } });
  assert.equal(withoutTicker.entity.ticker, '');
  const emptyTicker = await publish(author, { entity: { type: 'company', name: 'Acme', ticker: '' } });
  assert.equal(emptyTicker.entity.ticker, '');
  assert.match(withoutTicker.slug, /^will-acme-beat-the-consensus-of-the-third-quarter-[0-9a-f]{8}$/);
});

onService(
  'ends every slug with random characters, and refuses one that the author already requested',
  async (service, author) => {
    const longest = 'x'.repeat(80);
    for (const slug of ['rates-cut', longest]) {
      const first = await publish(author, { slug });
      assert.match(first.slug, new RegExp(`^${slug}-[0-9a-f]{8}$`), 'no other author has the slug');
      const other = await register(service);
      const second = await publish(other, { slug });
      assert.match(second.slug, new RegExp(`^${slug}-[0-9a-f]{8}$`), 'another author has the slug');
      for (const [owner, event] of [
        [author, first],
        [other, second],
      ] as const) {
        const repeated = await owner.request('POST', EVENTS, eventRequest({ slug }));
        assert.deepEqual([repeated.status, repeated.code], [409, 'CONFLICT']);
        assert.match(repeated.body, new RegExp(`slug: .*${event.forecast_id}`));
        const read = await owner.request<EventView>('GET', `${EVENTS}/${event.slug}`);
        assert.equal(read.data.forecast_id, event.forecast_id);
      }
    }
  },
);

onService('keeps a slug without random characters that an earlier build stored', async (service, author) => {
  const { forecast_id } = await publish(author, { slug: 'rates-cut' });
  await sql`UPDATE event_forecast SET slug = 'rates-cut' WHERE id = ${forecast_id}`.execute(service.database.query());
  assert.equal((await author.request<EventView>('GET', `${EVENTS}/rates-cut`)).data.forecast_id, forecast_id);
  const other = await register(service);
  assert.match((await publish(other, { slug: 'rates-cut' })).slug, /^rates-cut-[0-9a-f]{8}$/);
});

onService('scores the current revision as computed by hand', async (_service, author) => {
  // -ln p of what happened, and the squared distance.
  const cases = [
    { probability: 0.7, body: YES, log: 0.35667494393873245, brier: 0.09 },
    { probability: 0.7, body: NO, log: 1.203972804325936, brier: 0.49 },
    { probability: 0.5, body: NO, log: Math.LN2, brier: 0.25 },
    { probability: 1, body: YES, log: 0.000001000000500029089, brier: 0 },
    { probability: 0, body: YES, log: 13.815510557964274, brier: 1 },
    { probability: 1, body: NO, log: 13.815510557964274, brier: 1 },
  ];
  for (const { probability, body, log, brier } of cases) {
    const { forecast_id } = await publish(author, { probability: 0.123 });
    await author.request('POST', `${EVENTS}/${forecast_id}/revisions`, { probability, input_cutoff_at: CUTOFF });
    const { status, data } = await author.request<ResolutionView>('POST', `${EVENTS}/${forecast_id}/resolve`, body);
    assert.equal(status, 200);
    assert.partialDeepStrictEqual(data, {
      forecast_id,
      status: body === YES ? 'resolved_yes' : 'resolved_no',
      actual_outcome: body.actual_outcome,
      resolution_source: 'The report',
      resolved_by: 'author',
      revision: 2,
      probability,
      score_note: null,
      evidence: null,
      resolution_rule: null,
    });
    assert.ok(Math.abs((data.log_score ?? -1) - log) < 1e-9, `${probability} ${body.outcome}: ${data.log_score}`);
    assert.ok(Math.abs((data.brier_score ?? -1) - brier) < 1e-12);
    assert.match(data.score_definition, /^-ln\(p of what happened\), lower is better; p within 1e-6/);
    assert.deepEqual((await author.request('GET', `${EVENTS}/${forecast_id}/resolution`)).data, data);
  }
});

onService('never changes earlier revisions or a resolution', async (_service, author) => {
  const { forecast_id: id } = await publish(author, { probability: 0.2 });
  const path = `${EVENTS}/${id}`;
  const revisions = async () => (await author.request<Revisions>('GET', `${path}/revisions`)).data.revisions;
  const seen = [await revisions()];
  for (const [probability, note] of [
    [0.4, 'A report'],
    [0.9, undefined],
  ] as const) {
    const headline = probability === 0.9 ? { possible_future_headline: 'Acme soars' } : {};
    const revised = await author.request<EventView>('POST', `${path}/revisions`, {
      probability,
      input_cutoff_at: CUTOFF,
      ...(note && { note }),
      ...headline,
    });
    assert.equal(revised.status, 201);
    assert.deepEqual([revised.data.probability, revised.data.revision], [probability, seen.length + 1]);
    seen.push(await revisions());
  }
  for (const [i, list] of seen.entries()) {
    assert.equal(list.length, i + 1);
    assert.deepEqual((seen.at(-1) ?? []).slice(-list.length), list, 'earlier revisions are unchanged');
  }
  assert.deepEqual(
    seen
      .at(-1)
      ?.map(({ revision, probability, possible_future_headline, note }) => [
        revision,
        probability,
        possible_future_headline,
        note,
      ]),
    [
      [3, 0.9, 'Acme soars', null],
      [2, 0.4, 'Acme beats the consensus', 'A report'],
      [1, 0.2, 'Acme beats the consensus', null],
    ],
  );
  await author.request('POST', `${path}/resolve`, NO);
  const resolution = (await author.request('GET', `${path}/resolution`)).data;
  const late = await author.request('POST', `${path}/revisions`, { probability: 0.01, input_cutoff_at: CUTOFF });
  assert.deepEqual([late.status, late.code], [409, 'CONFLICT']);
  for (const body of [YES, NO, { ...NO, outcome: 'annulled' }]) {
    const again = await author.request('POST', `${path}/resolve`, body);
    assert.deepEqual([again.status, again.code], [409, 'CONFLICT']);
    assert.match(again.body, /already resolved_no/);
  }
  assert.deepEqual((await author.request('GET', `${path}/resolution`)).data, resolution);
  assert.deepEqual(await revisions(), seen.at(-1));
  const { entries } = (await author.request<History>('GET', `${path}/history`)).data;
  assert.deepEqual(
    entries.map(({ action, by }) => `${action} by ${by}`),
    ['resolved by author', 'revised by author', 'revised by author', 'created by author'],
  );
});

onService('scores only revisions from before the outcome was known', async (service, author) => {
  const { forecast_id: id } = await publish(author, { probability: 0.3 });
  await author.request('POST', `${EVENTS}/${id}/revisions`, { probability: 0.99, input_cutoff_at: CUTOFF });
  const db = service.database.query();
  await sql`UPDATE event_revision SET created_at = created_at - interval '2 days' WHERE event_id = ${id} AND number = 1`.execute(
    db,
  );
  await sql`UPDATE event_forecast SET created_at = created_at - interval '2 days' WHERE id = ${id}`.execute(db);
  const yesterday = new Date(Date.now() - DAY_MS).toISOString();
  const { data } = await author.request<ResolutionView>('POST', `${EVENTS}/${id}/resolve`, {
    ...YES,
    outcome_known_at: yesterday,
    evidence: { text: 'Page 3 of the report', observation: { timestamp: '2024-01-31T01:00:00+01:00', value: 1.25 } },
  });
  assert.deepEqual([data.revision, data.probability, data.outcome_known_at], [1, 0.3, yesterday]);
  assert.deepEqual(data.evidence, {
    text: 'Page 3 of the report',
    observation: { timestamp: '2024-01-31T00:00:00.000Z', value: 1.25 },
    source: null,
    provider: null,
    snapshot_id: null,
  });

  const late = await publish(author);
  const resolve = (outcome_known_at: string) =>
    author.request<ResolutionView>('POST', `${EVENTS}/${late.forecast_id}/resolve`, { ...YES, outcome_known_at });
  const before = await resolve(new Date(Date.parse(late.created_at) - 1).toISOString());
  assert.deepEqual([before.status, before.code], [400, 'INVALID_REQUEST']);
  assert.match(before.body, /outcome_known_at: must not be before the question was published/);
  const none = await resolve(late.created_at);
  assert.equal(none.data.status, 'resolved_yes');
  assert.deepEqual([none.data.log_score, none.data.brier_score, none.data.revision], [null, null, null]);
  assert.match(none.data.score_note ?? '', /No revision was made before/);
});

onService('gives an annulled question no score and leaves it off the scoreboard', async (_service, author) => {
  const { forecast_id: id } = await publish(author);
  const { data } = await author.request<ResolutionView>('POST', `${EVENTS}/${id}/resolve`, {
    ...NO,
    outcome: 'annulled',
  });
  assert.deepEqual([data.status, data.brier_score, data.revision], ['annulled', null, null]);
  const { data: stored } = await author.request<ResolutionView>('GET', `${EVENTS}/${id}/resolution`);
  const { data: history } = await author.request('GET', `${EVENTS}/${id}/history`);
  for (const shown of [data, stored, history]) assert.ok(!JSON.stringify(shown).includes('"log_score"'));
  assert.match(data.score_note ?? '', /annulled/);
  const board = await author.request<{ overall: { questions: number; mean_log_loss: null } }>(
    'GET',
    '/v1/scout/scoreboard',
  );
  assert.deepEqual([board.data.overall.questions, board.data.overall.mean_log_loss], [0, null]);
});

onService('removes the events of a deleted workspace and no others', async (service, owner) => {
  const member = await register(service);
  const { id } = await makeWorkspace(service.database, owner.id);
  await makeMember(service.database, id, member.id, { role: 'editor' });
  const inside = [
    await publish(owner, { workspace_id: id }),
    await publish(member, { workspace_id: id, visibility: 'public' }),
  ];
  const outside = await publish(member);
  assert.equal((await owner.request('DELETE', `${WORKSPACES}/${id}`)).status, 200);
  for (const { forecast_id } of inside) {
    for (const { request } of [owner, member])
      assert.equal((await request('GET', `${EVENTS}/${forecast_id}`)).status, 404);
  }
  assert.equal((await member.request('GET', `${EVENTS}/${outside.forecast_id}`)).status, 200);
  const ids = [...inside, outside].map(({ forecast_id }) => forecast_id);
  const { rows } = await sql<{ left: number }>`
    SELECT (SELECT count(*) FROM event_revision WHERE event_id = ANY (${ids}))
      + (SELECT count(*) FROM event_audit WHERE event_id = ANY (${ids})) AS left`.execute(service.database.query());
  assert.equal(Number(rows[0]?.left), 2, 'the rows of the event outside the workspace');
});

onService('lets the owner of a workspace resolve events of removed members', async (service, owner) => {
  const [formerMember, editor] = [await register(service), await register(service)];
  const { id } = await makeWorkspace(service.database, owner.id);
  const membershipId = await makeMember(service.database, id, formerMember.id, { role: 'editor' });
  await makeMember(service.database, id, editor.id, { role: 'editor' });
  const [shared, open, hidden] = [
    await publish(formerMember, { workspace_id: id }),
    await publish(formerMember, { workspace_id: id, visibility: 'public' }),
    await publish(formerMember, { workspace_id: id, visibility: 'private' }),
  ];
  await sql`DELETE FROM workspace_member WHERE id = ${membershipId}`.execute(service.database.query());
  const resolve = ({ request }: Registered, { forecast_id }: EventView, body: object) =>
    request<ResolutionView>('POST', `${EVENTS}/${forecast_id}/resolve`, body);
  assert.equal((await resolve(formerMember, shared, YES)).code, 'WORKSPACE_DENIED');
  const refused = await resolve(editor, shared, YES);
  assert.equal(refused.code, 'OWNERSHIP_REQUIRED');
  assert.match(refused.body, /the event's author, the owner of its workspace or an administrator/);
  const otherOwner = await register(service);
  await makeWorkspace(service.database, otherOwner.id);
  assert.equal((await resolve(otherOwner, open, YES)).code, 'OWNERSHIP_REQUIRED', 'the owner of another workspace');
  assert.equal((await resolve(owner, hidden, YES)).code, 'NOT_FOUND', 'a private event stays private');
  const resolved = await resolve(owner, shared, YES);
  assert.deepEqual([resolved.status, resolved.data.resolved_by], [200, 'member']);
  assert.equal((await resolve(owner, open, { ...NO, outcome: 'annulled' })).data.status, 'annulled');
  const { entries } = (await owner.request<History>('GET', `${EVENTS}/${shared.forecast_id}/history`)).data;
  assert.deepEqual(
    entries.map(({ action, by }) => `${action} by ${by}`),
    ['resolved by member', 'created by author'],
  );
});

onService('lets members revise an event of their workspace, and only its author resolve it', async (service, owner) => {
  const [editor, viewer] = [await register(service), await register(service)];
  const { id, slug } = await makeWorkspace(service.database, owner.id);
  await makeMember(service.database, id, editor.id, { role: 'editor' });
  await makeMember(service.database, id, viewer.id);
  const created = await publish(owner, { workspace_id: slug });
  assert.deepEqual([created.workspace_id, created.visibility], [id, 'workspace']);
  const path = `${EVENTS}/${created.forecast_id}`;
  const revision = { probability: 0.1, input_cutoff_at: CUTOFF };
  assert.equal((await editor.request('POST', `${path}/revisions`, revision)).status, 201);
  assert.equal((await viewer.request('POST', `${path}/revisions`, revision)).code, 'WORKSPACE_DENIED');
  assert.equal((await editor.request('POST', `${path}/resolve`, YES)).code, 'OWNERSHIP_REQUIRED');
  const shown = await viewer.request<EventView>('GET', path);
  assert.deepEqual([shown.data.is_own, shown.data.probability], [false, 0.1]);
  assert.equal((await owner.request('POST', `${path}/resolve`, NO)).status, 200);
  const { entries } = (await viewer.request<History>('GET', `${path}/history`)).data;
  assert.deepEqual(
    entries.map(({ by }) => by),
    ['author', 'member', 'author'],
  );
});
