import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { startLoopbackEconomy } from '../../../test/support/datasets/loopback-economy.ts';
import { KEYS, type LoopbackMarket, startLoopbackMarket } from '../../../test/support/market/loopback-market.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { loadTestConfig } from '../../../test/support/platform/test-config.ts';
import { createFoundation, MIGRATIONS } from '../../compose/index.ts';
import type { EconomicProviderView } from '../../datasets/index.ts';
import type { FillTables, MarketFillTable } from '../../market/bulk/tables.ts';
import { createLog, type Database } from '../../platform/index.ts';
import { executeOperation } from '../run-operation.ts';
import { type CheckReport, type ListedProvider, providerCommands } from './providers.ts';

const OPTIONS = { migrations: MIGRATIONS };

/** No server listens on this port. */
const NOWHERE = 'http://127.0.0.1:1';
const WRONG = {
  ALMANAC_ALPACA_SECRET: 'wrong-secret-4c2e',
  ALMANAC_MASSIVE_KEY: 'wrong-key-9d7b',
  ALMANAC_DUKASCOPY_URL: NOWHERE,
};

function openCommands(database: Database, environment: Readonly<Record<string, string>>) {
  const foundation = createFoundation({ config: loadTestConfig(environment), log: createLog('silent'), database });
  const list = async () =>
    (await executeOperation(foundation, 'providers list', {})) as {
      providers: ListedProvider[];
      economic: EconomicProviderView[];
    };
  return {
    list: async () => (await list()).providers,
    economic: async () => (await list()).economic,
    check: async (name?: string) => {
      const report = (await executeOperation(foundation, 'providers check', { name })) as CheckReport;
      return { report, text: format('providers check', report) };
    },
  };
}

function format(name: string, result: object): string {
  return providerCommands.find((command) => command.name === name)?.formatResult?.(result) ?? '';
}

forEachDatabase('checks each configured provider with a real request', OPTIONS, async ({ database }) => {
  await using market = await startLoopbackMarket();
  const commands = openCommands(database, market.environment);
  const { report, text } = await commands.check();
  const closesOf = ({ closes }: LoopbackMarket, symbol: string) => (symbol === 'AAPL' ? closes.stock : closes.pair);
  for (const { id, ok, symbol, newest, breaker_open: isOpen } of report.providers) {
    assert.deepEqual([ok, isOpen], [true, false], id);
    const close = newest && 'close' in newest ? newest.close : 0;
    assert.ok(closesOf(market, symbol).includes(close), `${id} returned ${close}`);
  }
  const bar = (symbol: string) => `ok +newest daily bar of ${symbol}: \\d{4}-\\d\\d-\\d\\d, close [\\d.]+\\n`;
  assert.match(text, new RegExp(`^alpaca +${bar('AAPL')}massive +${bar('AAPL')}dukascopy +${bar('EURUSD')}$`));
  assert.deepEqual([market.alpaca.requests.length, market.massive.requests.length], [1, 1]);
  assert.ok(market.dukascopy.requests.length <= 2, 'one file per year');
  assert.deepEqual(
    (await commands.list()).map(({ id, last_success_at: at }) => [id, at !== null]),
    [
      ['alpaca', true],
      ['massive', true],
      ['dukascopy', true],
      ['bundled', false],
    ],
  );
});

forEachDatabase('checks one provider by its name', OPTIONS, async ({ database }) => {
  await using market = await startLoopbackMarket();
  const { check } = openCommands(database, { ...market.environment, ALMANAC_MARKET_PROVIDERS: 'alpaca,dukascopy' });
  const { report } = await check('dukascopy');
  assert.deepEqual(
    report.providers.map(({ id, ok }) => [id, ok]),
    [['dukascopy', true]],
  );
  assert.equal(market.alpaca.requests.length, 0);
  await assert.rejects(check('yahoo'), {
    message: /^name: must be one of alpaca, massive, dukascopy, fred, dbnomics, worldbank, ecb, eurostat\.$/,
  });
  await assert.rejects(check('massive'), {
    message: 'massive is not configured. Set ALMANAC_MASSIVE_KEY. ALMANAC_MARKET_PROVIDERS must list it, if it is set.',
  });
  await assert.rejects(check('fred'), {
    message: 'fred is not configured. Set ALMANAC_FRED_KEY. ALMANAC_ECONOMIC_PROVIDERS must list it, if it is set.',
  });
  assert.equal((await openCommands(database, {}).check()).text, 'No provider is configured.\n');
});

forEachDatabase('checks and lists the providers of economic series', OPTIONS, async ({ database }) => {
  await using economy = await startLoopbackEconomy();
  const commands = openCommands(database, { ...economy.environment, ALMANAC_ECB_URL: NOWHERE });
  const { text } = await commands.check();
  const lines = text.split('\n');
  assert.match(lines[0] ?? '', /^fred +ok +newest row of GDP: \d{4}-\d\d-\d\d, value [\d.]+$/);
  assert.match(
    lines.find((line) => line.startsWith('ecb')) ?? '',
    /^ecb +failed +ecb cannot be reached.* ALMANAC_ECB_URL/,
  );
  const { report } = await openCommands(database, { ...economy.environment, ALMANAC_FRED_KEY: 'f'.repeat(32) }).check(
    'fred',
  );
  const [fred] = report.providers;
  assert.deepEqual([fred?.ok, fred?.fault, fred?.remedy], [false, 'UNAUTHORIZED', 'Check ALMANAC_FRED_KEY.']);
  assert.deepEqual(
    (await commands.economic()).map(({ id, configured, vintages }) => [id, configured, vintages]),
    [
      ['fred', true, true],
      ['dbnomics', true, false],
      ['worldbank', true, false],
      ['ecb', true, false],
      ['eurostat', true, false],
    ],
  );
  assert.deepEqual(
    (await openCommands(database, {}).economic()).map(({ configured, requests_left: left }) => [configured, left]),
    Array.from({ length: 5 }, () => [false, null]),
  );
});

forEachDatabase('names the variable that is wrong, and no key', OPTIONS, async ({ database }) => {
  await using market = await startLoopbackMarket();
  const commands = openCommands(database, { ...market.environment, ...WRONG });
  const { report, text } = await commands.check();
  const [alpaca = '', massive = '', dukascopy = ''] = text.split('\n');
  assert.match(alpaca, /^alpaca +failed +.*Check ALMANAC_ALPACA_KEY_ID and ALMANAC_ALPACA_SECRET/);
  assert.match(massive, /^massive +failed +massive rejected the credential .*Check ALMANAC_MASSIVE_KEY\.$/);
  assert.match(dukascopy, /^dukascopy +failed +dukascopy cannot be reached.*Check ALMANAC_DUKASCOPY_URL/);
  for (const key of [...Object.values(KEYS), ...Object.values(WRONG).filter((value) => value !== NOWHERE)]) {
    assert.ok(!`${text}${JSON.stringify(report)}`.includes(key), key);
  }
  const failures = (await commands.list()).map(({ id, last_failure: failure }) => [id, failure?.fault ?? null]);
  // A refused request does not count as a failure of the provider, because a plan may not include the data.
  assert.deepEqual(failures, [
    ['alpaca', null],
    ['massive', 'UNAUTHORIZED'],
    ['dukascopy', 'UNREACHABLE'],
    ['bundled', null],
  ]);
});

forEachDatabase('checks a provider although its breaker is open', OPTIONS, async ({ database }) => {
  await using market = await startLoopbackMarket();
  const wrong = openCommands(database, { ...market.environment, ...WRONG });
  for (let failures = 0; failures < 5; failures++) await wrong.check('massive');
  assert.equal((await wrong.list()).find(({ id }) => id === 'massive')?.state, 'open');
  const stillWrong = await wrong.check('massive');
  assert.match(stillWrong.text, /^massive +failed .*ALMANAC_MASSIVE_KEY/);
  const { text } = await openCommands(database, market.environment).check('massive');
  assert.match(text, /^massive +ok .* \(other requests wait: its breaker is open\)\n$/);
});

forEachDatabase('shows how far the daily bars have been read', OPTIONS, async ({ database }) => {
  await using market = await startLoopbackMarket();
  const commands = openCommands(database, market.environment);
  assert.deepEqual(
    (await commands.list()).map(({ days }) => days),
    [null, null, null, null],
  );
  const now = new Date();
  const begun = { started_at: now, updated_at: now };
  await database
    .query<FillTables>()
    .insertInto('market_fill')
    .values([
      { ...begun, provider: 'alpaca', session: '2024-03-27', unit: 'symbols', total: 8_000, done: 1_200 },
      { ...begun, provider: 'massive', session: '2024-03-27', unit: 'dates', total: 2, done: 2 },
    ] as MarketFillTable[])
    .execute();
  await sql`UPDATE market_fill SET last_fault = 'TIMEOUT' WHERE provider = 'alpaca'`.execute(database.query());
  await sql`UPDATE market_fill SET completed_session = session WHERE provider = 'massive'`.execute(database.query());
  const providers = await commands.list();
  assert.deepEqual(providers[0]?.days, {
    session: '2024-03-27',
    unit: 'symbols',
    total: 8_000,
    done: 1_200,
    completed_session: null,
    last_fault: 'TIMEOUT',
  });
  const lines = format('providers list', { providers, economic: [] }).split('\n');
  assert.match(lines[1] ?? '', /2024-03-27: 1200 of 8000 symbols, TIMEOUT$/);
  assert.match(lines[2] ?? '', /2024-03-27: complete$/);
});
