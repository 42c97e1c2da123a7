import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Almanac, AlmanacFile, ConflictError, ForecastFailedError, NotFoundError } from '../../client/src/index.ts';
import { checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import { listenOnLoopback } from '../support/api/http.ts';
import { dailyPoints, type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';
import { runClientStorm } from './storm.ts';

const REQUEST = { source: { type: 'inline' as const, points: dailyPoints() }, horizon: 3, models: ['theta', 'ets'] };

describe(`the client with a service [${testedKind}]`, () => {
  let service: ForecastService;
  let almanac: Almanac;
  before(async () => {
    service = await openForecastService(testedKind);
    const port = await listenOnLoopback(service.app);
    const { credentials } = await service.account('enterprise');
    const key = String(credentials.authorization).replace('Bearer ', '');
    almanac = new Almanac({ url: `http://127.0.0.1:${port}`, key });
  });
  after(() => service?.[Symbol.asyncDispose]());

  test('a forecast is run, listed, exported, proven and deleted', async () => {
    const result = await computeResult();
    const kinds: string[] = [];
    const work: Promise<void>[] = [];
    const forecast = await almanac.forecasts.run(REQUEST, {
      onCreated: ({ forecast_id: id }) => {
        work.push(activateJob(service.database, id).then((job) => runAttempt(service, job, async () => result)));
      },
      onEvent: ({ kind }) => kinds.push(kind),
    });
    await Promise.all(work);
    assert.equal(forecast.predictions.length, 3);
    assert.deepEqual([kinds[0], kinds.at(-1)], ['queued', 'completed']);
    const id = { forecast_id: forecast.forecast_id };

    const listed: string[] = [];
    for await (const { forecast_id } of almanac.forecasts.list({ limit: 1 })) listed.push(forecast_id);
    assert.deepEqual(listed, [id.forecast_id]);
    const file = await almanac.forecasts.export({ ...id, format: 'csv' });
    assert.ok(file instanceof AlmanacFile && (await file.text()).startsWith('timestamp,'));
    assert.deepEqual((await almanac.forecasts.export({ ...id, format: 'json' })).predictions, forecast.predictions);

    const proof = await almanac.forecasts.readProof(id);
    const verdict = await almanac.proof.verify(proof);
    assert.deepEqual([verdict.valid, verdict.problems, verdict.contentCid], [true, [], proof.content_cid]);
    const changed = { ...proof, document: { ...proof.document, completed_at: proof.document.created_at } };
    assert.equal((await almanac.proof.verify(changed)).valid, false);
    assert.equal((await almanac.proof.verify('{"document":{},"document":{}}')).valid, false);

    const { response } = await almanac.forecasts.read(id).withResponse();
    const stale = { ifMatch: response.headers.get('etag') ?? '' };
    await almanac.forecasts.update({ ...id, title: 'Sales' }, stale);
    await assert.rejects(
      almanac.forecasts.delete(id, stale),
      (error) => error instanceof ConflictError && error.code === 'PRECONDITION_FAILED' && error.requestId !== null,
    );
    assert.equal((await almanac.call('deleteForecast', id)).removed, true);
    await assert.rejects(almanac.forecasts.read(id), NotFoundError);
  });

  test('a forecast that is canceled while it is followed ends the run', async () => {
    const run = almanac.forecasts.run(REQUEST, {
      onEvent: ({ kind, data }) => {
        if (kind === 'queued') assert.equal(data.status, 'queued');
      },
      onCreated: ({ forecast_id }) => void almanac.forecasts.cancel({ forecast_id }),
    });
    await assert.rejects(run, ForecastFailedError);
  });

  test('no forecast is created twice behind a proxy that loses and repeats requests', async () => {
    const { problems, applied } = await runClientStorm(service, { runs: 50, seed: 30, hasWorker: false });
    assert.deepEqual(problems, []);
    for (const [fault, count] of Object.entries(applied)) assert.ok(count > 0, `the proxy never applied ${fault}`);
    assert.ok(isLedgerSound(await checkLedger(service.database)));
  });
});
