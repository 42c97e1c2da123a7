import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Operation, type OperationId, operations } from '../../src/contract/index.ts';
import { openApi } from '../support/api/api.ts';
import { type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { readTableVersions } from '../support/platform/table-versions.ts';
import type { Answer } from './answers.ts';
import type { CallerName } from './callers.ts';
import { externalIssuer } from './external-issuer.ts';
import { callersOf, prepareRequest } from './prepare-request.ts';
import { ROWS } from './rows.ts';
import { openWorld, type World } from './world.ts';

/** The licenses of the engine, and of the series and bars that the table of operations requests. */
const DENIED_LICENSES = [
  'apache-2.0',
  'CC BY-SA 4.0 (the package); the data are a U.S. Government work',
  // The setting matches both spellings of the name.
  'ISC (the package); no license is stated for the data from Yahoo Finance',
];

const DENIED = '403 LICENSE_DENIED';

/** The operations that a denied license forbids. The others respond as the table states. */
const FORBIDDEN = [
  'createForecast',
  'reproduceForecast',
  'saveForecast',
  'readObservations',
  'readStockHistory',
  'createFeed',
  'readFeed',
] as const;
const OPEN = [
  'listModels',
  'searchSeries',
  'previewSeries',
  'describeSeries',
  'readForecast',
  'exportForecast',
  'readForecastHistory',
  'readOutcome',
  'readTrackRecord',
] as const;

let service: ForecastService;
/** The same service, started again with denied licenses. */
let strict: ForecastService;
let world: World;

before(async () => {
  const issuers = { ALMANAC_ISSUERS: JSON.stringify([{ issuer: externalIssuer.url }]) };
  service = await openForecastService(testedKind, { environment: issuers });
  world = await openWorld(service);
  const rates = ['ANONYMOUS', 'GUEST', 'FREE', 'PRO', 'ENTERPRISE'].map((name) => [`ALMANAC_RATE_${name}`, '1000000']);
  const environment = { ...Object.fromEntries(rates), ...issuers, ALMANAC_DENIED_LICENSES: DENIED_LICENSES.join(',') };
  const { database, queue, forecasts: jobs } = service;
  const { app } = await openApi(database, environment, undefined, queue, jobs.checkpoints);
  strict = { ...service, app };
});

after(async () => {
  await externalIssuer[Symbol.asyncDispose]();
  await strict?.app.close();
  await service?.[Symbol.asyncDispose]();
});

for (const id of [...FORBIDDEN, ...OPEN]) {
  const operation: Operation = operations[id];
  const row = ROWS[id satisfies OperationId];
  const isForbidden = FORBIDDEN.some((one) => one === id);

  test(`${id} as every caller, with a denied license`, async () => {
    const names = callersOf(operation);
    const requests = new Map<CallerName, () => Promise<Answer>>();
    for (const name of names)
      requests.set(name, await prepareRequest({ service: strict, world, operation, row, name, idForm: 'id' }));
    const untouched = await readTableVersions(service.database);
    const actual: Record<string, Answer> = {};
    for (const [name, send] of requests) actual[name] = await send();
    const expected = names.map((name) => {
      const answer = row.answers[name];
      return [name, isForbidden && typeof answer === 'number' ? DENIED : answer];
    });
    assert.deepEqual(actual, Object.fromEntries(expected));
    if (isForbidden)
      assert.deepEqual(await readTableVersions(service.database), untouched, 'a refused request changes nothing');
  });
}
