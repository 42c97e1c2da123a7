import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createForecast } from '../../src/forecasts/index.ts';
import { installGolden } from '../support/compute/golden-checkpoint.ts';
import {
  create,
  dailyPoints,
  eventually,
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Person,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

interface Ended {
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

const DEFAULT = { models: undefined, source: { type: 'inline', points: dailyPoints(60) } };

describe('toto', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'almanac-toto-'));
  let service: ForecastService;
  let person: Person;
  before(async () => {
    service = await openForecastService(testedKind, { worker: true, dataFolder, bundled: join(dataFolder, 'none') });
    person = await service.account('pro');
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  const listed = async (): Promise<ListedModel | undefined> => {
    const { data } = await person.ask<{ models: ListedModel[] }>('GET', '/v1/forecast/models');
    return data.models.find(({ id }) => id === 'toto');
  };
  const finished = async (id: string): Promise<Ended> => {
    const look = async () => (await person.ask<Ended>('GET', `${FORECASTS}/${id}`)).data;
    return eventually(look, ({ status }) => status === 'completed' || status === 'failed');
  };
  const run = async (fields: object): Promise<Ended & { readonly forecast_id: string }> => {
    const { status, data } = await create(person, fields);
    assert.equal(status, 202);
    return { ...(await finished(data.forecast_id)), forecast_id: data.forecast_id };
  };
  const remove = (id: string): void => rmSync(join(dataFolder, 'checkpoints', id), { recursive: true });

  test('without a checkpoint it is listed, and the default ensemble goes on without it, and says so', async () => {
    assert.partialDeepStrictEqual(await listed(), { available: false, checkpoint: null });
    const forecast = await run(DEFAULT);
    assert.equal(forecast.status, 'completed');
    assert.deepEqual(forecast.settings.unavailable_models, ['toto']);
    assert.equal(forecast.settings.models.includes('toto'), false);
    assert.equal(forecast.fingerprint.onnxruntime, null);
    const refused = await create(person, { models: ['toto'] });
    assert.equal(refused.status, 400);
    assert.match(JSON.stringify(refused), /models: toto has no checkpoint here .*almanac models pull toto/);
  });

  test('with one it takes part, in the quantiles that it gives, and again to the same digits', async () => {
    const id = installGolden(dataFolder);
    assert.partialDeepStrictEqual(await listed(), { available: true, checkpoint: { id } });
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
    assert.ok(!(forecast.effective_weights_by_quantile['0.05']?.toto ?? 0), 'it takes no part outside 0.1 to 0.9');

    const again = await person.ask<Started>('POST', `${FORECASTS}/${forecast.forecast_id}/reproduce`);
    assert.equal(again.status, 202);
    const second = await finished(again.data.forecast_id);
    assert.deepEqual([second.status, second.comparison?.outcome], ['completed', 'exact']);
    remove(id);
  });

  test('alone it gives quantiles between its knots', async () => {
    const id = installGolden(dataFolder);
    const forecast = await run({ models: ['toto'], quantiles: [0.15, 0.5, 0.85] });
    assert.equal(forecast.status, 'completed');
    remove(id);
  });

  test('refused: a quantile that none of the models gives', async () => {
    const id = installGolden(dataFolder);
    const refused = await create(person, { models: ['toto'], quantiles: [0.05, 0.5] });
    assert.equal(refused.status, 422);
    remove(id);
  });

  test('a forecast keeps its checkpoint when a newer one comes, and ends when its own is gone', async () => {
    const first = installGolden(dataFolder, 'first', new Date('2026-01-01'));
    const forecast = await run({ models: ['toto', 'theta'] });
    const second = installGolden(dataFolder, 'second', new Date('2026-02-01'));
    assert.equal((await run({ models: ['toto', 'theta'] })).checkpoints.toto, second);

    const reproduce = () => person.ask<Started>('POST', `${FORECASTS}/${forecast.forecast_id}/reproduce`);
    const kept = await finished((await reproduce()).data.forecast_id);
    assert.deepEqual([kept.checkpoints.toto, kept.comparison?.outcome], [first, 'exact']);

    remove(first);
    const refused = await person.ask<{ code: string }>('POST', `${FORECASTS}/${forecast.forecast_id}/reproduce`);
    assert.equal(refused.status, 422);
    assert.match(
      JSON.stringify(refused),
      new RegExp(`CHECKPOINT_UNAVAILABLE.*toto ${first} .*almanac models pull toto`),
    );
    remove(second);
  });

  /** Creates a forecast with the checkpoint that is here now, and lets something happen before it is queued. */
  const createWhile = async (happen: () => Promise<void>): Promise<string> => {
    const known = await service.jobs.checkpoints.current();
    await happen();
    const checkpoints = { ...service.jobs.checkpoints, current: async () => known };
    const account = { kind: 'account', accountId: person.accountId, plan: 'pro' } as never;
    const body = { ...inlineRequest({ models: ['toto', 'theta'] }), ...DEFAULTS } as never;
    return createForecast({ ...service.jobs, checkpoints }, account, body, { idempotencyKey: null, network: null });
  };

  test('a worker without the files fails the forecast by name', async () => {
    const id = installGolden(dataFolder, 'gone');
    const failed = await finished(await createWhile(async () => remove(id)));
    assert.deepEqual([failed.status, failed.error?.code], ['failed', 'CHECKPOINT_UNAVAILABLE']);
    assert.match(String(failed.error?.message), new RegExp(id));
  });

  test('damaged newest files are passed over, and without others toto is not available', async () => {
    const older = installGolden(dataFolder, 'older', new Date('2026-01-01'));
    const newer = installGolden(dataFolder, 'newer', new Date('2026-02-01'));
    writeFileSync(join(dataFolder, 'checkpoints', newer, 'model.safetensors'), 'nothing');
    assert.partialDeepStrictEqual(await listed(), { available: true, checkpoint: { id: older } });
    const forecast = await run(DEFAULT);
    assert.deepEqual([forecast.status, forecast.checkpoints.toto], ['completed', older]);
    remove(older);
    assert.partialDeepStrictEqual(await listed(), { available: false, checkpoint: null });
    const without = await run(DEFAULT);
    assert.deepEqual([without.status, without.settings.unavailable_models], ['completed', ['toto']]);
    remove(newer);
  });

  test('files that are damaged after the forecast was made fail it by name, without their paths', async () => {
    const id = installGolden(dataFolder, 'damaged');
    const forecastId = await createWhile(async () => {
      rmSync(join(dataFolder, 'checkpoints', id, 'model.safetensors'));
    });
    const failed = await finished(forecastId);
    assert.deepEqual([failed.status, failed.error?.code], ['failed', 'CHECKPOINT_UNAVAILABLE']);
    assert.match(String(failed.error?.message), new RegExp(`${id}.*almanac models pull toto`));
    assert.equal(JSON.stringify(failed).includes(dataFolder), false);
    remove(id);
    const mended = installGolden(dataFolder, 'damaged');
    assert.equal((await run({ models: ['toto', 'theta'] })).status, 'completed');
    remove(mended);
  });
});

/** What the edge fills in. */
const DEFAULTS = {
  weight_mode: 'auto',
  weighting_policy: 'rolling_loss_selection_v2',
  transform: 'auto',
  visibility: 'private',
};
