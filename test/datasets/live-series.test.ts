import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildApi, createFoundation, createIdentityContext, MIGRATIONS } from '../../src/compose/index.ts';
import { createLog } from '../../src/platform/index.ts';
import { SITE_URL } from '../support/api/api.ts';
import { tinyCheckpoints } from '../support/compute/tiny-checkpoints.ts';
import { startLoopbackEconomy } from '../support/datasets/loopback-economy.ts';
import { withGuest } from '../support/identity/callers.ts';
import { movableClock } from '../support/identity/identity.ts';
import { openMarketService } from '../support/market/market-service.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';
import { sendText, stallBody, type WireServer } from '../support/platform/wire-server.ts';

/** A day on which every provider of the scenes has published its rows. */
const NOW = '2025-02-12T18:00:00Z';

async function openScene() {
  await using open = new AsyncDisposableStack();
  const economy = open.use(await startLoopbackEconomy());
  const service = open.use(await openMarketService(movableClock(NOW), economy.environment));
  const { send } = await service.account();
  const kept = open.move();
  return {
    economy,
    service,
    preview: (sources: readonly object[]) => send('POST', '/v1/market-search/previews', { sources }),
    search: (body: object) => send('POST', '/v1/market-search', body),
    describe: (source: object) => send('POST', '/v1/market-search/describe', { source: economic(source) }),
    observe: (source: object, more = {}) =>
      send('POST', '/v1/market-search/observations', { source: economic(source), ...more }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function economic(source: object) {
  return { type: 'economic_series', ...source };
}

const pathsOf = ({ requests }: WireServer) => requests.map(({ path }) => path);

interface Result {
  readonly provider: string;
  readonly title: string;
  readonly source: { readonly series_id: string; readonly dimensions?: Record<string, string> };
}

test('finds, describes and reads the series of five providers over HTTP', async (context) => {
  await using scene = await openScene();
  const { economy, search, describe, observe } = scene;
  const servers = [economy.fred, economy.dbnomics, economy.worldbank, economy.ecb, economy.eurostat];
  const resetRequests = () => {
    for (const { requests } of servers) requests.length = 0;
  };
  const findAll = async (query: string): Promise<Result[]> => {
    const { status, body } = await search({ query, limit: 100 });
    assert.equal(status, 200, JSON.stringify(body));
    return body.results;
  };

  await context.test('search answers from the listings in the database', async () => {
    const gdp = await findAll('gdp');
    assert.deepEqual(
      ['fred', 'worldbank', 'eurostat'].filter((id) => gdp.some(({ provider }) => provider === id)),
      ['fred', 'worldbank', 'eurostat'],
    );
    assert.equal(gdp[0]?.source.series_id, 'GDP');
    const [france] = await findAll('unemployment france');
    assert.equal(france?.source.series_id, 'SL.UEM.TOTL.ZS');
    assert.deepEqual(france?.source.dimensions, { country: 'FRA' });
    assert.match(france?.title ?? '', / – France$/);
    assert.equal((await findAll('EXR'))[0]?.source.series_id, 'EXR');
  });

  await context.test('a source of the results goes unchanged into describe and observations', async () => {
    const [result] = await findAll('unemployment rate');
    assert.equal(result?.provider, 'fred');
    const { body: description } = await describe(result?.source ?? {});
    assert.deepEqual([description.frequency, description.vintages], ['1ME', true]);
    const { status, body } = await observe(result?.source ?? {});
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.rows.at(-1), { timestamp: '2024-12-31T00:00:00.000Z', value: 4.1 });
    assert.equal(body.facts.seasonal_adjustment, 'Seasonally Adjusted');
  });

  await context.test('the same rows need no request for six hours', async () => {
    const source = { provider: 'ecb', series_id: 'EXR/D.USD.EUR.SP00.A' };
    const { body } = await observe(source);
    assert.deepEqual([body.frequency, body.units], ['1D', 'USD']);
    resetRequests();
    const again = await observe(source, { limit: 2 });
    assert.deepEqual(again.body.rows, body.rows.slice(-2));
    const known = await observe(source, { snapshot_id: body.snapshot_id });
    assert.deepEqual(known.body.rows, body.rows);
    assert.deepEqual(pathsOf(economy.ecb), []);
  });

  await context.test('previews show what was read before, and request nothing', async () => {
    const rate = economic({ provider: 'ecb', series_id: 'EXR/D.USD.EUR.SP00.A' });
    const { body: read } = await observe(rate);
    resetRequests();
    const { status, body } = await scene.preview([
      rate,
      economic({ provider: 'fred', series_id: 'GDP' }),
      economic({ provider: 'worldbank', series_id: 'SL.UEM.TOTL.ZS', dimensions: { country: 'FRA' } }),
      economic({ provider: 'eurostat', series_id: 'prc_hicp_midx' }),
      economic({ provider: 'bundled', series_id: 'us-cpi' }),
    ]);
    assert.equal(status, 200, JSON.stringify(body));
    const [stored, ...others] = body.previews;
    assert.deepEqual(stored.values, read.rows.map(({ value }: { value: number }) => value).slice(-40));
    assert.deepEqual(
      others.map((preview: object | null) => preview !== null),
      [false, false, false, true],
    );
    assert.deepEqual(servers.flatMap(pathsOf), []);
  });

  await context.test('a data set is read with one value of each dimension', async () => {
    const dataSet = { provider: 'eurostat', series_id: 'prc_hicp_midx' };
    const missing = await observe(dataSet);
    assert.equal(missing.status, 400);
    assert.equal(missing.body.message, 'source.dimensions.unit: is required. Choose one of "I15", "I05".');
    const dimensions = { unit: 'I15', coicop: 'CP00', geo: 'FR' };
    const { body } = await observe({ ...dataSet, dimensions });
    assert.deepEqual(body.source.dimensions, { freq: 'M', ...dimensions }, 'the only frequency is the default');
    assert.deepEqual([body.frequency, body.units], ['1ME', 'Index, 2015=100']);
    const whole = await observe({ provider: 'eurostat', series_id: 'prc_hicp_midx/M.I15.CP00.FR' });
    assert.deepEqual(whole.body.rows, body.rows);
    const wrong = await describe({ ...dataSet, dimensions: { geo: 'XX' } });
    assert.deepEqual([wrong.status, wrong.body.message], [400, 'source.dimensions.geo: must be one of "FR", "DE".']);
  });

  await context.test('refuses what cannot be read, and names it', async () => {
    const refused: readonly (readonly [object, number, RegExp])[] = [
      [{ provider: 'ecb', series_id: 'SAFE/H.U2' }, 422, /"SAFE\/H\.U2" is half-yearly\. Rows are offered daily,/],
      [{ provider: 'ecb', series_id: 'EXR', vintage: '2024-01-01' }, 422, /ecb has no vintages of "EXR"/],
      [{ provider: 'bundled', series_id: 'us-cpi', vintage: '2010-01-01' }, 422, /bundled has no vintages/],
      [{ provider: 'fred', series_id: 'UNRATE', vintage: '2025-02-04' }, 422, /before the first vintage .* 2025-02-05/],
      [{ provider: 'fred', series_id: 'UNRATE', vintage: '2025-02-13' }, 422, /2025-02-13 has not begun/],
      [{ provider: 'fred', series_id: 'UNRATE', vintage: '2025-02-30' }, 400, /source\.vintage: must be a date/],
      [{ provider: 'fred', series_id: 'NOTHING' }, 404, /fred has no series "NOTHING"/],
      [{ provider: 'fred', series_id: '../x' }, 404, /fred has no series/],
      [{ provider: 'fred', series_id: 'x'.repeat(257) }, 400, /source\.series_id/],
      [{ provider: 'imf', series_id: 'GDP' }, 404, /no provider of economic series is named "imf"/],
      [{ provider: 'worldbank', series_id: 'NY.GDP.MKTP.CD' }, 400, /source\.dimensions\.country: is required/],
    ];
    for (const [source, status, message] of refused) {
      const reply = await observe(source);
      assert.equal(reply.status, status, JSON.stringify(reply.body));
      assert.match(reply.body.message, message);
    }
  });

  await context.test('a failing provider is 502 and nothing is stored', async () => {
    economy.fred.script.push(...Array.from({ length: 8 }, () => sendText('', 500)));
    const source = { provider: 'fred', series_id: 'GDP' };
    const failed = await observe(source);
    assert.deepEqual([failed.status, failed.body.error], [502, 'PROVIDER_FAILED']);
    economy.fred.script.length = 0;
    assert.equal((await observe(source)).status, 200);
  });

  await context.test('a local search sends nothing, whatever the query', async () => {
    resetRequests();
    for (const query of ['construction claims', 'nothing has these words', 'unrate', '']) {
      const { status, body } = await search({ query, local: true });
      assert.deepEqual([status, body.unavailable], [200, []], JSON.stringify(body));
    }
    const { body } = await search({ query: 'unrate', local: true });
    assert.equal(body.results[0]?.source.series_id, 'UNRATE', 'the listings are searched');
    const { status, body: refused } = await search({ query: 'unrate', local: 'yes' });
    assert.deepEqual([status, /local/.test(refused.message)], [400, true]);
    assert.deepEqual(servers.flatMap(pathsOf), []);
  });

  await context.test(
    'asks the providers only for a first page with few results, and answers if one hangs',
    async () => {
      resetRequests();
      assert.ok((await findAll('unemployment employment')).length >= 10);
      assert.deepEqual([...pathsOf(economy.fred), ...pathsOf(economy.dbnomics)], [], 'there are enough results');
      economy.fred.script.push(stallBody);
      // FRED never ends its reply, so that only the deadline ends this search.
      const { body } = await search({ query: 'construction claims' });
      // On a busy machine, the other provider may be late as well.
      assert.ok(body.unavailable.includes('fred'));
      const ids = body.results.map(({ source }: Result) => source.series_id);
      assert.ok(ids.includes('STATES/claims') && ids.includes('us-employment-construction'), `found ${ids}`);
      assert.deepEqual(pathsOf(economy.dbnomics), ['/v22/search']);
    },
  );
});

forEachDatabase(
  'a service without providers sends nothing and finds the bundled series',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    await using economy = await startLoopbackEconomy();
    const config = loadTestConfig({ ...economy.environment, ALMANAC_ECONOMIC_PROVIDERS: '' });
    const foundation = createFoundation({ config, log: createLog('silent'), database, checkpoints: tinyCheckpoints() });
    await using app = await buildApi(foundation, { siteUrl: () => SITE_URL });
    const headers = await withGuest(createIdentityContext(foundation));
    const send = (url: string, payload: object) =>
      app.inject({ method: 'POST', url: `/api/v1/market-search${url}`, headers, payload });
    const found = (await send('', { query: 'consumer price', types: ['economic_series'] })).json();
    assert.deepEqual(found.unavailable, []);
    assert.ok(found.results.every(({ provider }: Result) => provider === 'bundled') && found.results.length > 0);
    const reply = await send('/observations', { source: economic({ provider: 'fred', series_id: 'GDP' }) });
    assert.deepEqual([reply.statusCode, reply.json().error], [422, 'UNPROCESSABLE']);
    assert.match(reply.json().message, /this service does not use fred/);
    for (const server of [economy.fred, economy.dbnomics, economy.worldbank, economy.ecb, economy.eurostat]) {
      assert.deepEqual(pathsOf(server), []);
    }
  },
);
