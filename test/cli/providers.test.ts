import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { callAlmanac } from '../support/cli/almanac-process.ts';
import { resultOf } from '../support/cli/command-result.ts';
import { preparedFolder, startService } from '../support/cli/service.ts';
import { startLoopbackEconomy } from '../support/datasets/loopback-economy.ts';
import { KEYS, startLoopbackMarket } from '../support/market/loopback-market.ts';
import { startCollector } from '../support/platform/collector.ts';
import type { Reply } from '../support/platform/wire-server.ts';

const WRONG_KEY = 'wrong-key-9d7b';

/** The key that the server of FRED accepts. FRED gets it in the query of every request. */
let fredKey = '';

function assertNoKeys(text: string, where: string): void {
  for (const key of [...Object.values(KEYS), WRONG_KEY, fredKey]) {
    assert.ok(!text.includes(key), `${where} contains ${key}`);
    const encoded = Buffer.from(key).toString('base64').replace(/=+$/, '');
    assert.ok(!text.includes(encoded), `${where} contains ${key} in base64`);
  }
}

/** Fails with a body that repeats the address of the request, as FRED's errors can. */
const repeatAddress: Reply = (request, response) => {
  response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error_message: request.url }));
};

test('a running service executes the commands, and keys appear nowhere', async () => {
  await using market = await startLoopbackMarket();
  await using economy = await startLoopbackEconomy();
  ({ fredKey } = economy);
  await using collector = await startCollector();
  await using folder = await preparedFolder();
  await using service = await startService({
    data: folder.data,
    environment: {
      ...market.environment,
      ...economy.environment,
      ALMANAC_ECONOMIC_PROVIDERS: 'fred',
      ALMANAC_MASSIVE_KEY: WRONG_KEY,
      ALMANAC_LOG_LEVEL: 'trace',
      ALMANAC_METRICS: '127.0.0.1:0',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
  });
  assert.match(
    service.stdout(),
    /\nThe words of a search with few results are also sent to FRED\. Set ALMANAC_ECONOMIC_PROVIDERS=none /,
  );
  // The settings of the service count, not those of the command.
  const beside = { ALMANAC_DATA: folder.data };
  const checked = await callAlmanac(['providers', 'check'], beside);
  assert.equal(checked.code, 1);
  assert.match(
    checked.stdout,
    /^alpaca +ok .*\nmassive +failed .*ALMANAC_MASSIVE_KEY\.\ndukascopy +ok .*\nfred +ok .*\n$/,
  );
  assert.equal(checked.stderr, 'almanac: The check of massive failed.\n');
  const listed = await callAlmanac(['providers', 'list'], beside);
  assert.deepEqual({ code: listed.code, stderr: listed.stderr }, { code: 0, stderr: '' });
  const [headings = '', ...rows] = listed.stdout.trimEnd().split('\n');
  assert.match(headings, /^PROVIDER +USED +STATE +LAST SUCCESS +LAST FAILURE +REQUESTS LEFT +DELAY +LISTING +DAYS$/);
  assert.deepEqual(
    rows.map((row) => row.split(/ {2,}/).slice(0, 3).join(' ')),
    [
      'alpaca yes closed',
      'massive yes closed',
      'dukascopy yes closed',
      'bundled yes closed',
      'fred yes closed',
      'dbnomics no closed',
      'worldbank no closed',
      'ecb no closed',
      'eurostat no closed',
    ],
  );
  assert.match(rows[1] ?? '', / UNAUTHORIZED \d{4}-/);
  const json = await resultOf(beside, 'providers', 'list', '--json');
  assert.equal((json.providers as unknown[]).length, 4);

  const bodies: string[] = [];
  const request = async (path: string, body?: object): Promise<number> => {
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const response = await service.fetch(`/api${path}`, init);
    bodies.push(JSON.stringify([...response.headers]), await response.text());
    return response.status;
  };
  const start = new Date(Date.now() - 30 * 86_400_000).toISOString();
  const history = (symbol: string, source: string) =>
    request('/market-data/stocks/history', { symbol, source, timeframe: '1Day', start });
  assert.equal(await history('AAPL', 'alpaca'), 200);
  assert.equal(await history('EUR/USD', 'auto'), 200);
  assert.equal(await history('AAPL', 'massive'), 502);
  assert.equal(await request('/v1/market-data/providers'), 200);
  const fred = (series_id: string) => ({ source: { type: 'economic_series', provider: 'fred', series_id } });
  assert.equal(await request('/v1/market-search', { query: 'a query that finds nothing' }), 200);
  assert.equal(await request('/v1/market-search/observations', fred('UNRATE')), 200);
  economy.fred.script.push(...Array.from({ length: 8 }, () => repeatAddress));
  assert.equal(await request('/v1/market-search/observations', fred('GDP')), 502);
  assert.ok(economy.fred.requests.length > 3, 'FRED got requests');
  const answers = ['history', 'history', 'error', 'providers', 'search', 'observations', 'failed observations'];
  for (const [index, where] of answers.entries()) {
    assertNoKeys(bodies[2 * index + 1] ?? '', where);
  }
  const page = /metrics are served at (http:\/\/\S+\/metrics)/.exec(service.stderr())?.[1] ?? '';
  assertNoKeys(await (await fetch(page)).text(), 'the metrics page');
  assertNoKeys(bodies.join('\n') + checked.stdout + checked.stderr, 'a response');
  const { stdout, stderr } = await service.stop();
  assert.ok(stderr.includes('/market-data/stocks/history'), 'requests are logged');
  assertNoKeys(stdout + stderr, 'the log');
  assert.ok(
    collector.spans().some(({ kind }) => kind === 3),
    'requests to providers are traced',
  );
  assertNoKeys(collector.received(), 'a span');
  const files = globSync('**/*', { cwd: folder.data, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(files.length > 100);
  for (const { parentPath, name } of files) {
    assertNoKeys(readFileSync(join(parentPath, name), 'latin1'), `${name} of the database`);
  }
});
