import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { openApi } from '../support/api/api.ts';
import { requestAs } from '../support/api/request-as.ts';
import { goldenFiles, installFiles } from '../support/compute/golden-checkpoint.ts';
import {
  type Caller,
  dailyPoints,
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeCsvFile } from '../support/workspaces/csv-files.ts';
import { makeWorkspace, register } from '../support/workspaces/workspaces.ts';

const GOLDEN = 'Golden-1.0';
const CO2 = { type: 'economic_series', provider: 'bundled', series_id: 'mauna-loa-co2', value_field: 'co2' };
const CPI = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };
const AAPL = { type: 'market', symbol: 'AAPL', timeframe: '1D' };
const INDEX = { type: 'market', symbol: '^GSPC', timeframe: '1D' };
const CO2_LICENSE = 'CC BY 4.0';
const AAPL_LICENSE = 'ISC (the package); no licence is stated for the data from Yahoo Finance';

const dataFolder = mkdtempSync(join(tmpdir(), 'almanac-licenses-'));
let service: ForecastService;
let caller: Caller;
const edges: FastifyInstance[] = [];

before(async () => {
  installFiles(dataFolder, goldenFiles(), 'golden', new Date(), GOLDEN);
  service = await openForecastService(testedKind, { dataFolder });
  caller = await service.account('enterprise');
});

after(async () => {
  for (const app of edges) await app.close();
  await service?.[Symbol.asyncDispose]();
  rmSync(dataFolder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly json: ReturnType<typeof JSON.parse>;
}

type Send = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer>;

/** Opens an edge on which some licenses are denied. */
async function openWithout(...denied: string[]): Promise<Send> {
  const environment = { ALMANAC_DATA: dataFolder, ALMANAC_DENIED_LICENSES: denied.join(',') };
  const { database, queue, forecasts: jobs } = service;
  const { app } = await openApi(database, environment, undefined, queue, jobs.checkpoints);
  edges.push(app);
  return sendThrough(app);
}

function sendThrough(app: FastifyInstance, sender: Pick<Caller, 'credentials'> = caller): Send {
  return async (method, path, body) => {
    const headers = sender.credentials;
    const response = await app.inject({ method, url: `/api${path}`, headers, ...(body && { payload: body }) });
    const isJson = String(response.headers['content-type']).includes('json');
    return { status: response.statusCode, body: response.body, json: isJson ? response.json() : null };
  };
}

async function createVia(send: Send, fields: object): Promise<string> {
  const { status, body, json } = await send('POST', FORECASTS, { horizon: 3, models: ['theta'], ...fields });
  assert.equal(status, 202, body);
  return (json.data as Started).forecast_id;
}

/** Returns the message of the fault. */
function assertDenied({ status, json, body }: Answer): string {
  assert.equal(status, 403, body);
  const { code, message } = json.ok === false ? { code: json.error, message: json.message } : json.error;
  assert.equal(code, 'LICENSE_DENIED');
  return message;
}

async function countForecasts(): Promise<unknown> {
  const { rows } = await sql`
    SELECT (SELECT count(*) FROM forecast) AS forecasts, (SELECT count(*) FROM snapshot) AS snapshots,
      (SELECT coalesce(sum(active), 0) FROM admission) AS active`.execute(service.database.query());
  return rows[0];
}

test('a preview has no rows of a source with a denied license', async () => {
  const open = sendThrough(service.app);
  const id = await createVia(open, { source: CO2 });
  const countRows = async (send: Send): Promise<number> =>
    (await send('GET', `${FORECASTS}/previews?ids=${id}`)).json.data.previews[id].history.length;
  assert.ok((await countRows(open)) > 0);
  assert.equal(await countRows(await openWithout(CO2_LICENSE)), 0);
});

describe('a model with a denied license', () => {
  interface Listed {
    readonly id: string;
    readonly available: boolean;
    readonly license: { readonly name: string; readonly allowed: boolean };
  }
  const modelsOf = async (send: Send): Promise<Listed[]> => (await send('GET', '/v1/forecast/models')).json.data.models;

  test('is listed with its license and as unavailable', async () => {
    const before = await modelsOf(sendThrough(service.app));
    assert.deepEqual(
      before.map(({ available, license }) => [available, license.allowed]),
      before.map(() => [true, true]),
    );
    const strict = await modelsOf(await openWithout('golden-1.0'));
    for (const { id, available, license } of strict) {
      const expected = id === 'toto' ? [false, GOLDEN, false] : [true, 'Apache-2.0', true];
      assert.deepEqual([available, license.name, license.allowed], expected, id);
    }
  });

  test('is refused when the request names it, and nothing is stored', async () => {
    const send = await openWithout(GOLDEN);
    const untouched = await countForecasts();
    for (const fields of [
      { models: ['toto'] },
      { models: ['theta', 'toto'] },
      { models: undefined, weight_mode: 'manual', weights: { toto: 1 } },
    ]) {
      const message = assertDenied(await send('POST', FORECASTS, inlineRequest(fields)));
      assert.equal(message, 'models: toto has the license "Golden-1.0", which this service does not allow.');
    }
    assert.deepEqual(await countForecasts(), untouched);
  });

  test('is left out of the default ensemble, and the settings list it as unavailable', async () => {
    const send = await openWithout(GOLDEN);
    const id = await createVia(send, { source: { type: 'inline', points: dailyPoints() }, models: undefined });
    const { data } = (await send('GET', `${FORECASTS}/${id}`)).json;
    assert.deepEqual(data.settings.unavailable_models, ['toto']);
    assert.deepEqual(data.settings.models, ['prophet', 'ets', 'theta', 'arima']);
    assert.ok(!('toto' in data.checkpoints));
  });

  test('does not replace a default ensemble whose models are all denied', async () => {
    const send = await openWithout('Apache-2.0', GOLDEN);
    const inline = { source: { type: 'inline', points: dailyPoints() }, horizon: 3 };
    assert.match(assertDenied(await send('POST', FORECASTS, inline)), /^models: the default ensemble .*"Apache-2\.0"/);
    const toto = await createVia(await openWithout('Apache-2.0'), { ...inline, models: undefined });
    const { data } = (await send('GET', `${FORECASTS}/${toto}`)).json;
    assert.deepEqual(data.settings.models, ['toto'], 'one model of the ensemble is left');
  });

  test('is not reproduced, but its forecasts can be read', async () => {
    const open = sendThrough(service.app);
    const points = { source: { type: 'inline', points: dailyPoints() } };
    const id = await createVia(open, { ...points, models: ['toto', 'theta'] });
    const other = await createVia(open, points);
    const send = await openWithout(GOLDEN);
    const untouched = await countForecasts();
    const refused = await send('POST', `${FORECASTS}/${id}/reproduce`);
    assert.match(assertDenied(refused), /^The model toto of this forecast has the license "Golden-1\.0"/);
    assert.deepEqual(await countForecasts(), untouched);
    assert.equal((await send('GET', `${FORECASTS}/${id}`)).status, 200);
    assert.equal((await send('POST', `${FORECASTS}/${other}/reproduce`)).status, 202);
    assert.equal(
      (await open('POST', `${FORECASTS}/${id}/reproduce`)).status,
      202,
      'it is reproduced where its license is allowed',
    );
    const stranger = await service.account();
    const app = edges.at(-1) as FastifyInstance;
    const hidden = await sendThrough(app, stranger)('POST', `${FORECASTS}/${id}/reproduce`);
    assert.equal(hidden.status, 404, 'for other callers it does not exist');
  });

  test('without a stated license is denied as “not stated”', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'almanac-licenses-'));
    installFiles(folder, goldenFiles(), 'nameless', new Date(), null);
    const environment = { ALMANAC_DENIED_LICENSES: 'Not stated', ALMANAC_DATA: folder };
    const { app } = await openApi(service.database, environment, undefined, service.queue);
    edges.push(app);
    const toto = (await modelsOf(sendThrough(app))).find(({ id }) => id === 'toto');
    assert.deepEqual([toto?.available, toto?.license], [false, { name: 'not stated', allowed: false }]);
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('data with a denied license', () => {
  const SEARCH = '/v1/market-search';
  const HISTORY = '/market-data/stocks/history';
  const bars = { symbol: 'AAPL', timeframe: '1D' };
  let send: Send;
  let open: Send;
  before(async () => {
    open = sendThrough(service.app);
    send = await openWithout(CO2_LICENSE.toLowerCase(), AAPL_LICENSE);
  });

  test('are found and described with the license, which is marked as denied', async () => {
    for (const [query, source] of [
      ['mauna loa', CO2],
      ['apple', AAPL],
    ] as const) {
      const { results } = (await send('POST', SEARCH, { query })).json;
      const named = 'series_id' in source ? source.series_id : source.symbol;
      assert.ok(JSON.stringify(results).includes(named), query);
    }
    const described = async (through: Send, source: object) =>
      (await through('POST', `${SEARCH}/describe`, { source })).json.license;
    for (const timeframe of ['1D', '1w', '1Month']) {
      assert.partialDeepStrictEqual(await described(send, { ...AAPL, timeframe }), {
        name: AAPL_LICENSE,
        allowed: false,
      });
      assert.equal((await described(send, { ...INDEX, timeframe })).allowed, true);
    }
    assert.partialDeepStrictEqual(await described(send, CO2), { name: CO2_LICENSE, allowed: false });
    for (const source of [CO2, AAPL]) assert.equal((await described(open, source)).allowed, true);
  });

  test('are not read, neither from the source nor from a snapshot', async () => {
    const { snapshot_id } = (await open('POST', `${SEARCH}/observations`, { source: CO2 })).json;
    const { snapshot_id: frozen } = (await open('POST', HISTORY, bars)).json;
    for (const format of ['json', 'csv']) {
      for (const fields of [{}, { snapshot_id }]) {
        const answer = await send('POST', `${SEARCH}/observations`, { source: CO2, format, ...fields });
        assert.match(assertDenied(answer), /"CC BY 4\.0"/);
      }
      for (const fields of [{}, { snapshot_id: frozen }, { timeframe: '1w' }, { source: 'bundled' }]) {
        const answer = await send('POST', HISTORY, { ...bars, format, ...fields });
        assert.match(assertDenied(answer), /^symbol: "AAPL" has the license "ISC/);
      }
    }
    assertDenied(await send('POST', `${SEARCH}/observations`, { source: AAPL }));
    assert.equal((await send('POST', `${SEARCH}/observations`, { source: CPI })).status, 200);
    assert.equal((await send('POST', HISTORY, { ...bars, symbol: '^GSPC' })).status, 200);
    assert.equal((await open('POST', HISTORY, { ...bars, snapshot_id: frozen })).status, 200);
    assert.equal((await send('POST', HISTORY, { ...bars, symbol: 'NOPE' })).status, 404);
  });

  test('are not used for new forecasts or reproductions', async () => {
    const created = [await createVia(open, { source: CO2 }), await createVia(open, { source: AAPL })];
    const untouched = await countForecasts();
    for (const source of [CO2, AAPL, { ...AAPL, timeframe: '1Month' }]) {
      assertDenied(await send('POST', FORECASTS, { source, horizon: 3, models: ['theta'] }));
    }
    for (const id of created) {
      assert.match(
        assertDenied(await send('POST', `${FORECASTS}/${id}/reproduce`)),
        /^source: the series has the license/,
      );
      assert.equal((await send('GET', `${FORECASTS}/${id}`)).status, 200);
    }
    assert.deepEqual(await countForecasts(), untouched);
    for (const source of [CPI, INDEX]) await createVia(send, { source });
    assert.equal((await open('POST', `${FORECASTS}/${created[0]}/reproduce`)).status, 202);
  });

  test('do not include inline rows and files', async () => {
    const owner = await register(service, { plan: 'enterprise' });
    const { id } = await makeWorkspace(service.database, owner.id);
    const csv_id = await makeCsvFile(service.database, id, owner.id);
    const source = { type: 'workspace_csv', workspace_id: id, csv_id, time_field: 'date', value_field: 'value' };
    await openWithout('of the workspace', 'not stated');
    const request = requestAs(edges.at(-1) as FastifyInstance, owner.credentials);
    for (const rows of [source, { type: 'inline', points: dailyPoints() }]) {
      const fields = { source: rows, horizon: 3, models: ['theta'] };
      const { status, body, data } = await request<Started>('POST', FORECASTS, fields);
      assert.equal(status, 202, body);
      assert.equal((await request('POST', `${FORECASTS}/${data.forecast_id}/reproduce`)).status, 202);
    }
  });
});
