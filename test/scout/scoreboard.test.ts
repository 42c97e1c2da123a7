import assert from 'node:assert/strict';
import type { z } from 'zod';
import type { Scoreboard } from '../../src/contract/index.ts';
import { EVENTS, type EventView, eventRequest, makeEvent, NO, YES } from '../support/scout/events.ts';
import { readContentCid, stampProof } from '../support/scout/proofs.ts';
import {
  type KeyHolder,
  makeMember,
  makeWorkspace,
  type Registered,
  register,
  shareService,
} from '../support/workspaces/workspaces.ts';

const BOARD = '/v1/scout/scoreboard';
type Board = z.output<typeof Scoreboard>;

const onService = shareService();

interface Question {
  readonly probability: number;
  readonly yes: boolean;
  readonly fields?: object;
}

async function publishResolved(
  { request }: Pick<Registered, 'request'>,
  { probability, yes, fields }: Question,
): Promise<EventView> {
  const { data, status, body } = await request<EventView>('POST', EVENTS, eventRequest({ probability, ...fields }));
  assert.equal(status, 201, body);
  assert.equal((await request('POST', `${EVENTS}/${data.forecast_id}/resolve`, yes ? YES : NO)).status, 200);
  return data;
}

const near = (actual: number | null | undefined, expected: number) =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-9, `${actual}, not ${expected}`);

onService('computes the same figures as a calculation by hand', async (_service, author) => {
  for (const question of [
    { probability: 0.9, yes: true },
    { probability: 0.2, yes: false },
    { probability: 0.6, yes: false },
    { probability: 0.5, yes: true },
  ]) {
    await publishResolved(author, question);
  }
  const { status, data } = await author.request<Board>('GET', BOARD);
  assert.equal(status, 200);
  const { overall } = data;
  assert.deepEqual([overall.questions, overall.resolved_yes, overall.clusters], [4, 2, 4]);
  // (-ln 0.9 - ln 0.8 - ln 0.4 - ln 0.5) / 4, and (0.01 + 0.04 + 0.36 + 0.25) / 4.
  near(overall.mean_log_loss, (0.10536051565782628 + 0.2231435513142097 + 0.916290731874155 + Math.LN2) / 4);
  near(overall.brier, 0.165);
  near(overall.base_rate, 0.5);
  near(overall.skill_vs_half, 1 - (overall.mean_log_loss ?? 0) / Math.LN2);
  near(overall.skill_vs_base_rate, overall.skill_vs_half ?? 0);
  near(overall.brier_skill_vs_base_rate, 1 - 0.165 / 0.25);
  // Each question is alone in its bin: |0.9 - 1|, |0.2 - 0|, |0.6 - 0|, |0.5 - 1|.
  near(overall.calibration_error, (0.1 + 0.2 + 0.6 + 0.5) / 4);
  assert.deepEqual(
    overall.bins.map(({ questions }) => questions),
    [0, 0, 1, 0, 0, 1, 1, 0, 0, 1],
  );
  // Wilson's interval of one out of one.
  near(overall.bins[9]?.interval?.low, 0.20654931437723745);
  const { low = 1, high = 0 } = overall.intervals.mean_log_loss ?? {};
  assert.ok(low < (overall.mean_log_loss ?? 0) && (overall.mean_log_loss ?? 0) < high);
  assert.deepEqual((await author.request<Board>('GET', BOARD)).data, data, 'repeated requests give the same intervals');
});

onService('takes only the two values of stamped', async ({ database }, author) => {
  const { data: event } = await author.request<EventView>('POST', EVENTS, eventRequest());
  await stampProof(database, await readContentCid(database, event.forecast_id), new Date(0));
  const resolved = await author.request('POST', `${EVENTS}/${event.forecast_id}/resolve`, YES);
  assert.equal(resolved.status, 200, resolved.body);
  await publishResolved(author, { probability: 0.4, yes: false });
  const count = async (query: string) =>
    (await author.request<Board>('GET', `${BOARD}?${query}`)).data.overall.questions;
  assert.deepEqual([await count(''), await count('stamped=false'), await count('stamped=true')], [2, 2, 1]);
  for (const value of ['', '1', 'TRUE', 'yes', 'true&stamped=true', 'true%00']) {
    assert.equal((await author.request('GET', `${BOARD}?stamped=${value}`)).code, 'INVALID_REQUEST', value);
  }
});

onService('filters and groups by category, entity, model and month', async (_service, author) => {
  await publishResolved(author, { probability: 0.8, yes: true, fields: { category: 'rates', model: 'oracle-1' } });
  await publishResolved(author, {
    probability: 0.4,
    yes: false,
    fields: { category: 'rates', entity: { type: 'bank', name: 'Fed', ticker: 'FED' } },
  });
  await publishResolved(author, { probability: 0.3, yes: false, fields: { category: 'earnings' } });
  const board = async (query: string) => (await author.request<Board>('GET', `${BOARD}?${query}`)).data;
  const groups = async (by: string) =>
    (await board(`group_by=${by}`)).groups.map(({ group, questions }) => [group, questions]);
  assert.deepEqual(await groups('category'), [
    ['earnings', 1],
    ['rates', 2],
  ]);
  assert.deepEqual(await groups('entity'), [
    ['Acme', 2],
    ['Fed', 1],
  ]);
  assert.deepEqual(await groups('model'), [
    ['(none)', 2],
    ['oracle-1', 1],
  ]);
  assert.deepEqual(await groups('month'), [[new Date().toISOString().slice(0, 7), 3]]);
  for (const [query, questions] of [
    ['category=rates', 2],
    ['entity=fed', 1],
    ['entity=acme', 2],
    ['model=oracle-1', 1],
    ['model=(none)', 2],
    ['model=author', 0],
    ['author=me&category=earnings', 1],
    ['from=2020-01-01T00:00:00Z', 3],
    ['to=2020-01-01T00:00:00Z', 0],
    ['from=2999-01-01T00:00:00Z', 0],
  ] as const) {
    assert.equal((await board(query)).overall.questions, questions, query);
  }
  const none = await board('category=nothing');
  assert.deepEqual(
    [none.overall.mean_log_loss, none.overall.intervals.brier, none.first_resolved_at],
    [null, null, null],
  );
});

const makeRevision = (probability: number) => ({ probability, input_cutoff_at: '2024-02-01T00:00:00Z' });

onService('scores a model by its own probability, never by a revision', async (service) => {
  const author = await register(service);
  const category = 'revised';
  const fields = { author: author.id, category, model: 'almanac_ensemble', probability: 0.2 };
  const original = await makeEvent(service.database, fields);
  const revised = await makeEvent(service.database, fields);
  const { status } = await author.request('POST', `${EVENTS}/${revised.id}/revisions`, makeRevision(1));
  assert.equal(status, 201);
  for (const { id } of [original, revised]) await author.request('POST', `${EVENTS}/${id}/resolve`, YES);
  const board = async (query: string) =>
    (await author.request<Board>('GET', `${BOARD}?category=${category}&${query}`)).data;
  assert.deepEqual(
    (await board('group_by=model')).groups.map(({ group, questions, brier }) => [group, questions, brier]),
    [
      ['(none)', 1, 0],
      ['almanac_ensemble', 1, 0.8 ** 2],
    ],
  );
  assert.equal((await board('model=almanac_ensemble')).overall.brier, 0.8 ** 2);
  assert.equal((await board('model=(none)')).overall.brier, 0);
  const url = `/api${BOARD}?format=csv&rows=questions&category=${category}`;
  const { body } = await service.app.inject({ url, headers: author.credentials });
  const lines = body.split('\r\n');
  const model = (id: string) => lines.find((line) => line.startsWith(id))?.split(',')[6];
  assert.deepEqual([model(original.id), model(revised.id)], ['almanac_ensemble', '']);
});

onService('counts a question for the author of its scored revision', async (service, author) => {
  const member = await register(service);
  const { id } = await makeWorkspace(service.database, author.id);
  await makeMember(service.database, id, member.id, { role: 'editor' });
  const category = 'revised-by-another';
  const fields = { category, workspace_id: id };
  await publishResolved(author, { probability: 0.5, yes: true, fields });
  const { data } = await author.request<EventView>('POST', EVENTS, eventRequest({ probability: 0.5, ...fields }));
  assert.equal(
    (await member.request('POST', `${EVENTS}/${data.forecast_id}/revisions`, makeRevision(0.9))).status,
    201,
  );
  assert.equal((await author.request('POST', `${EVENTS}/${data.forecast_id}/resolve`, YES)).status, 200);
  const mine = async ({ request }: Pick<KeyHolder, 'request'>, query: string) =>
    (await request<Board>('GET', `${BOARD}?category=${category}${query}`)).data.overall;
  assert.deepEqual([(await mine(author, '')).questions, (await mine(member, '')).questions], [2, 2]);
  const [own, theirs] = [await mine(author, '&author=me'), await mine(member, '&author=me')];
  assert.deepEqual([own.questions, own.brier], [1, 0.25]);
  assert.equal(theirs.questions, 1);
  near(theirs.brier, 0.01);
});

onService('does not confuse names that callers choose with its own', async (service) => {
  const author = await register(service);
  await publishResolved(author, { probability: 0.8, yes: true, fields: { category: 'overall', model: 'author' } });
  await publishResolved(author, { probability: 0.6, yes: true, fields: { category: 'overall' } });
  const { data } = await author.request<Board>('GET', `${BOARD}?category=overall&group_by=model`);
  assert.deepEqual(
    data.groups.map(({ group, questions }) => [group, questions]),
    [
      ['(none)', 1],
      ['author', 1],
    ],
  );
  for (const model of ['(none)', 'almanac', 'almanac_ensemble', 'almanac-2']) {
    const { status, body } = await author.request('POST', EVENTS, eventRequest({ model }));
    assert.equal(status, 400, model);
    assert.match(body, /model/);
  }
  const url = `/api${BOARD}?format=csv&category=overall&group_by=category`;
  const { body } = await service.app.inject({ url, headers: author.credentials });
  const firstCells = body.split('\r\n').map((line) => line.split(',').slice(0, 3));
  assert.deepEqual(firstCells.slice(0, 3), [
    ['line', 'group', 'questions'],
    ['overall', '', '2'],
    ['group', 'overall', '2'],
  ]);
});

onService('counts matching questions that have no score', async (service, author) => {
  const category = 'without-score';
  const model = 'oracle-2';
  const publish = async (fields: object = {}) =>
    (await author.request<EventView>('POST', EVENTS, eventRequest({ category, ...fields }))).data;
  const resolve = async ({ forecast_id }: EventView, resolution: object) =>
    assert.equal((await author.request('POST', `${EVENTS}/${forecast_id}/resolve`, resolution)).status, 200);
  await publish();
  await resolve(await publish(), YES);
  const late = await publish();
  await resolve(late, { ...YES, outcome_known_at: late.created_at });
  await resolve(await publish({ visibility: 'public' }), { ...NO, outcome: 'annulled' });
  const withModel = await publish({ model });
  // An annulled question counts for its model even after a revision.
  await author.request('POST', `${EVENTS}/${withModel.forecast_id}/revisions`, makeRevision(0.1));
  await resolve(withModel, { ...NO, outcome: 'annulled' });
  const counts = async ({ request }: Pick<KeyHolder, 'request'>, query = '') => {
    const { data } = await request<Board>('GET', `${BOARD}?category=${category}${query}`);
    return [data.overall.questions, data.annulled, data.unscored];
  };
  assert.deepEqual(await counts(author), [1, 2, 1]);
  assert.deepEqual(await counts(author, '&author=me'), [1, 2, 1]);
  assert.deepEqual(await counts(author, `&model=${model}`), [0, 1, 0]);
  assert.deepEqual(await counts(author, '&model=(none)'), [1, 1, 1]);
  assert.deepEqual(await counts(author, '&to=2020-01-01T00:00:00Z'), [0, 0, 0]);
  const outsider = await register(service);
  assert.deepEqual(await counts(outsider), [0, 1, 0]);
  assert.deepEqual(await counts(outsider, '&author=me'), [0, 0, 0]);
});

onService('covers only questions that the caller may see', async (service, author) => {
  const member = await register(service);
  const outsider = await register(service);
  const { id } = await makeWorkspace(service.database, author.id);
  const membershipId = await makeMember(service.database, id, member.id);
  const category = 'shared-things';
  for (const visibility of ['private', 'workspace', 'public']) {
    await publishResolved(author, { probability: 0.5, yes: true, fields: { category, visibility, workspace_id: id } });
  }
  const count = async ({ request }: Pick<KeyHolder, 'request'>, query = '') =>
    (await request<Board>('GET', `${BOARD}?category=${category}${query}`)).data.overall.questions;
  assert.deepEqual([await count(author), await count(member), await count(outsider)], [3, 2, 1]);
  assert.equal(await count(outsider, '&author=me'), 0);
  const listed = async ({ request }: Pick<KeyHolder, 'request'>) =>
    (await request<{ forecasts: EventView[] }>('GET', `${EVENTS}?category=${category}`)).data.forecasts.length;
  assert.deepEqual([await listed(author), await listed(member), await listed(outsider)], [3, 2, 1]);
  assert.equal((await outsider.request('GET', `${BOARD}?workspace_id=${id}`)).code, 'WORKSPACE_DENIED');
  assert.equal(await count(member, `&workspace_id=${id}`), 2);
  assert.equal((await author.request('DELETE', `/v1/workspaces/${id}/collaborators/${membershipId}`)).status, 200);
  assert.equal(await count(member), 1);
});

onService('escapes formulas in CSV', async (service, author) => {
  const { credentials } = await register(service);
  const readCsv = async (query: string) =>
    service.app.inject({ url: `/api${BOARD}?format=csv${query}`, headers: credentials });
  const empty = await readCsv('');
  assert.equal(empty.statusCode, 200);
  const formula = '=HYPERLINK("http://evil","Will it?")';
  const shared = {
    visibility: 'public',
    question: formula,
    entity: { type: 'company', name: '@SUM(A1)', ticker: '-2+3' },
  };
  const created = await publishResolved(author, {
    probability: 0.9,
    yes: true,
    fields: { ...shared, category: 'cells' },
  });
  const groups = await readCsv('&category=cells&group_by=entity');
  assert.match(String(groups.headers['content-type']), /^text\/csv/);
  assert.equal(groups.headers['content-disposition'], 'attachment; filename="scoreboard-groups.csv"');
  const [heads, overall, entity] = groups.body.split('\r\n');
  assert.match(
    heads ?? '',
    /^line,group,questions,resolved_yes,clusters,mean_log_loss,mean_log_loss_low,mean_log_loss_high,brier,/,
  );
  assert.match(overall ?? '', /^overall,,1,1,1,0\.105360515/);
  assert.match(entity ?? '', /^group,'@SUM\(A1\),1,1,1,/);
  const questions = await readCsv('&category=cells&rows=questions');
  const [, line] = questions.body.split('\r\n');
  assert.ok(line?.startsWith(`${created.forecast_id},${created.slug},cells,company,'@SUM(A1),'-2+3,,,`), line);
  assert.ok(line?.includes(`"'=HYPERLINK(""http://evil"",""Will it?"")",1,0.9,resolved_yes,0.105360515`), line);
});
