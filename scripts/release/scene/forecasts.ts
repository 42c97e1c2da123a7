import { FORECASTS, waitFor } from '../../../test/support/forecasts/forecast-service.ts';
import type { Scene } from './scene.ts';

const CO2 = { type: 'economic_series', provider: 'bundled', series_id: 'mauna-loa-co2', value_field: 'co2' };
const APPLE = { type: 'market', symbol: 'AAPL', provider: 'bundled', timeframe: '1D' };
const FLIGHTS = {
  ...{ type: 'warehouse_table', table: 'local.flights', time_field: 'date', value_field: 'delay' },
  aggregate: { function: 'mean', frequency: '1D' },
};
const FEW_ROWS = [10, 11, 14].map((value, i) => ({ timestamp: `2024-02-0${i + 1}T00:00:00Z`, value }));
/** The last periods of its forecast are in the future of every release for some decades. */
const ORDERS = [412, 437, 455, 481, 470, 502, 538, 561, 549, 590, 622, 640, 611, 668, 701, 733, 748, 790, 812, 845];
const YEARLY = ORDERS.map((value, i) => ({ timestamp: `${2005 + i}-12-31`, value }));
const HOURLY = Array.from({ length: 60 }, (_, i) => Math.round(1_000 * Math.sin(i / 4) + 50 * (i % 3)) / 10);

/** The request that a test repeats with its idempotency key. */
export const IDEMPOTENT = {
  key: 'the-key-of-the-fixture',
  body: { source: CO2, horizon: 6, limit: 60, visibility: 'public', title: 'CO2, the next half year' },
};

/** Forecasts by the case that each is an example of. Those of a workspace name it when they are sent. */
const REQUESTS: Readonly<Record<string, object>> = {
  every_model: { source: CO2, horizon: 4, limit: 72, weighting_policy: 'rolling_pinball_v1' },
  fast: { source: CO2, horizon: 6, limit: 48, mode: 'fast', seed: 7 },
  failed_member: { source: { type: 'inline', points: FEW_ROWS }, horizon: 2, models: ['seasonal_naive', 'prophet'] },
  all_failed: { source: { type: 'inline', points: FEW_ROWS }, horizon: 2, models: ['prophet'] },
  from_bars: { source: APPLE, horizon: 5, limit: 80, weight_mode: 'manual', weights: { theta: 0.25, ets: 0.75 } },
  from_warehouse: { source: FLIGHTS, horizon: 7, models: ['theta', 'mstl'], transform: 'none' },
  with_cutoff: { source: CO2, horizon: 3, limit: 40, cutoff: 365, models: ['theta'], quantiles: [0.05, 0.5, 0.95] },
  with_outcome: {
    source: { type: 'inline', points: YEARLY },
    horizon: 12,
    models: ['theta'],
    title: 'Orders per year',
  },
  hourly: {
    source: {
      type: 'inline',
      timestamps: HOURLY.map((_, i) => new Date(Date.UTC(2024, 4, 1, i)).toISOString()),
      values: HOURLY,
    },
    ...{
      horizon: 5,
      frequency: '1h',
      models: ['seasonal_naive', 'intermittent'],
      settle_days: 2,
      visibility: 'private',
    },
  },
};

/** Creates forecasts of every kind and every end, and changes some of them. */
export async function createForecasts(scene: Scene): Promise<void> {
  const created = await create(scene, 'completed', IDEMPOTENT.body, { key: IDEMPOTENT.key });
  const models = await listModels(scene);
  for (const [name, request] of Object.entries(REQUESTS)) {
    await create(scene, name, name === 'every_model' ? { ...request, models } : request);
  }
  await create(scene, 'from_file', { ...ofFile(scene), models: ['theta', 'ets'], title: 'Visits per day' });
  await create(scene, 'of_member', { ...ofFile(scene), models: ['seasonal_naive'] }, { caller: 'grace' });
  await create(scene, 'of_guest', { source: CO2, horizon: 2, limit: 30, models: ['theta'] }, { caller: 'guest' });
  // A guest can have one forecast at a time.
  await waitForEnds(scene);
  await create(scene, 'saved', { source: CO2, horizon: 3, limit: 30, models: ['theta'] }, { caller: 'guest' });
  const ofFrank = { source: CO2, horizon: 2, limit: 36, models: ['theta'], visibility: 'public', title: 'What stays' };
  await create(scene, 'without_owner', ofFrank, { caller: 'frank' });
  await cancelOne(scene);
  await waitForEnds(scene);

  const removed = await create(scene, 'removed', REQUESTS.failed_member ?? {});
  const again = await scene.send<{ forecast_id: string }>('ada', 'POST', `${FORECASTS}/${created}/reproduce`);
  scene.forecasts.set('reproduced', { id: again.forecast_id, caller: 'ada' });
  await waitForEnds(scene);
  await scene.send('ada', 'DELETE', `${FORECASTS}/${removed}`);
  scene.forecasts.delete('removed');
  const outcome = { points: YEARLY.slice(-1).map(({ value }) => ({ timestamp: '2025-12-31', value: value + 26 })) };
  await scene.send('ada', 'POST', `${FORECASTS}/${idOf(scene, 'with_outcome')}/outcome`, outcome);
  const title = { title: 'Visits per day, with a new title' };
  await scene.send('ada', 'PATCH', `${FORECASTS}/${idOf(scene, 'from_file')}`, title);
  await saveForecastOfGuest(scene);
}

interface Choice {
  readonly caller?: string;
  /** An idempotency key. */
  readonly key?: string;
}

async function create(scene: Scene, name: string, request: object, { caller = 'ada', key }: Choice = {}) {
  const more = key === undefined ? {} : { 'idempotency-key': key };
  const { forecast_id } = await scene.send<{ forecast_id: string }>(caller, 'POST', FORECASTS, request, more);
  scene.forecasts.set(name, { id: forecast_id, caller });
  return forecast_id;
}

function idOf(scene: Scene, name: string): string {
  return scene.forecasts.get(name)?.id ?? '';
}

function ofFile(scene: Scene): object {
  const workspace_id = scene.id('workspace');
  const columns = { time_field: 'date', value_field: 'visits' };
  return {
    source: { type: 'workspace_csv', workspace_id, csv_id: scene.id('file'), ...columns },
    ...{ horizon: 5, workspace_id },
  };
}

async function listModels(scene: Scene): Promise<string[]> {
  type Models = { readonly models: readonly { readonly id: string; readonly available: boolean }[] };
  const { models } = await scene.send<Models>('ada', 'GET', '/v1/forecast/models');
  return models.filter(({ available }) => available).map(({ id }) => id);
}

/** A forecast of many rows does not end before the request that cancels it. */
async function cancelOne(scene: Scene): Promise<void> {
  const id = await create(scene, 'canceled', { source: { ...APPLE }, horizon: 60, limit: 2_000, title: 'Canceled' });
  await scene.send('ada', 'POST', `${FORECASTS}/${id}/cancel`);
}

/** Forecasts that do not complete. */
const FAILED = ['all_failed', 'canceled'];

async function waitForEnds(scene: Scene): Promise<void> {
  for (const [name, { id, caller }] of scene.forecasts) {
    const { status, error } = await waitFor(
      () => scene.send<{ status: string; error?: object }>(caller, 'GET', `${FORECASTS}/${id}`),
      (forecast) => forecast.status === 'completed' || forecast.status === 'failed',
    );
    if (FAILED.includes(name) !== (status === 'failed'))
      throw new Error(`The forecast ${name} is ${status}: ${JSON.stringify(error)}`);
  }
}

/** Saves a forecast of a guest in the browser where Ada has signed in. */
async function saveForecastOfGuest(scene: Scene): Promise<void> {
  const path = `${FORECASTS}/${idOf(scene, 'saved')}`;
  const prepared = await scene.request('guest', 'POST', `${path}/prepare-save`);
  const [line = ''] = prepared.headers.getSetCookie();
  const cookie = `${scene.headersOf('session').cookie}; ${line.slice(0, line.indexOf(';'))}`;
  await scene.request('session', 'POST', `${path}/save`, { headers: { cookie } });
  scene.forecasts.set('saved', { id: idOf(scene, 'saved'), caller: 'ada' });
}
