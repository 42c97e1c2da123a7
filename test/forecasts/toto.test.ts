import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ForecastRequestBody } from '../../src/contract/index.ts';
import { createForecast } from '../../src/forecasts/index.ts';
import { installGolden } from '../support/compute/golden-checkpoint.ts';
import {
  type Caller,
  create,
  dailyPoints,
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Started,
  waitFor,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

interface FinishedForecast {
  readonly status: string;
  readonly error?: { code: string; message: string };
  readonly settings: { models: string[]; unavailable_models?: string[] };
  readonly checkpoints: Record<string, string>;
  readonly fingerprint: { onnxruntime: string | null };
  readonly comparison: { outcome: string } | null;
  readonly members: { model: string; status: string; checkpoint: string; predictions: unknown[] }[];
  readonly effective_weights_by_quantile: Record<string, Record<string, number>>;
}

interface ListedModel {
  readonly id: string;
  readonly available: boolean;
  readonly checkpoint: { id: string; sha256: string | null; source: string } | null;
}

const DEFAULT = { models: undefined, source: { type: 'inline', points: dailyPoints(24) } };

describe('toto', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'almanac-toto-'));
  let service: ForecastService;
  let caller: Caller;
  before(async () => {
    service = await openForecastService(testedKind, { worker: true, dataFolder, bundled: join(dataFolder, 'none') });
    caller = await service.account('pro');
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  const readListed = async (): Promise<ListedModel | undefined> => {
    const { data } = await caller.request<{ models: ListedModel[] }>('GET', '/v1/forecast/models');
    return data.models.find(({ id }) => id === 'toto');
  };
  const waitForEnd = async (id: string): Promise<FinishedForecast> => {
    const read = async () => (await caller.request<FinishedForecast>('GET', `${FORECASTS}/${id}`)).data;
    return waitFor(read, ({ status }) => status === 'completed' || status === 'failed');
  };
  const run = async (fields: object): Promise<FinishedForecast & { readonly forecast_id: string }> => {
    const { status, data } = await create(caller, fields);
    assert.equal(status, 202);
    return { ...(await waitForEnd(data.forecast_id)), forecast_id: data.forecast_id };
  };
  const remove = (id: string): void => rmSync(join(dataFolder, 'checkpoints', id), { recursive: true });

  test('without a checkpoint it is listed as unavailable, and the default ensemble runs without it', async () => {
    assert.partialDeepStrictEqual(await readListed(), { available: false, checkpoint: null });
    const forecast = await run(DEFAULT);
    assert.equal(forecast.status, 'completed');
    assert.deepEqual(forecast.settings.unavailable_models, ['toto']);
    assert.equal(forecast.settings.models.includes('toto'), false);
    assert.equal(forecast.fingerprint.onnxruntime, null);
    const refused = await create(caller, { models: ['toto'] });
    assert.equal(refused.status, 400);
    assert.match(
      JSON.stringify(refused),
      /models: toto has no usable checkpoint on this service.*almanac models pull toto/,
    );
  });

  test('with a checkpoint it takes part in its quantiles and is reproduced exactly', async () => {
    const id = installGolden(dataFolder);
    assert.partialDeepStrictEqual(await readListed(), { available: true, checkpoint: { id } });
    const forecast = await run({ ...DEFAULT, quantiles: [0.05, 0.1, 0.5, 0.9] });
    assert.equal(forecast.status, 'completed');
    assert.equal(forecast.settings.unavailable_models, undefined);
    assert.equal(forecast.checkpoints.toto, id);
    assert.match(String(forecast.fingerprint.onnxruntime), /^1\./);
    const member = forecast.members.find(({ model }) => model === 'toto');
    assert.partialDeepStrictEqual(member, { checkpoint: id });
    assert.notEqual(member?.status, 'failed');
    assert.equal(member?.predictions.length, 3);
    for (const weights of Object.values(forecast.effective_weights_by_quantile['0.05'] ?? {}))
      assert.ok(Number.isFinite(weights));
    assert.ok(!(forecast.effective_weights_by_quantile['0.05']?.toto ?? 0), 'it has no weight outside 0.1 to 0.9');

    const again = await caller.request<Started>('POST', `${FORECASTS}/${forecast.forecast_id}/reproduce`);
    assert.equal(again.status, 202);
    const second = await waitForEnd(again.data.forecast_id);
    assert.deepEqual([second.status, second.comparison?.outcome], ['completed', 'exact']);
    remove(id);
  });

  test('alone it interpolates quantiles between its own', async () => {
    const id = installGolden(dataFolder);
    const forecast = await run({ models: ['toto'], quantiles: [0.15, 0.5, 0.85] });
    assert.equal(forecast.status, 'completed');
    remove(id);
  });

  test('refuses a quantile that no requested model provides', async () => {
    const id = installGolden(dataFolder);
    const refused = await create(caller, { models: ['toto'], quantiles: [0.05, 0.5] });
    assert.equal(refused.status, 422);
    remove(id);
  });

  test('a forecast keeps its checkpoint when a newer one is installed, and cannot be reproduced without it', async () => {
    const first = installGolden(dataFolder, 'first', new Date('2026-01-01'));
    const forecast = await run({ models: ['toto', 'theta'] });
    const second = installGolden(dataFolder, 'second', new Date('2026-02-01'));
    assert.equal((await run({ models: ['toto', 'theta'] })).checkpoints.toto, second);

    const reproduce = () => caller.request<Started>('POST', `${FORECASTS}/${forecast.forecast_id}/reproduce`);
    const kept = await waitForEnd((await reproduce()).data.forecast_id);
    assert.deepEqual([kept.checkpoints.toto, kept.comparison?.outcome], [first, 'exact']);

    remove(first);
    const refused = await caller.request<{ code: string }>('POST', `${FORECASTS}/${forecast.forecast_id}/reproduce`);
    assert.equal(refused.status, 422);
    assert.match(
      JSON.stringify(refused),
      new RegExp(`CHECKPOINT_UNAVAILABLE.*toto ${first} .*almanac models pull toto`),
    );
    remove(second);
  });

  /** Creates a forecast with the checkpoints that are installed now, and runs `change` before it is queued. */
  const createWhile = async (change: () => Promise<void>): Promise<string> => {
    const known = await service.forecasts.checkpoints.current();
    await change();
    const checkpoints = { ...service.forecasts.checkpoints, current: async () => known };
    const account = { kind: 'account', accountId: caller.accountId, plan: 'pro' } as never;
    const body = ForecastRequestBody.parse(inlineRequest({ models: ['toto', 'theta'] }));
    return createForecast({ ...service.forecasts, checkpoints }, account, body, {
      idempotencyKey: null,
      network: null,
    });
  };

  test('a worker without the files fails the forecast with a code', async () => {
    const id = installGolden(dataFolder, 'gone');
    const failed = await waitForEnd(await createWhile(async () => remove(id)));
    assert.deepEqual([failed.status, failed.error?.code], ['failed', 'CHECKPOINT_UNAVAILABLE']);
    assert.match(String(failed.error?.message), new RegExp(id));
  });

  test('damaged files are skipped, and without others toto is unavailable', async () => {
    const older = installGolden(dataFolder, 'older', new Date('2026-01-01'));
    const newer = installGolden(dataFolder, 'newer', new Date('2026-02-01'));
    writeFileSync(join(dataFolder, 'checkpoints', newer, 'model.safetensors'), 'nothing');
    assert.partialDeepStrictEqual(await readListed(), { available: true, checkpoint: { id: older } });
    const forecast = await run(DEFAULT);
    assert.deepEqual([forecast.status, forecast.checkpoints.toto], ['completed', older]);
    remove(older);
    assert.partialDeepStrictEqual(await readListed(), { available: false, checkpoint: null });
    const without = await run(DEFAULT);
    assert.deepEqual([without.status, without.settings.unavailable_models], ['completed', ['toto']]);
    remove(newer);
  });

  test('files that are damaged after creation fail the forecast without revealing their paths', async () => {
    const id = installGolden(dataFolder, 'damaged');
    const forecastId = await createWhile(async () => {
      rmSync(join(dataFolder, 'checkpoints', id, 'model.safetensors'));
    });
    const failed = await waitForEnd(forecastId);
    assert.deepEqual([failed.status, failed.error?.code], ['failed', 'CHECKPOINT_UNAVAILABLE']);
    assert.match(String(failed.error?.message), new RegExp(`${id}.*almanac models pull toto`));
    assert.equal(JSON.stringify(failed).includes(dataFolder), false);
    remove(id);
    const repaired = installGolden(dataFolder, 'damaged');
    assert.equal((await run({ models: ['toto', 'theta'] })).status, 'completed');
    remove(repaired);
  });
});
