import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyProof } from '../../src/provenance/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import { completeForecast } from '../support/forecasts/completed-forecasts.ts';
import {
  type Caller,
  create,
  dailyPoints,
  EMPTY_FOLDER,
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

interface Estimate {
  readonly credits: number;
  readonly folds: number;
  readonly models: string[];
  readonly not_fitted_models?: string[];
  readonly warnings: string[];
}

interface Forecast {
  readonly status: string;
  readonly progress: { readonly total_models: number };
  readonly settings: Record<string, unknown> & { readonly models: string[] };
  readonly weighting: {
    readonly status: string;
    readonly reason: string | null;
    readonly folds: { readonly losses: object }[];
    readonly weights_by_quantile: object;
    readonly prior_weights: object;
    readonly calibration: { readonly rows: number };
  };
  readonly historical_validation: { readonly status: string; readonly requested_models: string[] };
  readonly members: { readonly model: string; readonly status: string; readonly reason: string | null }[];
  readonly effective_weights_by_quantile: Record<string, Record<string, number>>;
  readonly comparison: { readonly outcome: string } | null;
}

/** The caller chooses where the rows end, so that no estimate warns of old rows. */
const CUTOFF = '2200-01-01T00:00:00Z';
const UNAVAILABLE =
  'models: toto is unavailable on this service, so the fast mode runs without it. Send the mode full, or continue with theta, seasonal_naive.';
const FAST = ['theta', 'seasonal_naive'];

describe(`the models that a forecast fits if it names none [${testedKind}]`, () => {
  let service: ForecastService;
  before(async () => {
    service = await openForecastService(testedKind, { dataFolder: EMPTY_FOLDER, bundled: EMPTY_FOLDER });
  });
  after(() => service?.[Symbol.asyncDispose]());

  const rowsOf = (count: number) => ({ source: { type: 'inline', points: dailyPoints(count) } });
  const unnamed = (fields: object) => inlineRequest({ models: undefined, ...fields });
  const estimate = async ({ request }: Caller, fields: object) => {
    const { data, status, body } = await request<Estimate>('POST', `${FORECASTS}/estimate`, unnamed(fields));
    assert.equal(status, 200, body);
    return data;
  };
  const reservedBy = async ({ request }: Caller) =>
    (await request<{ credits: { reserved: number } }>('GET', '/v1/me/usage')).data.credits.reserved;
  const read = async ({ request }: Caller, id: string) => (await request<Forecast>('GET', `${FORECASTS}/${id}`)).data;
  /** Creates a forecast, checks that it reserves what the estimate states, and computes it. */
  const complete = async (caller: Caller, fields: object, estimated: Estimate, at = service) => {
    const { data, body } = await create(caller, { models: undefined, ...fields });
    assert.ok(data, body);
    assert.equal(await reservedBy(caller), estimated.credits);
    await completeForecast(at, data.forecast_id);
    return { id: data.forecast_id, forecast: await read(caller, data.forecast_id) };
  };
  /** Reproduces a forecast. Returns the copy, which must have the same settings and result. */
  const reproduce = async (caller: Caller, id: string, at = service) => {
    const { data } = await caller.request<Started>('POST', `${FORECASTS}/${id}/reproduce`);
    await completeForecast(at, data.forecast_id);
    const copy = await read(caller, data.forecast_id);
    assert.equal(copy.comparison?.outcome, 'exact');
    return copy;
  };
  const assertProven = async ({ request }: Caller, id: string, settings: object) => {
    const { data } = await request<{ document: { settings: object } }>('GET', `${FORECASTS}/${id}/proof`);
    assert.deepEqual(data.document.settings, settings);
    const { valid, problems, unknown_fields: unknown } = verifyProof(JSON.stringify(data));
    assert.deepEqual([valid, problems, unknown], [true, [], []]);
  };

  test('in fast mode: its models without folds, for two credits each, and the same when it is reproduced', async () => {
    const caller = await service.account();
    const estimated = await estimate(caller, { mode: 'fast', cutoff: CUTOFF });
    assert.deepEqual([estimated.credits, estimated.folds, estimated.models], [4, 0, FAST]);
    assert.deepEqual([estimated.warnings, estimated.not_fitted_models], [[UNAVAILABLE], undefined]);
    assert.equal((await estimate(caller, { mode: 'fast', ...rowsOf(2_500) })).credits, 2 * 2 * 3);

    const { id, forecast } = await complete(caller, { mode: 'fast', cutoff: CUTOFF }, estimated);
    const { settings, weighting, historical_validation: validation } = forecast;
    assert.deepEqual([settings.mode, settings.models, settings.unavailable_models], ['fast', FAST, ['toto']]);
    assert.deepEqual([weighting.status, weighting.reason, weighting.folds], ['fallback', 'fast_mode', []]);
    assert.deepEqual(weighting.weights_by_quantile, weighting.prior_weights);
    assert.deepEqual([weighting.calibration.rows, validation.status], [0, 'completed']);
    await assertProven(caller, id, settings);
    const copy = await reproduce(caller, id);
    assert.deepEqual([copy.settings, copy.weighting], [settings, weighting]);
  });

  test('in fast mode, an estimate warns only of what the mode does not bring with it', async () => {
    const caller = await service.account();
    const warningsOf = async (fields: object) => (await estimate(caller, { cutoff: CUTOFF, ...fields })).warnings;
    assert.deepEqual(await warningsOf({ mode: 'fast', horizon: 30 }), [UNAVAILABLE]);
    assert.deepEqual(await warningsOf({ mode: 'fast', limit: 6 }), [
      UNAVAILABLE,
      'source: 6 rows are too few to measure the error on the past. Send more rows.',
    ]);
    assert.match((await warningsOf({ mode: 'full', limit: 6 }))[1] ?? '', /^weight_mode: 6 rows are too few/);
  });

  test('full is the default: it is not in the settings, and a request that names it is the same request', async () => {
    const caller = await service.account();
    const send = requestAs(service.app, { ...caller.credentials, 'idempotency-key': 'mode' });
    const first = await send<Started>('POST', FORECASTS, unnamed({}));
    const named = await send<Started>('POST', FORECASTS, unnamed({ mode: 'full' }));
    assert.deepEqual([named.status, named.body], [202, first.body]);
    assert.equal((await send('POST', FORECASTS, unnamed({ mode: 'fast' }))).code, 'IDEMPOTENCY_MISMATCH');
    const { settings } = await read(caller, first.data.forecast_id);
    assert.ok(!('mode' in settings) && !('not_fitted_models' in settings));
  });

  test('in full mode: the models that help at the frequency; other members of the default ensemble cost nothing', async () => {
    await using withToto = await openForecastService(testedKind);
    const caller = await withToto.account();
    const fields = { ...rowsOf(120), cutoff: CUTOFF };
    const estimated = await estimate(caller, fields);
    const [models, notFitted] = [
      ['toto', 'arima', 'seasonal_naive', 'mstl'],
      ['prophet', 'ets', 'theta'],
    ];
    assert.deepEqual([estimated.models, estimated.not_fitted_models], [models, notFitted]);
    assert.equal(estimated.credits, models.length * (estimated.folds + 2));

    const { id, forecast } = await complete(caller, fields, estimated, withToto);
    const { settings, weighting, members } = forecast;
    assert.deepEqual([settings.models, settings.not_fitted_models], [models, notFitted]);
    assert.equal(forecast.progress.total_models, models.length);
    assert.deepEqual(
      members.filter(({ status }) => status !== 'completed'),
      notFitted.map((model) => ({
        model,
        status: 'left_out',
        reason: 'not_fitted_here',
        error: null,
        checkpoint: '',
        predictions: [],
      })),
    );
    assert.deepEqual(Object.keys(forecast.effective_weights_by_quantile['0.5'] ?? {}), models);
    assert.deepEqual(Object.keys(weighting.folds[0]?.losses ?? {}), models);
    assert.deepEqual(forecast.historical_validation.requested_models, models);
    await assertProven(caller, id, settings);
    const copy = await reproduce(caller, id, withToto);
    assert.deepEqual([copy.settings, copy.members], [settings, members]);
  });

  test('in full mode without toto: each member of the default ensemble', async () => {
    const { models, not_fitted_models: notFitted } = await estimate(await service.account(), rowsOf(120));
    assert.deepEqual([models, notFitted], [['prophet', 'ets', 'theta', 'arima'], undefined]);
  });

  test('a model that is named, or weighted manually, is fitted on every series', async () => {
    const caller = await service.account();
    for (const fields of [
      { models: ['theta', 'arima'] },
      { weight_mode: 'manual', weights: { theta: 1, arima: 1 } },
      { weight_mode: 'manual' },
    ]) {
      const { models, not_fitted_models: notFitted } = await estimate(caller, { ...rowsOf(401), ...fields });
      assert.ok(models.includes('arima'), JSON.stringify(fields));
      assert.equal(notFitted, undefined);
    }
  });
});
