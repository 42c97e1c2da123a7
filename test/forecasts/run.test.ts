import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { futureTimestamps } from '../../src/calendar/index.ts';
import { ForecastRequestBody } from '../../src/contract/index.ts';
import { checkLedger, createForecast, isLedgerSound, OUTCOME_QUEUE } from '../../src/forecasts/index.ts';
import type { ForecastView } from '../../src/forecasts/view-forecast.ts';
import { verifyProof } from '../../src/provenance/index.ts';
import type { SeriesSource } from '../../src/snapshots/index.ts';
import {
  type Caller,
  create,
  dailyPoints,
  FORECASTS,
  type ForecastService,
  openForecastService,
  type Started,
  waitFor,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

const AFTER_COMPLETION = ['weighting', 'historical_validation', 'effective_weights_by_quantile', 'members', 'season'];

const kind = testedKind;
describe(`running a forecast [${kind}]`, () => {
  let service: ForecastService;
  let caller: Caller;
  let completed: ForecastView;

  before(async () => {
    service = await openForecastService(kind, { worker: true });
    caller = await service.account('enterprise');
    completed = await waitForEnd(await createOne({ title: 'First', quantiles: [0.9, 0.5, 0.025], seed: 7 }));
  });
  after(async () => {
    try {
      const { data } = await caller.request<Page>('GET', `${FORECASTS}?status=running`);
      assert.deepEqual(data.forecasts, []);
      const report = await checkLedger(service.database);
      assert.ok(isLedgerSound(report), JSON.stringify(report));
    } finally {
      await service?.[Symbol.asyncDispose]();
    }
  });

  const read = async (id: string, reader = caller) =>
    (await reader.request<ForecastView>('GET', `${FORECASTS}/${id}`)).data;
  const waitForEnd = (id: string, reader = caller) =>
    waitFor(
      () => read(id, reader),
      ({ status }) => status === 'completed' || status === 'failed',
    );
  const createOne = async (fields: object = {}, creator = caller): Promise<string> => {
    const { status, data, body } = await create(creator, fields);
    assert.equal(status, 202, body);
    return data.forecast_id;
  };

  test('records its states and its progress in order', async () => {
    assert.equal(completed.status, 'completed', JSON.stringify(completed.error));
    const url = `/api${FORECASTS}/${completed.forecast_id}/events`;
    const text = await service.app.inject({ url, headers: caller.credentials });
    const events = eventsOf(text.body);
    assert.deepEqual(
      events.map(({ id: number }) => number),
      events.map((_, i) => i + 1),
    );
    const kinds = events.map((event) => event.kind);
    assert.equal(kinds[0], 'queued');
    assert.equal(kinds.at(-1), 'completed');
    assert.ok(kinds.slice(1, -1).every((middle) => middle === 'progress') && kinds.length > 2, kinds.join());
    const steps = events.map(({ data }) => data.progress);
    const done = steps.map(({ completed_models }) => completed_models);
    assert.deepEqual(done, done.toSorted(), 'progress never decreases');
    assert.ok(steps.every(({ total_models }) => total_models === 2));
    assert.deepEqual(steps.at(-1), { completed_models: 2, total_models: 2, current_model: null });
  });

  test('shows every part of a completed forecast, with ascending quantiles', async () => {
    for (const part of AFTER_COMPLETION) assert.ok(part in completed, part);
    assert.ok(!('error' in completed));
    assert.equal(completed.predictions.length, 3);
    assert.deepEqual(completed.progress, { completed_models: 2, total_models: 2, current_model: null });
    assert.deepEqual(
      completed.predictions.map(({ timestamp }) => timestamp.slice(0, 10)),
      ['2024-02-10', '2024-02-11', '2024-02-12'],
    );
    const { body } = await service.app.inject({
      url: `/api${FORECASTS}/${completed.forecast_id}`,
      headers: caller.credentials,
    });
    const written = [...body.matchAll(/"quantiles":\{([^}]*)\}/g)].map(([, inside]) =>
      [...(inside ?? '').matchAll(/"([\d.]+)":/g)].map(([, key]) => key),
    );
    assert.ok(written.length >= 3);
    for (const keys of written) assert.deepEqual(keys, ['0.025', '0.5', '0.9']);
    const shares = Object.values(completed.effective_weights_by_quantile ?? {});
    assert.equal(shares.length, 3);
    for (const share of shares) {
      const sum = Object.values(share).reduce((total, weight) => total + weight, 0);
      assert.ok(Math.abs(sum - 1) < 1e-9, `${sum}`);
    }
    assert.partialDeepStrictEqual(completed.provenance, { status: 'unavailable' });
  });

  test('the worker collects the outcome of a forecast with a past cutoff, and replays it', async () => {
    const source = { type: 'market', symbol: '^GSPC', timeframe: '1D' };
    const id = await createOne({ source, cutoff: '2015-06-05T21:00:00Z', limit: 40, models: ['theta'] });
    await waitForEnd(id);
    await service.queue.enqueue(service.database, OUTCOME_QUEUE.name, {});
    const { data } = await waitFor(
      () => caller.request<{ status: string; count: number; rows: object[] }>('GET', `${FORECASTS}/${id}/outcome`),
      (reply) => reply.data.status !== 'waiting',
    );
    assert.deepEqual([data.status, data.count, data.rows.length], ['complete', 0, 3]);
    assert.partialDeepStrictEqual(data.rows[0], { timestamp: '2015-06-08T00:00:00.000Z', replayed: true });
  });

  test('predicts no closed hours of a currency', async () => {
    const cadence = { frequency: '1h', kind: 'currency' } as const;
    // Ends with the hour before Friday's close at 22:00Z. Clocks go forward on the weekend.
    const hours = futureTimestamps(cadence, Date.parse('2024-03-04T21:00Z'), 96);
    const columns = { close: hours.map((_, i) => 1.1 + Math.sin(i) / 100) };
    const bars = service.forecasts.sources.of({ type: 'market', symbol: 'AAPL', timeframe: '1D' });
    const pair: SeriesSource = {
      ...bars,
      read: async () => ({
        table: { timestamps: hours, columns },
        cadence,
        valueField: 'close',
        provider: 'dukascopy',
        about: { source: { type: 'market', symbol: 'EURUSD', timeframe: '1h' }, title: 'Euro', frequency: '1h' },
      }),
    };
    const sources = { ...service.forecasts.sources, of: () => pair };
    const source = { type: 'market', symbol: 'EURUSD', timeframe: '1h' };
    const request = ForecastRequestBody.parse({ source, horizon: 3, models: ['theta'] });
    const account = { kind: 'account', accountId: caller.accountId, plan: 'enterprise' } as Parameters<
      typeof createForecast
    >[1];
    const options = { idempotencyKey: null, network: null };
    const view = await waitForEnd(await createForecast({ ...service.forecasts, sources }, account, request, options));
    assert.equal(view.status, 'completed', JSON.stringify(view.error));
    assert.partialDeepStrictEqual(view.settings, { series_kind: 'currency', hours: null });
    assert.deepEqual(
      view.predictions.map(({ timestamp }) => timestamp.slice(0, 16)),
      ['2024-03-10T21:00', '2024-03-10T22:00', '2024-03-10T23:00'],
    );
  });

  test('shows no predictions and no result before completion', async () => {
    // Long enough to be read before it ends.
    const id = await createOne(LONG);
    const early = await read(id);
    assert.ok(['queued', 'running'].includes(early.status));
    assert.deepEqual(early.predictions, []);
    for (const part of [...AFTER_COMPLETION, 'error']) assert.ok(!(part in early), part);
    assert.deepEqual([early.finished_at, early.provenance, early.fingerprint], [null, null, null]);
    for (const path of ['export', 'export?format=json', 'proof']) {
      const { status, code } = await caller.request('GET', `${FORECASTS}/${id}/${path}`);
      assert.deepEqual([status, code], [409, 'NOT_COMPLETED'], path);
    }
    assert.equal((await cancel(id)).data.worker_cancellation, 'requested');
  });

  const cancel = (id: string, sender = caller) =>
    sender.request<ForecastView & { worker_cancellation: string }>('POST', `${FORECASTS}/${id}/cancel`);

  test('a worker starts the next forecast after the running one is canceled', async () => {
    const id = await createOne(LONG);
    await waitFor(
      () => read(id),
      ({ progress }) => typeof progress?.current_model === 'string',
    );
    const { data } = await cancel(id);
    assert.deepEqual([data.status, data.worker_cancellation], ['failed', 'requested']);
    assert.equal(data.progress?.current_model, null);
    assert.partialDeepStrictEqual(data.error, { code: 'FORECAST_CANCELED', retryable: false });
    const next = await createOne();
    await waitFor(
      () => read(next),
      ({ started_at }) => started_at !== null,
    );
    assert.equal((await waitForEnd(next)).status, 'completed');
    const after = await read(id);
    assert.deepEqual([after.status, after.error?.code, after.predictions], ['failed', 'FORECAST_CANCELED', []]);
  });

  test('a queued forecast that is canceled never runs, and repeated cancellations are safe', async () => {
    const running = await Promise.all(Array.from({ length: 3 }, () => createOne(LONG)));
    const queued = await createOne();
    const first = await cancel(queued);
    assert.deepEqual([first.data.status, first.data.started_at], ['failed', null]);
    const second = await cancel(queued);
    assert.deepEqual([second.status, second.body], [200, first.body]);
    assert.equal(second.data.worker_cancellation, 'requested');
    for (const id of running) await cancel(id);
    assert.equal((await read(queued)).started_at, null);
  });

  test('canceling a completed forecast does not change it', async () => {
    const { data } = await cancel(completed.slug);
    const { worker_cancellation, ...view } = data;
    assert.equal(worker_cancellation, 'not_needed');
    assert.deepEqual(view, completed);
  });

  test('reproduces a completed forecast exactly and does not change the original', async () => {
    const { status, data } = await caller.request<Started>('POST', `${FORECASTS}/${completed.forecast_id}/reproduce`);
    assert.equal(status, 202);
    assert.deepEqual(
      [data.status, data.progress],
      ['queued', { completed_models: 0, total_models: 2, current_model: null }],
    );
    assert.notEqual(data.forecast_id, completed.forecast_id);
    const again = await waitForEnd(data.forecast_id);
    assert.deepEqual(again.comparison, { outcome: 'exact', largest_difference: 0 });
    assert.equal(again.reproduces, completed.forecast_id);
    assert.deepEqual(again.predictions, completed.predictions);
    assert.deepEqual(again.snapshot, completed.snapshot);
    assert.deepEqual(await read(completed.forecast_id), completed);
  });

  test('reproduces failed and unfinished forecasts', async () => {
    const id = await createOne(LONG);
    const whileUnfinished = await caller.request<Started>('POST', `${FORECASTS}/${id}/reproduce`);
    assert.equal(whileUnfinished.status, 202);
    await cancel(whileUnfinished.data.forecast_id);
    await cancel(id);
    // A worker can complete a small forecast before it is canceled.
    let small = await createOne();
    while ((await cancel(small)).data.status === 'completed') small = await createOne();
    const { data } = await caller.request<Started>('POST', `${FORECASTS}/${small}/reproduce`);
    const again = await waitForEnd(data.forecast_id);
    assert.deepEqual([again.status, again.comparison], ['completed', null]);
  });

  test('exports predictions as CSV and the forecast as JSON', async () => {
    const get = (format: string) =>
      service.app.inject({
        url: `/api${FORECASTS}/${completed.slug}/export?format=${format}`,
        headers: caller.credentials,
      });
    const csv = await get('csv');
    assert.match(String(csv.headers['content-disposition']), /^attachment; filename="first-[0-9a-f]{8}\.csv"/);
    const lines = csv.body.trimEnd().split('\r\n');
    assert.equal(lines[0], 'timestamp,0.025,0.5,0.9');
    assert.deepEqual(
      lines.slice(1),
      completed.predictions.map(({ timestamp, quantiles }) => [timestamp, ...Object.values(quantiles)].join(',')),
    );
    const json = await get('json');
    assert.match(String(json.headers['content-disposition']), /^attachment; filename="first-[0-9a-f]{8}\.json"$/);
    assert.deepEqual(json.json().data, completed);
  });

  test('returns a proof that verifies with the forecast’s content id', async () => {
    const { body, data } = await caller.request<{ content_cid: string }>('GET', `${FORECASTS}/${completed.slug}/proof`);
    const verdict = verifyProof(body);
    assert.deepEqual([verdict.valid, verdict.problems, verdict.content_cid], [true, [], data.content_cid]);
    assert.partialDeepStrictEqual(completed.provenance, { content_cid: data.content_cid });
  });

  test('lists forecasts in pages, newest first, and by status', async () => {
    const owner = await service.account('enterprise');
    const created = [await createOne({}, owner), await createOne({}, owner), await createOne({}, owner)];
    for (const id of created) await waitForEnd(id, owner);
    const canceled = await createOne(LONG, owner);
    await cancel(canceled, owner);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = `limit=3${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const { data } = await owner.request<Page>('GET', `${FORECASTS}?${query}`);
      assert.ok(data.forecasts.length <= 3);
      seen.push(...data.forecasts.map(({ forecast_id }) => forecast_id));
      cursor = data.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, [canceled, ...created.toReversed()]);
    const byStatus = async (status: string) =>
      (await owner.request<Page>('GET', `${FORECASTS}?status=${status}&limit=100`)).data.forecasts;
    const failed = await byStatus('failed');
    const done = await byStatus('completed');
    assert.ok(failed.length > 0 && failed.every(({ status }) => status === 'failed'));
    assert.ok(done.length > 0 && done.every(({ status }) => status === 'completed'));
    assert.equal(failed.length + done.length, seen.length);
    const { data } = await owner.request<Page>('GET', `${FORECASTS}?limit=3`);
    const mixed = await owner.request('GET', `${FORECASTS}?limit=3&status=failed&cursor=${data.next_cursor}`);
    assert.equal(mixed.code, 'INVALID_REQUEST', 'a cursor is valid only with its filters');
  });

  test('a private forecast does not exist for other callers', async () => {
    for (const stranger of [await service.account(), await service.guest()]) {
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/events'],
        ['GET', '/export'],
        ['GET', '/proof'],
        ['POST', '/cancel'],
        ['POST', '/reproduce'],
      ] as const) {
        const missing = await stranger.request(method, `${FORECASTS}/ef_00000000000000000000000000${path}`);
        for (const name of [completed.forecast_id, completed.slug]) {
          const hidden = await stranger.request(method, `${FORECASTS}/${name}${path}`);
          assert.deepEqual([hidden.status, hidden.body], [404, missing.body], `${method} ${path}`);
        }
      }
      assert.deepEqual((await stranger.request<Page>('GET', FORECASTS)).data.forecasts, []);
    }
  });

  test('other callers can read a public forecast but not cancel it', async () => {
    const stranger = await service.guest();
    const id = await createOne({ visibility: 'public' });
    const refused = await cancel(id, stranger);
    assert.deepEqual([refused.status, refused.code], [403, 'OWNERSHIP_REQUIRED']);
    assert.equal((await waitForEnd(id, stranger)).status, 'completed');
    assert.equal((await stranger.request('GET', `${FORECASTS}/${id}/proof`)).status, 200);
  });
});

interface Page {
  readonly forecasts: ForecastView[];
  readonly next_cursor: string | null;
}

/** Takes so long that it can be canceled before it ends. Its models end a fit that was canceled, so no thread is replaced. */
const LONG = {
  source: { type: 'inline', points: dailyPoints(3_000, Date.UTC(2010, 0, 1)) },
  horizon: 30,
  models: ['arima', 'ets'],
};

interface SentEvent {
  readonly id: number;
  readonly kind: string;
  readonly data: { progress: { completed_models: number; total_models: number; current_model: string | null } };
}

/** Parses server-sent events, without comments and retry lines. */
function eventsOf(text: string): SentEvent[] {
  return text
    .split('\n\n')
    .map((block) => new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line])))
    .filter((fields) => fields.has('id'))
    .map((fields) => {
      const value = (name: string) => (fields.get(name) ?? '').slice(name.length + 1).trim();
      return { id: Number(value('id')), kind: value('event'), data: JSON.parse(value('data')) };
    });
}
