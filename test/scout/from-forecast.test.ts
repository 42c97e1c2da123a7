import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ALL_LICENSES } from '../../src/access/index.ts';
import { DAY_MS } from '../../src/calendar/index.ts';
import { openData } from '../../src/compose/index.ts';
import { ForecastRequestBody, FromForecastBody } from '../../src/contract/index.ts';
import { createForecast } from '../../src/forecasts/index.ts';
import { createLog } from '../../src/platform/index.ts';
import {
  checkDueEvents,
  createFromForecast,
  readRevisionProof,
  resolveEvent,
  reviseEvent,
  type ScoutContext,
} from '../../src/scout/index.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { activateJob, runAttempt } from '../support/forecasts/run-attempt.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { movableClock } from '../support/identity/identity.ts';
import { countStatements } from '../support/platform/counted-database.ts';
import { testedKind } from '../support/platform/database.ts';
import { readComparableRows } from '../support/platform/rows.ts';
import { EVENTS, type EventView, moveToFuture, NO_STAMPS, readEventRow } from '../support/scout/events.ts';
import { ALL_STAMPS, readSubjects } from '../support/scout/proofs.ts';
import { forecastRandomWalk } from '../support/scout/random-walk.ts';
import { principalOf } from '../support/workspaces/workspaces.ts';

const FROM = '/v1/scout/from-forecast';
const log = createLog('silent');

type Created = { forecasts: EventView[] };

interface ForecastView {
  readonly slug: string;
  readonly questions_url: string;
  readonly predictions: readonly { readonly timestamp: string; readonly quantiles: Record<string, number> }[];
}

let service: ForecastService;
let caller: Caller;
/** A completed forecast of the future. */
let forecastId: string;
let view: ForecastView;

before(async () => {
  service = await openForecastService(testedKind);
  caller = await service.account('enterprise');
  forecastId = await createCompleted();
  await moveToFuture(service.database, forecastId);
  view = (await caller.request<ForecastView>('GET', `${FORECASTS}/${forecastId}`)).data;
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
});

/** Creates and runs a forecast whose predictions are in 2024. */
async function createCompleted(): Promise<string> {
  const { data } = await create(caller, { title: 'Sales of umbrellas' });
  await runAttempt(service, await activateJob(service.database, data.forecast_id), forecastRandomWalk);
  return data.forecast_id;
}

test('refuses questions about past periods and about forecasts that are not completed', async () => {
  const past = await caller.request('POST', FROM, { forecast_id: await createCompleted(), thresholds: [120] });
  assert.deepEqual([past.status, past.code], [422, 'UNPROCESSABLE']);
  assert.match(past.body, /step 3 ended at 2024-02-13.*read the quantiles of the forecast/);
  const { data } = await create(caller);
  const early = await caller.request('POST', FROM, { forecast_id: data.forecast_id, thresholds: [120] });
  assert.deepEqual([early.status, early.code], [409, 'NOT_COMPLETED']);
  assert.equal(
    (await caller.request('POST', FROM, { forecast_id: 'ef_missing', thresholds: [120] })).code,
    'NOT_FOUND',
  );
});

test('creates a question for each threshold and step, with the probability of the quantiles and links both ways', async () => {
  const [, second] = view.predictions;
  const { '0.5': median = 0, '0.9': high = 0 } = second?.quantiles ?? {};
  const body = { forecast_id: view.slug, thresholds: [median, high, 1e6, -1e6, high], steps: [2, 3] };
  const { status, data } = await caller.request<Created>('POST', FROM, body);
  assert.equal(status, 201);
  assert.equal(data.forecasts.length, 8, 'each threshold and step once');
  const at = (step: number) => data.forecasts.filter(({ source_forecast }) => source_forecast?.step === step);
  assert.deepEqual(
    at(2).map(({ probability }) => Number(probability.toFixed(9))),
    [1, 0.5, 0.1, 0],
  );
  for (const step of [2, 3]) {
    const probabilities = at(step).map(({ probability }) => probability);
    assert.deepEqual(
      [...probabilities].sort((a, b) => b - a),
      probabilities,
      'a higher threshold is never more likely',
    );
  }
  const [, event] = at(2);
  const day = second?.timestamp.slice(0, 10) ?? '';
  assert.match(event?.question ?? '', new RegExp(`^Will Sales of umbrellas be above [0-9.,]+ on ${day}\\?$`));
  assert.match(event?.possible_future_headline ?? '', /^Sales of umbrellas is above/);
  assert.partialDeepStrictEqual(event, {
    category: 'series',
    entity: { type: 'series', name: 'Sales of umbrellas', ticker: '' },
    model: 'almanac_ensemble',
    resolution_rule: null,
    input_cutoff_at: '2024-02-10T00:00:00.000Z',
    source_forecast: {
      forecast_id: forecastId,
      step: 2,
      timestamp: second?.timestamp,
      threshold: median,
      part: 'interior',
      quantiles: second?.quantiles,
    },
  });
  assert.deepEqual(
    at(2).map(({ source_forecast }) => source_forecast?.part),
    ['lower_tail', 'interior', 'interior', 'upper_tail'],
  );
  assert.equal(Date.parse(event?.resolution_deadline ?? '') - Date.parse(second?.timestamp ?? ''), 8 * DAY_MS);

  const listed = await caller.request<Created>('GET', `${view.questions_url.replace(/^\/api/, '')}&limit=100`);
  const ids = ({ forecasts }: Created) => forecasts.map(({ forecast_id }) => forecast_id).sort();
  assert.deepEqual(ids(listed.data), ids(data));
  const stranger = await service.account();
  assert.deepEqual(
    (await stranger.request<Created>('GET', `${EVENTS}?source_forecast_id=${forecastId}`)).data.forecasts,
    [],
  );
});

test('closes questions without a rule to revisions when their period ends', async () => {
  const { database, forecasts: jobs } = service;
  const [first] = view.predictions;
  const end = Date.parse(first?.timestamp ?? '') + DAY_MS;
  const clock = movableClock(new Date().toISOString());
  const { sources } = openData({ database, clock, log, providers: [], adapters: [], licenses: ALL_LICENSES });
  const scout: ScoutContext = { database, clock, sources, stamps: NO_STAMPS, cursorKey: jobs.cursorKey };
  const { data } = await caller.request<Created>('POST', FROM, {
    forecast_id: forecastId,
    thresholds: [1],
    steps: [1],
  });
  const id = data.forecasts[0]?.forecast_id ?? '';
  const row = await readEventRow(database, id);
  assert.deepEqual([row.resolution_rule, row.next_check_at, row.observed_until?.getTime()], [null, null, end]);
  const author = principalOf({ id: row.author_account_id, email: 'author@example.org' });
  const revise = (probability: number) =>
    reviseEvent(scout, author, id, { probability, input_cutoff_at: clock.now().toISOString() });
  clock.advance(end - 1 - clock.now().getTime());
  await revise(0.25);
  clock.advance(1);
  await assert.rejects(revise(0.999), { code: 'CONFLICT', message: /outcome was decided/ });
  assert.equal(await checkDueEvents(scout, { log }), 0, 'events without a rule are not checked');
  const resolved = await resolveEvent(scout, author, id, {
    outcome: 'yes',
    actual_outcome: 'It was.',
    resolution_source: 'The books',
  });
  assert.deepEqual([resolved.scored_revision, resolved.scored_probability], [2, 0.25]);
  assert.equal(resolved.outcome_known_at?.getTime(), end);
});

test('gives every question a proof, with as many statements for 100 questions as for one', async () => {
  const { forecasts: jobs } = service;
  const { database, statements } = countStatements(service.database);
  const scout: ScoutContext = { ...jobs, database, stamps: ALL_STAMPS };
  const author = principalOf({ id: caller.accountId ?? '', email: 'author@example.org' });
  const create = async (count: number) => {
    const before = statements();
    const thresholds = Array.from({ length: count }, (_, i) => 100 + i / 10);
    const body = FromForecastBody.parse({ forecast_id: forecastId, thresholds });
    const events = await createFromForecast(scout, author, body);
    return { events, statements: statements() - before };
  };
  const one = await create(1);
  const hundred = await create(100);
  assert.equal(hundred.statements, one.statements);
  const subjects = [...one.events, ...hundred.events].map(({ id }) => `${id}.000001`).sort();
  assert.deepEqual(await readSubjects(service.database), subjects);
  const [event] = hundred.events;
  assert.ok(event?.origin);
  const first = await readRevisionProof(scout, author, event.id);
  assert.partialDeepStrictEqual(first.document, {
    revision: 1,
    probability: event.probability,
    input_cutoff_at: '2024-02-10T00:00:00.000Z',
    resolution_rule: null,
    model: 'almanac_ensemble',
    source_forecast: event.origin,
  });
  assert.equal(first.provenance.status, 'pending');
  await reviseEvent(scout, author, event.id, { probability: 0.5, input_cutoff_at: new Date().toISOString() });
  const second = await readRevisionProof(scout, author, event.id);
  const { revision, model, source_forecast } = second.document;
  assert.deepEqual([revision, model, source_forecast], [2, null, null], 'the forecast gave only the first probability');
});

test('previews the questions that the same request creates, and stores nothing', async () => {
  const body = { forecast_id: forecastId, thresholds: [90, 110], changes_pct: [1], steps: [1, 2], op: 'lte' };
  const before = await readComparableRows(service.database);
  const preview = await caller.request<{ last_value: number; questions: Record<string, unknown>[] }>(
    'POST',
    `${FROM}/preview`,
    body,
  );
  assert.equal(preview.status, 200, preview.body);
  assert.deepEqual(await readComparableRows(service.database), before);
  const { data } = await caller.request<Created>('POST', FROM, body);
  assert.deepEqual(
    preview.data.questions.map(({ question, probability, step, threshold, past_share, has_rule }) => [
      question,
      probability,
      step,
      threshold,
      past_share,
      has_rule,
    ]),
    data.forecasts.map(({ question, probability, source_forecast: from, resolution_rule: rule }) => [
      question,
      probability,
      from?.step,
      from?.threshold,
      from?.past_share,
      rule !== null,
    ]),
  );
  for (const fields of [{ thresholds: [] }, { steps: [0] }, { steps: [99] }, { thresholds: [1e16] }, { op: 'eq' }]) {
    const { code } = await caller.request('POST', `${FROM}/preview`, { ...body, ...fields });
    assert.equal(code, 'INVALID_REQUEST', JSON.stringify(fields));
  }
});

test('gives consistent probabilities for the four operators', async () => {
  const { '0.25': threshold = 0 } = view.predictions[2]?.quantiles ?? {};
  const probabilities: Record<string, number> = {};
  for (const op of ['gt', 'gte', 'lt', 'lte']) {
    const { data } = await caller.request<Created>('POST', FROM, {
      forecast_id: forecastId,
      thresholds: [threshold],
      op,
    });
    probabilities[op] = Number(data.forecasts[0]?.probability.toFixed(9));
  }
  assert.deepEqual(probabilities, { gt: 0.75, gte: 0.75, lt: 0.25, lte: 0.25 });
});

test('refuses invalid questions with the name of the field and stores nothing', async () => {
  const before = await readComparableRows(service.database);
  const cases = [
    [{}, /thresholds: give at least one/],
    [{ thresholds: [1], steps: [4] }, /steps: 4 is beyond the horizon of the forecast, which is 3/],
    [{ thresholds: Array.from({ length: 60 }, (_, i) => i), steps: [1, 2] }, /120 questions. The limit is 100/],
    [{ thresholds: [1], visibility: 'workspace' }, /visibility/],
  ] as const;
  for (const [fields, message] of cases) {
    const { status, body } = await caller.request('POST', FROM, { forecast_id: forecastId, ...fields });
    assert.equal(status, 400);
    assert.match(body, message);
  }
  assert.deepEqual(await readComparableRows(service.database), before);
});

test('resolves questions about bundled bars by rule after the outcome', async () => {
  const { database, forecasts: jobs } = service;
  const clock = movableClock('2015-06-01T12:00:00.000Z');
  const { sources } = openData({ database, clock, log, providers: [], adapters: [], licenses: ALL_LICENSES });
  const scout: ScoutContext = { database, clock, sources, stamps: NO_STAMPS, cursorKey: jobs.cursorKey };
  const account = {
    ...principalOf(await makeAccount(service.identity, { password: null })),
    plan: 'enterprise',
  } as const;
  const request = {
    source: { type: 'market', symbol: '^GSPC', timeframe: '1D' },
    horizon: 5,
    limit: 120,
    models: ['theta', 'ets'],
  };
  const options = { idempotencyKey: null, network: null };
  const id = await createForecast({ ...jobs, clock, sources }, account, ForecastRequestBody.parse(request), options);
  await runAttempt(service, await activateJob(database, id), forecastRandomWalk);
  const body = FromForecastBody.parse({ forecast_id: id, changes_pct: [-5, -2, 0, 2, 5], steps: [1, 5] });
  const events = await createFromForecast(scout, account, body);
  const first = events[0];
  assert.equal(events.length, 10);
  assert.match(first?.question ?? '', /^Will \^GSPC close above [0-9,.]+ on 2015-06-01\?$/);
  assert.deepEqual(first?.entity_ticker, '^GSPC');
  assert.deepEqual(first?.input_cutoff_at.toISOString(), '2015-05-29T20:00:00.000Z', 'the close of the last session');
  assert.equal(await checkDueEvents(scout, { log }), 0, 'no question is due yet');
  clock.advance(Date.parse('2015-06-05T20:00:00Z') - clock.now().getTime());
  assert.equal(await checkDueEvents(scout, { log }), 10);
  const { table } = await sources.of(request.source as never).read(request.source as never, { limit: 5 });
  const closes = [...(table.columns.close ?? [])];
  const resolved = await Promise.all(events.map(({ id: event }) => readEventRow(database, event)));
  for (const { status, origin } of resolved) {
    const value = closes[(origin?.step ?? 0) - 1] as number;
    assert.equal(status, value > (origin?.threshold ?? 0) ? 'resolved_yes' : 'resolved_no');
  }
  assert.equal(new Set(resolved.map(({ status }) => status)).size, 2);
});
