import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openData } from '../../src/compose/index.ts';
import { startEngine } from '../../src/compute/index.ts';
import { ForecastRequestBody, FromForecastBody } from '../../src/contract/index.ts';
import { createForecast } from '../../src/forecasts/index.ts';
import { createLog } from '../../src/platform/index.ts';
import { readEventRow } from '../../src/scout/events/lock-event.ts';
import {
  checkDueEvents,
  createFromForecast,
  resolveEvent,
  reviseEvent,
  type ScoutContext,
} from '../../src/scout/index.ts';
import {
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
  type Person,
} from '../support/forecasts/forecast-service.ts';
import { runByHand, takeJob, trueResult } from '../support/forecasts/run-by-hand.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { movableClock } from '../support/identity/identity.ts';
import { testedKind } from '../support/platform/database.ts';
import { EVENTS, type EventView, leadAhead } from '../support/scout/events.ts';
import { restingRows } from '../support/snapshots/rows.ts';
import { principalOf } from '../support/workspaces/workspaces.ts';

const FROM = '/v1/scout/from-forecast';
const log = createLog('silent');

type Made = { forecasts: EventView[] };

let service: ForecastService;
let person: Person;
/** Completed; its days have passed, unless they are moved. */
let forecastId: string;
let predictions: { timestamp: string; quantiles: Record<string, number> }[];

before(async () => {
  service = await openForecastService(testedKind);
  person = await service.account('enterprise');
  forecastId = (await create(person, { title: 'Sales of umbrellas' })).data.forecast_id;
  const result = await trueResult();
  await runByHand(service, await takeJob(service.database, forecastId), async () => result);
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
});

test('a question about the past is none, and a forecast that is under way has no probabilities', async () => {
  const past = await person.ask('POST', FROM, { forecast_id: forecastId, thresholds: [120] });
  assert.deepEqual([past.status, past.code], [422, 'UNPROCESSABLE']);
  assert.match(past.body, /step 3 ended at 2024-02-13.*almanac scout replay/);
  const { data } = await create(person);
  const early = await person.ask('POST', FROM, { forecast_id: data.forecast_id, thresholds: [120] });
  assert.deepEqual([early.status, early.code], [409, 'NOT_COMPLETED']);
  assert.equal((await person.ask('POST', FROM, { forecast_id: 'ef_nobodys', thresholds: [120] })).code, 'NOT_FOUND');
});

test('thresholds at steps become questions whose probabilities are read from the quantiles, linked both ways', async () => {
  await leadAhead(service.database, forecastId);
  const view = (
    await person.ask<{ predictions: typeof predictions; questions_url: string; slug: string }>(
      'GET',
      `${FORECASTS}/${forecastId}`,
    )
  ).data;
  predictions = view.predictions;
  const [, second] = predictions;
  const { '0.5': median = 0, '0.9': high = 0 } = second?.quantiles ?? {};
  const body = { forecast_id: view.slug, thresholds: [median, high, 1e6, -1e6, high], steps: [2, 3] };
  const { status, data } = await person.ask<Made>('POST', FROM, body);
  assert.equal(status, 201);
  assert.equal(data.forecasts.length, 8, 'each threshold at each step, once');
  const at = (step: number) => data.forecasts.filter(({ source_forecast }) => source_forecast?.step === step);
  assert.deepEqual(
    at(2).map(({ probability }) => Number(probability.toFixed(9))),
    [1, 0.5, 0.1, 0],
  );
  for (const step of [2, 3]) {
    const said = at(step).map(({ probability }) => probability);
    assert.deepEqual(
      [...said].sort((a, b) => b - a),
      said,
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
  assert.equal(Date.parse(event?.resolution_deadline ?? '') - Date.parse(second?.timestamp ?? ''), 8 * 86_400_000);

  const listed = await person.ask<Made>('GET', `${view.questions_url.replace(/^\/api/, '')}&limit=100`);
  const ids = ({ forecasts }: Made) => forecasts.map(({ forecast_id }) => forecast_id).sort();
  assert.deepEqual(ids(listed.data), ids(data));
  const stranger = await service.account();
  assert.deepEqual((await stranger.ask<Made>('GET', `${EVENTS}?source_forecast_id=${forecastId}`)).data.forecasts, []);
});

test('questions without a rule, too, are closed when their period ends', async () => {
  const { database, jobs } = service;
  const [first] = predictions;
  const end = Date.parse(first?.timestamp ?? '') + 86_400_000;
  const clock = movableClock(new Date().toISOString());
  const { sources } = openData({ database, clock, log, providers: [] });
  const scout: ScoutContext = { database, clock, sources, cursorKey: jobs.cursorKey };
  const { data } = await person.ask<Made>('POST', FROM, { forecast_id: forecastId, thresholds: [1], steps: [1] });
  const id = data.forecasts[0]?.forecast_id ?? '';
  const row = await readEventRow(database, id);
  assert.deepEqual([row.resolution_rule, row.next_check_at, row.observed_until?.getTime()], [null, null, end]);
  const author = principalOf({ id: row.author_account_id, email: 'author@example.org' });
  const revise = (probability: number) =>
    reviseEvent(scout, author, id, { probability, input_cutoff_at: clock.now().toISOString() });
  clock.advance(end - 1 - clock.now().getTime());
  await revise(0.25);
  clock.advance(1);
  await assert.rejects(revise(0.999), { code: 'CONFLICT', message: /outcome is decided/ });
  assert.equal(await checkDueEvents(scout, { log }), 0, 'there is nothing to check it by');
  const resolved = await resolveEvent(scout, author, id, {
    outcome: 'yes',
    actual_outcome: 'It was.',
    resolution_source: 'The books',
  });
  assert.deepEqual([resolved.scored_revision, resolved.scored_probability], [2, 0.25]);
  assert.equal(resolved.outcome_known_at?.getTime(), end);
});

test('the four comparisons of one threshold agree', async () => {
  const { '0.25': threshold = 0 } = predictions[2]?.quantiles ?? {};
  const said: Record<string, number> = {};
  for (const op of ['gt', 'gte', 'lt', 'lte']) {
    const { data } = await person.ask<Made>('POST', FROM, { forecast_id: forecastId, thresholds: [threshold], op });
    said[op] = Number(data.forecasts[0]?.probability.toFixed(9));
  }
  assert.deepEqual(said, { gt: 0.75, gte: 0.75, lt: 0.25, lte: 0.25 });
});

test('what cannot be asked is refused by name, and nothing is made', async () => {
  const before = await restingRows(service.database);
  const cases = [
    [{}, /thresholds: name at least one/],
    [{ thresholds: [1], steps: [4] }, /steps: the forecast has 3, not 4/],
    [{ thresholds: Array.from({ length: 60 }, (_, i) => i), steps: [1, 2] }, /120 questions; 100 at most/],
    [{ thresholds: [1], visibility: 'workspace' }, /visibility/],
  ] as const;
  for (const [fields, message] of cases) {
    const { status, body } = await person.ask('POST', FROM, { forecast_id: forecastId, ...fields });
    assert.equal(status, 400);
    assert.match(body, message);
  }
  assert.deepEqual(await restingRows(service.database), before);
});

test('from real history: asked before the outcome, resolved by rule after it', async () => {
  const { database, jobs } = service;
  const clock = movableClock('2015-06-01T12:00:00.000Z');
  const { sources } = openData({ database, clock, log, providers: [] });
  const scout: ScoutContext = { database, clock, sources, cursorKey: jobs.cursorKey };
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
  const engine = await startEngine({ threads: 1 });
  try {
    await runByHand(service, await takeJob(database, id), (...run) => engine.forecast(...run));
  } finally {
    await engine.close();
  }
  const body = FromForecastBody.parse({ forecast_id: id, changes_pct: [-5, -2, 0, 2, 5], steps: [1, 5] });
  const events = await createFromForecast(scout, account, body);
  const first = events[0];
  assert.equal(events.length, 10);
  assert.match(first?.question ?? '', /^Will \^GSPC close above [0-9,.]+ on 2015-06-01\?$/);
  assert.deepEqual(first?.entity_ticker, '^GSPC');
  assert.deepEqual(first?.input_cutoff_at.toISOString(), '2015-05-29T20:00:00.000Z', 'the close of the last session');
  assert.equal(await checkDueEvents(scout, { log }), 0, 'all of it lies ahead');
  clock.advance(Date.parse('2015-06-05T20:00:00Z') - clock.now().getTime());
  assert.equal(await checkDueEvents(scout, { log }), 10);
  const { rows } = await sources
    .of(request.source as never)
    .read(request.source as never, { limit: 5 })
    .then(({ table }) => ({ rows: [...(table.columns.close ?? [])] }));
  const resolved = await Promise.all(events.map(({ id: event }) => readEventRow(database, event)));
  for (const { status, origin } of resolved) {
    const value = rows[(origin?.step ?? 0) - 1] as number;
    assert.equal(status, value > (origin?.threshold ?? 0) ? 'resolved_yes' : 'resolved_no');
  }
  assert.equal(new Set(resolved.map(({ status }) => status)).size, 2);
});
