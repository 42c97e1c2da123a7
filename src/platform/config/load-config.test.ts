import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError } from './config-error.ts';
import { type Config, findUnknownSettings, loadConfig } from './load-config.ts';
import { SETTINGS, type SettingName } from './settings.ts';

/** A folder whose name DuckDB would read as a partition. */
const PARTITION = mkdtempSync(join(tmpdir(), 'year='));
after(() => rmSync(PARTITION, { recursive: true }));

const PRODUCTION_DEFAULTS: Config = {
  port: 8080,
  host: '127.0.0.1',
  loopback: true,
  siteUrl: undefined,
  databaseUrl: undefined,
  databaseDirectUrl: undefined,
  dataFolder: resolve('./data'),
  minFreeMib: 32,
  stuckSeconds: 60,
  trustedProxies: [],
  corsOrigins: [],
  outboundAllow: [],
  mail: undefined,
  issuers: [],
  market: {
    providers: ['dukascopy'],
    alpaca: {
      key: undefined,
      feed: undefined,
      url: 'https://data.alpaca.markets',
      tradingUrl: 'https://paper-api.alpaca.markets',
      requestsPerMinute: 200,
    },
    massive: { key: undefined, url: 'https://api.massive.com', requestsPerMinute: 5 },
    dukascopy: { url: 'https://jetta.dukascopy.com', requestsPerMinute: 60 },
    barStoreBytes: 2 * 1024 ** 3,
  },
  economic: {
    providers: ['dbnomics', 'worldbank', 'ecb', 'eurostat'],
    fred: { key: undefined, url: 'https://api.stlouisfed.org', requestsPerMinute: 75 },
    dbnomics: { url: 'https://api.db.nomics.world/v22', requestsPerMinute: 120 },
    worldbank: { url: 'https://api.worldbank.org/v2', requestsPerMinute: 60 },
    ecb: { url: 'https://data-api.ecb.europa.eu/service', requestsPerMinute: 60 },
    eurostat: { url: 'https://ec.europa.eu/eurostat/api/dissemination', requestsPerMinute: 60 },
  },
  warehouse: { folder: null, guests: true, bigquery: null },
  stamps: { stamper: null, selection: 'accounts', perDay: 10_000 },
  screenerLagMinutes: 30,
  screenerWaitMinutes: 720,
  screenerMailsPerDay: 1_000,
  logLevel: 'info',
  streamsPerProcess: 10_000,
  requestsPerMinute: { anonymous: 120, guest: 300, free: 300, pro: 600, enterprise: 3_000 },
  heavyWork: { perCaller: 2, perProcess: 4, waitMs: 15_000 },
  unpaidCpuSeconds: 300,
  shedding: { loopMs: 500, queueSeconds: 900 },
  bodyLimit: 4 * 1024 * 1024,
  bodyMemory: 64 * 1024 * 1024,
  storage: {
    guest: 32 * 1024 ** 2,
    network: 256 * 1024 ** 2,
    workspace: 5 * 1024 ** 3,
    plans: { free: 1024 ** 3, pro: 20 * 1024 ** 3, enterprise: 200 * 1024 ** 3 },
  },
  objectStorage: null,
  retention: { failedSnapshotDays: 30, progressDays: 30, securityEventDays: 400, mailDays: 400, deliveryDays: 30 },
  requestSeconds: 60,
  uploadSeconds: 600,
  databasePool: 10,
  shutdownSeconds: 20,
  fitThreads: undefined,
  totoCheckpoint: undefined,
  deniedLicenses: [],
  metricsAddress: undefined,
  traces: undefined,
  checkResponses: false,
  secretFiles: [],
};

/** Texts that are not keys of a provider. */
const KEYS = ['hunter2 hunter3', 'hunter2\u00e9', 'hunter2\nhunter3', 'h'.repeat(257)];
const FRED_KEY = '0123456789abcdef0123456789abcdef';
const CHAIN = {
  ALMANAC_CHAIN_URL: 'https://node.example',
  ALMANAC_CHAIN_ID: '137',
  ALMANAC_CHAIN_CONTRACT: `0x${'0a'.repeat(20)}`,
  ALMANAC_CHAIN_KEY_FILE: import.meta.filename,
};
const vbaseOf = ({ stamps: { stamper } }: Config) => (stamper?.kind === 'vbase' ? stamper : undefined);
const chainOf = ({ stamps: { stamper } }: Config) => (stamper?.kind === 'chain' ? stamper : undefined);
const S3 = {
  ALMANAC_S3_ENDPOINT: 'https://s3.example',
  ALMANAC_S3_BUCKET: 'almanac',
  ALMANAC_S3_ACCESS_KEY_ID: 'AKID',
  ALMANAC_S3_SECRET_ACCESS_KEY: 'hunter2',
};
const BIGQUERY = { ALMANAC_BIGQUERY_PROJECT: 'almanac-1', ALMANAC_BIGQUERY_CREDENTIALS: import.meta.filename };

/** For every setting: valid texts with their values, and invalid texts. */
const CASES: Record<
  SettingName,
  {
    good: readonly (readonly [string, (config: Config) => unknown, unknown])[];
    bad: readonly string[];
    /** Other settings that it needs. */
    others?: Record<string, string>;
  }
> = {
  PORT: {
    good: [
      ['0', (config) => config.port, 0],
      [' 65535 ', (config) => config.port, 65_535],
    ],
    bad: ['-1', '65536', '80.5', 'http', '1e3', '0x50', '8080;', '٣'],
  },
  HOST: {
    good: [
      ['::1', (config) => config.host, '::1'],
      ['127.9.9.9', (config) => [config.host, config.loopback], ['127.9.9.9', true]],
      ['localhost', (config) => config.loopback, true],
    ],
    bad: ['http://localhost', 'local host', '-x', 'a..b/', '[::1]', '*'],
  },
  SITE_URL: {
    good: [
      ['https://almanac.example', (config) => [config.siteUrl, config.loopback], ['https://almanac.example', false]],
      ['http://localhost:8080', (config) => [config.siteUrl, config.loopback], ['http://localhost:8080', true]],
      ['http://[::1]:8080', (config) => config.loopback, true],
    ],
    others: { ALMANAC_TRUSTED_PROXIES: 'loopback' },
    bad: [
      'almanac.example',
      'https://almanac.example/',
      'https://almanac.example/api',
      'ftp://almanac.example',
      'https://a:b@almanac.example',
      'javascript:alert(1)',
      'https://almanac.example:443',
    ],
  },
  DATABASE_URL: {
    good: [
      ['postgres://a:b@db.example/almanac', (config) => config.databaseUrl, 'postgres://a:b@db.example/almanac'],
      [
        'postgresql:///almanac?host=/run/postgresql',
        (config) => config.databaseUrl,
        'postgresql:///almanac?host=/run/postgresql',
      ],
    ],
    bad: ['mysql://a:hunter2@db.example/almanac', 'db.example', 'host=db.example password=hunter2'],
  },
  DATABASE_DIRECT_URL: {
    good: [['postgres://a:b@db.example/x', (config) => config.databaseDirectUrl, 'postgres://a:b@db.example/x']],
    others: { DATABASE_URL: 'postgres://pooler.example/x' },
    bad: ['mysql://a:hunter2@db.example/almanac', 'db.example'],
  },
  ALMANAC_DATA: {
    good: [
      ['/var/lib/almanac', (config) => config.dataFolder, '/var/lib/almanac'],
      ['elsewhere', (config) => config.dataFolder, resolve('elsewhere')],
    ],
    bad: [],
  },
  ALMANAC_MIN_FREE_MIB: {
    good: [['20', (config) => config.minFreeMib, 20]],
    bad: ['19', '1048577', '1.5', '64MB'],
  },
  ALMANAC_STUCK_SECONDS: {
    good: [['0', (config) => config.stuckSeconds, 0]],
    bad: ['-1', '86401', '1m'],
  },
  ALMANAC_TRUSTED_PROXIES: {
    good: [
      ['10.0.0.1', (config) => config.trustedProxies, ['10.0.0.1']],
      ['10.0.0.0/8, fd00::/8,loopback', (config) => config.trustedProxies, ['10.0.0.0/8', 'fd00::/8', 'loopback']],
    ],
    bad: [
      'proxy.example',
      '10.0.0.1,',
      ',',
      '10.0.0.0/33',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      'fd00::/129',
      'true',
      '*',
      '10.0.0.0/-1',
      '10.0.0.0/08x',
    ],
  },
  ALMANAC_CORS_ORIGINS: {
    good: [
      [
        'https://a.example, http://localhost:3000',
        (config) => config.corsOrigins,
        ['https://a.example', 'http://localhost:3000'],
      ],
    ],
    bad: ['*', 'https://*.example', 'https://a.example/', 'a.example', 'null', 'https://a.example,,https://b.example'],
  },
  ALMANAC_OUTBOUND_ALLOW: {
    good: [
      ['10.0.0.0/8, fd00::/8,127.0.0.1', (config) => config.outboundAllow, ['10.0.0.0/8', 'fd00::/8', '127.0.0.1']],
      ['0.0.0.0/0,::/0', (config) => config.outboundAllow, ['0.0.0.0/0', '::/0']],
    ],
    bad: [
      ...['loopback', 'localhost', 'name.example', '*', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1'],
      ...['10.0.0.0/8,', '10.1.0.0/8', '10.0.0.1/31', '10.0.0', '010.0.0.0/8', 'fd00::/129', 'fd00::1/8', 'fe80::1%lo'],
      ...['::ffff:10.0.0.0/104', '10.0.0.0/0x8', '10.0.0.0 /8', '٣.0.0.0/8', '[::1]'],
    ],
  },
  // The messages are tested in issuers.test.ts.
  ALMANAC_ISSUERS: {
    good: [
      ['[]', (config) => config.issuers, []],
      [
        '[{"issuer":"https://login.example","accounts":"create"}]',
        (config) => config.issuers.map(({ issuer, accounts }) => [issuer, accounts]),
        [['https://login.example', 'create']],
      ],
    ],
    bad: ['https://login.example', '{}', '[{}]', '[{"issuer":"http://login.example"}]', '[{"issuer":1}]', '[null]'],
  },
  ALMANAC_SMTP_URL: {
    others: { ALMANAC_MAIL_FROM: 'almanac@mail.example' },
    good: [
      [
        'smtp://user%40x:hunter%252@mail.example:2525',
        (config) => config.mail,
        {
          server: {
            host: 'mail.example',
            port: 2525,
            secure: false,
            user: 'user@x',
            password: 'hunter%2',
            loopback: false,
          },
          from: 'almanac@mail.example',
        },
      ],
      ['smtp://mail.example/', (config) => [config.mail?.server.port, config.mail?.server.user], [587, undefined]],
      ['smtps://mail.example', (config) => [config.mail?.server.port, config.mail?.server.secure], [465, true]],
      ['smtp://[::1]:25', (config) => [config.mail?.server.host, config.mail?.server.loopback], ['::1', true]],
    ],
    bad: [
      'mail.example',
      'mail.example:587',
      'http://mail.example',
      'smtp://',
      'smtp://mail.example/inbox',
      'smtp://mail.example?tls=no',
      'smtp://user:hunter%zz@mail.example',
      'smtp://user:hunter2@mail.example:port',
    ],
  },
  ALMANAC_MAIL_FROM: {
    good: [
      ['almanac@mail.example', (config) => config.mail, undefined],
      ['Almanac at Müller <a@mail.example>', (config) => config.mail, undefined],
    ],
    bad: [
      'almanac',
      'Almanac <almanac>',
      'a@mail.example, b@mail.example',
      'a@mail.example\nBcc: b@mail.example',
      '<>',
    ],
  },
  ALMANAC_MARKET_PROVIDERS: {
    good: [
      ['none', (config) => config.market.providers, []],
      ['dukascopy', (config) => config.market.providers, ['dukascopy']],
      ['massive, dukascopy,alpaca', (config) => config.market.providers, ['massive', 'dukascopy', 'alpaca']],
    ],
    others: { ALMANAC_ALPACA_KEY_ID: 'AK1', ALMANAC_ALPACA_SECRET: 's1', ALMANAC_MASSIVE_KEY: 'm1' },
    bad: [
      'polygon',
      'dukascopy,dukascopy',
      'dukascopy,',
      'none,dukascopy',
      'Dukascopy',
      'dukascopy massive',
      'bundled',
    ],
  },
  ALMANAC_ALPACA_KEY_ID: {
    good: [['AK1', (config) => config.market.alpaca.key, { id: 'AK1', secret: 's/1+=' }]],
    others: { ALMANAC_ALPACA_SECRET: 's/1+=' },
    bad: KEYS,
  },
  ALMANAC_ALPACA_SECRET: {
    good: [['s/1+=', (config) => config.market.alpaca.key, { id: 'AK1', secret: 's/1+=' }]],
    others: { ALMANAC_ALPACA_KEY_ID: 'AK1' },
    bad: KEYS,
  },
  ALMANAC_ALPACA_FEED: {
    good: [
      ['sip', (config) => config.market.alpaca.feed, 'sip'],
      ['iex', (config) => config.market.alpaca.feed, 'iex'],
    ],
    bad: ['SIP', 'sip,iex', 'best'],
  },
  ALMANAC_ALPACA_URL: baseAddress((config) => config.market.alpaca.url),
  ALMANAC_ALPACA_TRADING_URL: baseAddress((config) => config.market.alpaca.tradingUrl),
  ALMANAC_ALPACA_REQUESTS_PER_MINUTE: rate((config) => config.market.alpaca.requestsPerMinute),
  ALMANAC_MASSIVE_KEY: { good: [['m_1', (config) => config.market.massive.key, 'm_1']], bad: KEYS },
  ALMANAC_MASSIVE_URL: baseAddress((config) => config.market.massive.url),
  ALMANAC_MASSIVE_REQUESTS_PER_MINUTE: rate((config) => config.market.massive.requestsPerMinute),
  ALMANAC_DUKASCOPY_URL: baseAddress((config) => config.market.dukascopy.url),
  ALMANAC_DUKASCOPY_REQUESTS_PER_MINUTE: rate((config) => config.market.dukascopy.requestsPerMinute),
  ALMANAC_BAR_STORE_MIB: {
    good: [['1', (config) => config.market.barStoreBytes, 1024 ** 2]],
    bad: ['0', '1.5', '2GiB', '1000000001'],
  },
  ALMANAC_ECONOMIC_PROVIDERS: {
    good: [
      ['none', (config) => config.economic.providers, []],
      ['', (config) => config.economic.providers, []],
      [' ', (config) => config.economic.providers, []],
      ['ecb, fred', (config) => config.economic.providers, ['ecb', 'fred']],
    ],
    others: { ALMANAC_FRED_KEY: FRED_KEY },
    bad: ['imf', 'ecb,ecb', 'ecb,', 'ECB', 'none,ecb', 'bundled'],
  },
  ALMANAC_FRED_KEY: {
    good: [[FRED_KEY, (config) => config.economic.fred.key, FRED_KEY]],
    bad: [...KEYS, FRED_KEY.toUpperCase(), FRED_KEY.slice(1), `${FRED_KEY}0`],
  },
  ALMANAC_FRED_URL: baseAddress((config) => config.economic.fred.url),
  ALMANAC_FRED_REQUESTS_PER_MINUTE: rate((config) => config.economic.fred.requestsPerMinute),
  ALMANAC_DBNOMICS_URL: baseAddress((config) => config.economic.dbnomics.url),
  ALMANAC_DBNOMICS_REQUESTS_PER_MINUTE: rate((config) => config.economic.dbnomics.requestsPerMinute),
  ALMANAC_WORLDBANK_URL: baseAddress((config) => config.economic.worldbank.url),
  ALMANAC_WORLDBANK_REQUESTS_PER_MINUTE: rate((config) => config.economic.worldbank.requestsPerMinute),
  ALMANAC_ECB_URL: baseAddress((config) => config.economic.ecb.url),
  ALMANAC_ECB_REQUESTS_PER_MINUTE: rate((config) => config.economic.ecb.requestsPerMinute),
  ALMANAC_EUROSTAT_URL: baseAddress((config) => config.economic.eurostat.url),
  ALMANAC_EUROSTAT_REQUESTS_PER_MINUTE: rate((config) => config.economic.eurostat.requestsPerMinute),
  ALMANAC_WAREHOUSE: {
    good: [
      [import.meta.dirname, (config) => config.warehouse.folder, import.meta.dirname],
      ['src/platform', (config) => config.warehouse.folder, resolve('src/platform')],
    ],
    bad: [
      'no-such-folder',
      import.meta.filename,
      `${import.meta.filename}/x`,
      '/a\0b',
      `/${'x'.repeat(300)}`,
      PARTITION,
    ],
  },
  ALMANAC_WAREHOUSE_GUESTS: {
    good: [
      ['on', (config) => config.warehouse.guests, true],
      ['off', (config) => config.warehouse.guests, false],
    ],
    bad: ['yes', 'OFF', '0'],
  },
  ALMANAC_BIGQUERY_PROJECT: {
    good: [
      ['almanac-1', (config) => config.warehouse.bigquery?.project, 'almanac-1'],
      ['a23456', (config) => config.warehouse.bigquery?.project, 'a23456'],
      ['example.com:almanac', (config) => config.warehouse.bigquery?.project, 'example.com:almanac'],
    ],
    others: { ALMANAC_BIGQUERY_CREDENTIALS: import.meta.filename },
    bad: ['a2345', 'Almanac-1', '1almanac', 'almanac-', 'almanac/1', `a${'b'.repeat(30)}`, ':almanac', 'a b:almanac'],
  },
  ALMANAC_BIGQUERY_CREDENTIALS: {
    good: [[import.meta.filename, (config) => config.warehouse.bigquery?.credentialsPath, import.meta.filename]],
    others: BIGQUERY,
    bad: ['no-such-file.json', import.meta.dirname, 'hunter2\nhunter3', '{"type":"service_account"}'],
  },
  ALMANAC_BIGQUERY_URL: { ...baseAddress((config) => config.warehouse.bigquery?.url), others: BIGQUERY },
  ALMANAC_BIGQUERY_MIB_PER_DAY: {
    good: [
      ['0', (config) => config.warehouse.bigquery?.mibPerDay, 0],
      ['1000000000', (config) => config.warehouse.bigquery?.mibPerDay, 1_000_000_000],
    ],
    others: BIGQUERY,
    bad: ['-1', '1000000001', '1.5', '10GiB'],
  },
  ALMANAC_STAMP: {
    good: [
      ['public', (config) => config.stamps.selection, 'public'],
      ['all', (config) => config.stamps.selection, 'all'],
    ],
    bad: ['none', 'ALL', 'accounts,public'],
  },
  ALMANAC_STAMPS_PER_DAY: {
    good: [
      ['0', (config) => config.stamps.perDay, 0],
      ['1000000000', (config) => config.stamps.perDay, 1_000_000_000],
    ],
    bad: ['-1', '1000000001', '1.5', 'many'],
  },
  ALMANAC_VBASE_KEY: {
    good: [['key-1', (config) => vbaseOf(config)?.key, 'key-1']],
    bad: [...KEYS],
  },
  ALMANAC_VBASE_URL: { ...baseAddress((config) => vbaseOf(config)?.url), others: { ALMANAC_VBASE_KEY: 'key-1' } },
  ALMANAC_VBASE_COLLECTION: {
    good: [
      ['demand forecasts', (config) => vbaseOf(config)?.collection, 'demand forecasts'],
      ['x'.repeat(100), (config) => vbaseOf(config)?.collection, 'x'.repeat(100)],
    ],
    others: { ALMANAC_VBASE_KEY: 'key-1' },
    bad: ['x'.repeat(101), 'ma\nny', 'é', '\u202e'],
  },
  ALMANAC_CHAIN_URL: {
    good: [
      ['https://node.example/v3/key?x=1', (config) => chainOf(config)?.url, 'https://node.example/v3/key?x=1'],
      ['http://127.0.0.1:8545', (config) => chainOf(config)?.url, 'http://127.0.0.1:8545'],
    ],
    others: CHAIN,
    bad: ['http://node.example', 'wss://node.example', 'https://user:hunter2@node.example', 'node.example', '8545'],
  },
  ALMANAC_CHAIN_ID: {
    good: [
      ['1', (config) => chainOf(config)?.chainId, 1],
      ['9007199254740991', (config) => chainOf(config)?.chainId, Number.MAX_SAFE_INTEGER],
    ],
    others: CHAIN,
    bad: ['0', '-1', '0x89', 'polygon', '9007199254740992'],
  },
  ALMANAC_CHAIN_CONTRACT: {
    good: [
      [`0x${'Ab'.repeat(20)}`, (config) => chainOf(config)?.contract, `0x${'ab'.repeat(20)}`],
      [CHAIN.ALMANAC_CHAIN_CONTRACT, (config) => chainOf(config)?.contract, CHAIN.ALMANAC_CHAIN_CONTRACT],
    ],
    others: CHAIN,
    bad: ['0x', 'ab'.repeat(20), `0x${'ab'.repeat(21)}`, `0x${'zz'.repeat(20)}`, 'almanac.eth'],
  },
  ALMANAC_CHAIN_KEY_FILE: {
    good: [[import.meta.filename, (config) => chainOf(config)?.keyPath, import.meta.filename]],
    others: CHAIN,
    bad: ['no-such-file', import.meta.dirname, `0x${'ab'.repeat(32)}`, 'hunter2\nhunter3'],
  },
  ALMANAC_CHAIN_CONFIRMATIONS: {
    good: [
      ['1', (config) => chainOf(config)?.confirmations, 1],
      ['1000', (config) => chainOf(config)?.confirmations, 1_000],
    ],
    others: CHAIN,
    bad: ['0', '1001', '1.5', 'all'],
  },
  ALMANAC_S3_ENDPOINT: {
    good: [
      ['https://s3.example/', (config) => config.objectStorage?.endpoint, 'https://s3.example'],
      ['http://127.0.0.1:9000', (config) => config.objectStorage?.endpoint, 'http://127.0.0.1:9000'],
    ],
    bad: ['s3.example', 'http://s3.example', 'https://a:b@s3.example', 'https://s3.example?x=1'],
    others: S3,
  },
  ALMANAC_S3_BUCKET: {
    good: [['almanac-1.x', (config) => config.objectStorage?.bucket, 'almanac-1.x']],
    bad: ['ab', 'Almanac', 'a/b', '-abc', 'a b'],
    others: S3,
  },
  ALMANAC_S3_REGION: {
    good: [['eu-central-1', (config) => config.objectStorage?.region, 'eu-central-1']],
    bad: ['EU', 'eu central', 'eu/1'],
    others: S3,
  },
  ALMANAC_S3_ACCESS_KEY_ID: {
    good: [['AKIA1', (config) => config.objectStorage?.accessKeyId, 'AKIA1']],
    bad: KEYS,
    others: S3,
  },
  ALMANAC_S3_SECRET_ACCESS_KEY: {
    good: [['a/b+c=', (config) => config.objectStorage?.secretAccessKey, 'a/b+c=']],
    bad: KEYS,
    others: S3,
  },
  ALMANAC_S3_PREFIX: {
    good: [['a/b-c/', (config) => config.objectStorage?.prefix, 'a/b-c/']],
    bad: ['/', 'a', '/a/', 'a//b/', '../', 'a b/'],
    others: S3,
  },
  ALMANAC_S3_ADDRESSING: {
    good: [['host', (config) => config.objectStorage?.addressing, 'host']],
    bad: ['virtual', 'Path'],
    others: S3,
  },
  ALMANAC_S3_WRITES: {
    good: [['off', (config) => config.objectStorage?.acceptsNew, false]],
    bad: ['no', 'true'],
    others: S3,
  },
  ALMANAC_SCREENER_LAG_MINUTES: {
    good: [
      ['0', (config) => config.screenerLagMinutes, 0],
      ['1440', (config) => config.screenerLagMinutes, 1_440],
    ],
    bad: ['-1', '1441', '0.5', '30m'],
  },
  ALMANAC_SCREENER_WAIT_MINUTES: {
    good: [
      ['0', (config) => config.screenerWaitMinutes, 0],
      ['2880', (config) => config.screenerWaitMinutes, 2_880],
    ],
    bad: ['-1', '2881', '1.5', '12h'],
  },
  ALMANAC_SCREENER_MAILS_PER_DAY: {
    good: [
      ['0', (config) => config.screenerMailsPerDay, 0],
      ['250', (config) => config.screenerMailsPerDay, 250],
    ],
    bad: ['-1', '1000001', '1.5', 'many'],
  },
  ALMANAC_LOG_LEVEL: {
    good: [
      ['silent', (config) => config.logLevel, 'silent'],
      ['trace', (config) => config.logLevel, 'trace'],
    ],
    bad: ['INFO', 'verbose', 'fatal', '30', 'toString'],
  },
  ALMANAC_RATE_ANONYMOUS: rate((config) => config.requestsPerMinute.anonymous),
  ALMANAC_RATE_GUEST: rate((config) => config.requestsPerMinute.guest),
  ALMANAC_RATE_FREE: rate((config) => config.requestsPerMinute.free),
  ALMANAC_RATE_PRO: rate((config) => config.requestsPerMinute.pro),
  ALMANAC_RATE_ENTERPRISE: rate((config) => config.requestsPerMinute.enterprise),
  ALMANAC_HEAVY_PER_CALLER: {
    good: [['1', (config) => config.heavyWork.perCaller, 1]],
    bad: ['0', '1001', '1.5', 'all'],
  },
  ALMANAC_HEAVY_PER_PROCESS: {
    good: [['1000', (config) => config.heavyWork.perProcess, 1_000]],
    bad: ['0', '1001', '-4'],
  },
  ALMANAC_HEAVY_WAIT_SECONDS: {
    good: [['2', (config) => config.heavyWork.waitMs, 2_000]],
    bad: ['0', '61', '5s'],
  },
  ALMANAC_UNPAID_CPU_SECONDS: {
    good: [['60', (config) => config.unpaidCpuSeconds, 60]],
    bad: ['0', '1000001', '5m'],
  },
  ALMANAC_SHED_LOOP_MS: {
    good: [['0', (config) => config.shedding.loopMs, 0]],
    bad: ['-1', '60001', 'off'],
  },
  ALMANAC_SHED_QUEUE_SECONDS: {
    good: [['60', (config) => config.shedding.queueSeconds, 60]],
    bad: ['-1', '86401', '5m'],
  },
  ALMANAC_STORAGE_GUEST: mebibytes((config) => config.storage.guest),
  ALMANAC_STORAGE_NETWORK: mebibytes((config) => config.storage.network),
  ALMANAC_STORAGE_WORKSPACE: mebibytes((config) => config.storage.workspace),
  ALMANAC_STREAMS_PER_PROCESS: rate((config) => config.streamsPerProcess),
  ALMANAC_STORAGE_FREE: mebibytes((config) => config.storage.plans.free),
  ALMANAC_STORAGE_PRO: mebibytes((config) => config.storage.plans.pro),
  ALMANAC_STORAGE_ENTERPRISE: mebibytes((config) => config.storage.plans.enterprise),
  ALMANAC_KEEP_FAILED_SNAPSHOT_DAYS: days(1, (config) => config.retention.failedSnapshotDays),
  ALMANAC_KEEP_PROGRESS_DAYS: days(1, (config) => config.retention.progressDays),
  ALMANAC_KEEP_SECURITY_EVENT_DAYS: days(400, (config) => config.retention.securityEventDays),
  ALMANAC_KEEP_MAIL_DAYS: days(30, (config) => config.retention.mailDays),
  ALMANAC_KEEP_DELIVERY_DAYS: days(30, (config) => config.retention.deliveryDays),
  ALMANAC_BODY_LIMIT: {
    good: [
      ['1024', (config) => config.bodyLimit, 1_024],
      ['1073741824', (config) => config.bodyLimit, 1024 ** 3],
    ],
    bad: ['1023', '1073741825', '2MB', '-5'],
  },
  ALMANAC_BODY_MEMORY: {
    good: [
      ['1048576', (config) => config.bodyMemory, 1024 ** 2],
      ['68719476736', (config) => config.bodyMemory, 64 * 1024 ** 3],
    ],
    bad: ['1048575', '68719476737', '64MB', '-5'],
  },
  ALMANAC_REQUEST_SECONDS: {
    good: [
      ['1', (config) => config.requestSeconds, 1],
      ['3600', (config) => config.requestSeconds, 3_600],
    ],
    bad: ['0', '3601', '0.5', '60s'],
  },
  ALMANAC_UPLOAD_SECONDS: {
    good: [
      ['1', (config) => config.uploadSeconds, 1],
      ['86400', (config) => config.uploadSeconds, 86_400],
    ],
    bad: ['0', '86401', '-1', '10m'],
  },
  ALMANAC_DENIED_LICENSES: {
    good: [
      ['CC BY 4.0', (config) => config.deniedLicenses, ['CC BY 4.0']],
      [' not stated , Apache-2.0', (config) => config.deniedLicenses, ['not stated', 'Apache-2.0']],
    ],
    bad: [',', 'MIT,', 'MIT,,ISC', 'x'.repeat(201), 'MIT\nISC'],
  },
  ALMANAC_DATABASE_POOL: {
    good: [
      ['2', (config) => config.databasePool, 2],
      ['500', (config) => config.databasePool, 500],
    ],
    bad: ['1', '501', 'ten'],
  },
  ALMANAC_FIT_THREADS: {
    good: [
      ['1', (config) => config.fitThreads, 1],
      ['256', (config) => config.fitThreads, 256],
    ],
    bad: ['0', '257', '1.5', 'all'],
  },
  ALMANAC_SHUTDOWN_SECONDS: {
    good: [
      ['1', (config) => config.shutdownSeconds, 1],
      ['3600', (config) => config.shutdownSeconds, 3_600],
    ],
    bad: ['0', '3601', '20s'],
  },
  ALMANAC_TOTO_CHECKPOINT: {
    good: [
      ['toto-2.0-4m@316660d5afb4-0f1f6a5b', (config) => config.totoCheckpoint, 'toto-2.0-4m@316660d5afb4-0f1f6a5b'],
    ],
    bad: ['toto-2.0-4m', '../x@316660d5afb4-0f1f6a5b', 'toto@316660d5afb4', '@316660d5afb4-0f1f6a5b'],
  },
  ALMANAC_METRICS: {
    good: [
      ['127.0.0.1:9464', (config) => config.metricsAddress, { host: '127.0.0.1', port: 9464 }],
      ['[::1]:0', (config) => config.metricsAddress, { host: '::1', port: 0 }],
      ['localhost:9464', (config) => config.metricsAddress, { host: 'localhost', port: 9464 }],
      ['0.0.0.0:9464', (config) => config.metricsAddress, { host: '0.0.0.0', port: 9464 }],
    ],
    bad: [
      '9464',
      ':9464',
      '127.0.0.1',
      '127.0.0.1:',
      '127.0.0.1:65536',
      '::1:9464',
      '[127.0.0.1]:9464',
      '*:9464',
      'on',
    ],
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    good: [
      [
        'http://127.0.0.1:4318',
        (config) => config.traces,
        { endpoint: 'http://127.0.0.1:4318', serviceName: 'almanac', ratio: 1 },
      ],
      ['https://otlp.example/otlp/', (config) => config.traces?.endpoint, 'https://otlp.example/otlp/'],
    ],
    bad: [
      '127.0.0.1:4318',
      'grpc://127.0.0.1:4317',
      'http://a:hunter2@otlp.example',
      'http://otlp.example/?key=1',
      'on',
    ],
  },
  OTEL_SERVICE_NAME: {
    good: [['almanac-eu', (config) => config.traces, undefined]],
    bad: ['x'.repeat(101), 'a\tb', 'ä'],
  },
  OTEL_TRACES_SAMPLER_ARG: {
    good: [
      ['0', (config) => config.traces, undefined],
      ['.25', (config) => config.traces, undefined],
    ],
    bad: ['-0.1', '1.01', '10%', '1e-3', 'all', '.'],
  },
  NODE_ENV: {
    good: [
      ['production', (config) => config.checkResponses, false],
      ['development', (config) => config.checkResponses, true],
      ['test', (config) => config.checkResponses, true],
    ],
    bad: ['staging', 'Production', 'prod'],
  },
};

function rate(read: (config: Config) => number) {
  return {
    good: [
      ['1', read, 1],
      ['1000000', read, 1_000_000],
    ] as const,
    bad: ['0', '1000001', 'unlimited', '-1', '1.5'],
  };
}

function mebibytes(read: (config: Config) => number) {
  return {
    good: [
      ['1', read, 1024 ** 2],
      ['1000000000', read, 1_000_000_000 * 1024 ** 2],
    ] as const,
    bad: ['0', '1000000001', '1GiB', '-1', '1.5'],
  };
}

function days(min: number, read: (config: Config) => number | null) {
  return {
    good: [
      [`${min}`, read, min],
      ['36500', read, 36_500],
      ['forever', read, null],
    ] as const,
    bad: [`${min - 1}`, '36501', 'never', '-1', '1.5'],
  };
}

function baseAddress(read: (config: Config) => unknown) {
  return {
    good: [
      ['https://data.example', read, 'https://data.example'],
      ['https://proxy.example/alpaca/', read, 'https://proxy.example/alpaca'],
      ['http://127.0.0.1:9000', read, 'http://127.0.0.1:9000'],
      ['http://[::1]:9000/v1', read, 'http://[::1]:9000/v1'],
    ] as const,
    bad: [
      'http://data.example',
      'data.example',
      'ftp://127.0.0.1',
      'https://user:hunter2@data.example',
      'https://data.example?key=hunter2',
      'https://data.example/#x',
    ],
  };
}

function refusalOf(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message;
  }
  assert.fail(`${JSON.stringify(environment)} was accepted`);
}

test('uses the default of every setting if no variable is set', () => {
  assert.deepEqual(loadConfig({}), PRODUCTION_DEFAULTS);
});

test('treats an empty or blank variable as not set, except the list of economic providers', () => {
  const names = Object.keys(SETTINGS).filter((name) => name !== 'ALMANAC_ECONOMIC_PROVIDERS');
  const empty = Object.fromEntries(names.map((name, index) => [name, ' '.repeat(index % 3)]));
  assert.deepEqual(loadConfig(empty), PRODUCTION_DEFAULTS);
});

for (const [name, { good, bad, others }] of Object.entries(CASES)) {
  test(`reads ${name} or refuses it in one line that names it`, () => {
    for (const [text, read, expected] of good)
      assert.deepEqual(read(loadConfig({ ...others, [name]: text })), expected, text);
    for (const text of bad) {
      const message = refusalOf({ [name]: text });
      assert.match(message, new RegExp(`^${name} must [^\\n]+\\.$`), text);
    }
  });
}

test('keeps the message on one short line for long and multi-line values', () => {
  for (const name of Object.keys(SETTINGS).filter((candidate) => candidate !== 'ALMANAC_DATA')) {
    const message = refusalOf({ [name]: `x\n${'y'.repeat(5_000)}\u001b[2J` });
    assert.equal(message.split('\n').length, 1, name);
    assert.ok(message.length < 400, `${name}: ${message.length} characters`);
    assert.doesNotMatch(message, /\p{Cc}/u, name);
  }
});

test('never shows the password of DATABASE_URL or DATABASE_DIRECT_URL', () => {
  for (const url of [
    'mysql://almanac:hunter2@db.example/x',
    'postgres//almanac:hunter2@db.example',
    'postgres://almanac:hunter2@db.example:port/x',
    'hunter2',
  ]) {
    assert.doesNotMatch(refusalOf({ DATABASE_URL: url }), /hunter2/);
    assert.doesNotMatch(refusalOf({ DATABASE_DIRECT_URL: url }), /hunter2/);
  }
  const message = refusalOf({ DATABASE_URL: 'postgres://almanac:hunter2@db.example/x', HOST: '0.0.0.0' });
  assert.doesNotMatch(message, /hunter2/);
});

test('requires DATABASE_URL for DATABASE_DIRECT_URL', () => {
  assert.equal(
    refusalOf({ DATABASE_DIRECT_URL: 'postgres://almanac:hunter2@db.example/x' }),
    'DATABASE_URL must be set when DATABASE_DIRECT_URL is set.',
  );
});

test('requires a sender for a mail server and never shows its password', () => {
  const url = 'smtp://user:hunter2@mail.example';
  assert.equal(
    refusalOf({ ALMANAC_SMTP_URL: url }),
    'ALMANAC_MAIL_FROM must be set to the sender when ALMANAC_SMTP_URL is set.',
  );
  for (const bad of [`${url}:port`, `x${url}`, `${url}/?a`, 'smtp://user:hunter2%zz@mail.example', 'hunter2'])
    assert.doesNotMatch(refusalOf({ ALMANAC_SMTP_URL: bad, ALMANAC_MAIL_FROM: 'a@mail.example' }), /hunter2/);
});

test('uses the providers whose keys are set, unless the list is set', () => {
  const alpaca = { ALMANAC_ALPACA_KEY_ID: 'AK1', ALMANAC_ALPACA_SECRET: 's1' };
  const massive = { ALMANAC_MASSIVE_KEY: 'm1' };
  const chosen = (environment: Record<string, string>) => loadConfig(environment).market.providers;
  assert.deepEqual(chosen({ ...alpaca, ...massive }), ['alpaca', 'massive', 'dukascopy']);
  assert.deepEqual(chosen(massive), ['massive', 'dukascopy']);
  assert.deepEqual(chosen({ ...alpaca, ...massive, ALMANAC_MARKET_PROVIDERS: 'massive' }), ['massive']);
  assert.deepEqual(chosen({ ...alpaca, ALMANAC_MARKET_PROVIDERS: ' ' }), ['alpaca', 'dukascopy']);
});

test('uses the economic providers that need no key, and FRED if its key is set', () => {
  const chosen = (environment: Record<string, string>) => loadConfig(environment).economic.providers;
  const keyless = ['dbnomics', 'worldbank', 'ecb', 'eurostat'];
  assert.deepEqual(chosen({}), keyless);
  assert.deepEqual(chosen({ ALMANAC_FRED_KEY: FRED_KEY }), ['fred', ...keyless]);
  assert.deepEqual(chosen({ ALMANAC_FRED_KEY: FRED_KEY, ALMANAC_ECONOMIC_PROVIDERS: 'ecb' }), ['ecb']);
  assert.deepEqual(chosen({ ALMANAC_FRED_KEY: FRED_KEY, ALMANAC_ECONOMIC_PROVIDERS: '' }), []);
});

test('reads tables of the public datasets if the project and the credentials are set', () => {
  assert.deepEqual(loadConfig(BIGQUERY).warehouse.bigquery, {
    project: 'almanac-1',
    credentialsPath: import.meta.filename,
    url: 'https://bigquery.googleapis.com',
    mibPerDay: 10_240,
  });
  const { ALMANAC_BIGQUERY_PROJECT, ALMANAC_BIGQUERY_CREDENTIALS } = BIGQUERY;
  assert.equal(
    refusalOf({ ALMANAC_BIGQUERY_PROJECT }),
    'ALMANAC_BIGQUERY_CREDENTIALS must be set when ALMANAC_BIGQUERY_PROJECT is set.',
  );
  assert.equal(
    refusalOf({ ALMANAC_BIGQUERY_CREDENTIALS }),
    'ALMANAC_BIGQUERY_PROJECT must be set when ALMANAC_BIGQUERY_CREDENTIALS is set.',
  );
});

test('refuses two ways to stamp proofs, and a part of the settings of a chain', () => {
  assert.equal(
    refusalOf({ ...CHAIN, ALMANAC_VBASE_KEY: 'hunter2' }),
    'ALMANAC_VBASE_KEY and ALMANAC_CHAIN_URL must not both be set: proofs are stamped by vBase or on a chain.',
  );
  for (const missing of Object.keys(CHAIN)) {
    const message = refusalOf({ ...CHAIN, [missing]: '' });
    assert.match(message, new RegExp(`^${missing} must be set when ALMANAC_CHAIN_\\w+ is set\\.$`));
  }
});

test('refuses a listed provider without its key, and half a key', () => {
  const cases: readonly [environment: Record<string, string>, message: string][] = [
    [
      { ALMANAC_MARKET_PROVIDERS: 'dukascopy,alpaca' },
      'ALMANAC_ALPACA_KEY_ID and ALMANAC_ALPACA_SECRET must be set when ALMANAC_MARKET_PROVIDERS lists alpaca.',
    ],
    [
      { ALMANAC_MARKET_PROVIDERS: 'massive' },
      'ALMANAC_MASSIVE_KEY must be set when ALMANAC_MARKET_PROVIDERS lists massive.',
    ],
    [{ ALMANAC_ALPACA_KEY_ID: 'hunter2' }, 'ALMANAC_ALPACA_SECRET must be set when ALMANAC_ALPACA_KEY_ID is set.'],
    [
      { ALMANAC_ALPACA_SECRET: 'hunter2', ALMANAC_MARKET_PROVIDERS: 'none' },
      'ALMANAC_ALPACA_KEY_ID must be set when ALMANAC_ALPACA_SECRET is set.',
    ],
    [
      { ALMANAC_ECONOMIC_PROVIDERS: 'ecb,fred' },
      'ALMANAC_FRED_KEY must be set when ALMANAC_ECONOMIC_PROVIDERS lists fred.',
    ],
  ];
  for (const [environment, message] of cases) assert.equal(refusalOf(environment), message);
});

test('never shows a part of the key of a provider', () => {
  for (const name of ['ALMANAC_ALPACA_KEY_ID', 'ALMANAC_ALPACA_SECRET', 'ALMANAC_MASSIVE_KEY', 'ALMANAC_FRED_KEY']) {
    for (const text of KEYS) assert.doesNotMatch(refusalOf({ [name]: text }), /hunter|hhh/, name);
  }
  assert.doesNotMatch(refusalOf({ ALMANAC_MASSIVE_URL: 'https://user:hunter2@data.example' }), /hunter/);
});

test('requires a TLS proxy beyond loopback', () => {
  const SITE_URL = 'https://almanac.example';
  for (const HOST of ['0.0.0.0', '::', '192.0.2.7', 'almanac.example', '::ffff:192.0.2.7']) {
    assert.match(refusalOf({ HOST }), /^SITE_URL must be the https origin/);
    assert.match(
      refusalOf({ HOST, SITE_URL: 'http://almanac.example', ALMANAC_TRUSTED_PROXIES: '10.0.0.1' }),
      /^SITE_URL must/,
    );
    assert.match(refusalOf({ HOST, SITE_URL }), /^ALMANAC_TRUSTED_PROXIES must list/);
    const config = loadConfig({ HOST, SITE_URL, ALMANAC_TRUSTED_PROXIES: '10.0.0.1' });
    assert.equal(config.loopback, false);
  }
  for (const HOST of [
    '127.0.0.1',
    '127.255.255.254',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    'localhost',
    'LOCALHOST',
  ]) {
    assert.equal(loadConfig({ HOST }).loopback, true, HOST);
  }
});

test('refuses to serve the metrics page at the address of the service', () => {
  const message = refusalOf({ ALMANAC_METRICS: '127.0.0.1:8080' });
  assert.equal(message, 'ALMANAC_METRICS must differ from HOST and PORT, 127.0.0.1:8080.');
  assert.ok(loadConfig({ ALMANAC_METRICS: '127.0.0.1:8080', PORT: '8081' }).metricsAddress);
  assert.ok(loadConfig({ ALMANAC_METRICS: '127.0.0.1:0', PORT: '0' }).metricsAddress);
});

test('reads the service name and the share of traces', () => {
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    OTEL_SERVICE_NAME: 'almanac-eu',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  };
  const { traces } = loadConfig(environment);
  assert.deepEqual(traces, { endpoint: 'http://127.0.0.1:4318', serviceName: 'almanac-eu', ratio: 0.25 });
});

test('names the range that is not one, on one line', () => {
  const message = refusalOf({ ALMANAC_OUTBOUND_ALLOW: '10.0.0.0/8, 10.1.0.0/8' });
  assert.match(message, /^ALMANAC_OUTBOUND_ALLOW must list IP addresses or CIDR ranges .*; "10\.1\.0\.0\/8" is not/);
  assert.doesNotMatch(refusalOf({ ALMANAC_OUTBOUND_ALLOW: `10.0.0.0\n\u0085${'9'.repeat(99)}` }), /\p{Cc}|9{61}/u);
});

test('refuses to remove earlier than the API promises, with the reason', () => {
  assert.equal(
    refusalOf({ ALMANAC_KEEP_DELIVERY_DAYS: '29' }),
    'ALMANAC_KEEP_DELIVERY_DAYS must be forever or a whole number from 30 to 36500, because the API promises that the deliveries of 30 days can be read and replayed.',
  );
  assert.match(
    refusalOf({ ALMANAC_KEEP_SECURITY_EVENT_DAYS: '399' }),
    /, because the API promises accounts the security/,
  );
  assert.doesNotMatch(refusalOf({ ALMANAC_KEEP_SECURITY_EVENT_DAYS: 'x' }), /because/);
});

test('lists unknown variables that start with ALMANAC_', () => {
  const environment = {
    ALMANAC_RATE_PRO: '1',
    ALMANAC_RATE_PR0: '1',
    ALMANAC_: '',
    PORT: '1',
    almanac_data: 'x',
    PATH: '/bin',
  };
  assert.deepEqual(findUnknownSettings(environment), ['ALMANAC_RATE_PR0', 'ALMANAC_']);
  assert.deepEqual(findUnknownSettings({ ALMANAC_toString: '1' }), ['ALMANAC_toString']);
  assert.deepEqual(findUnknownSettings({}), []);
});

test('describes every setting and its default', () => {
  for (const [name, setting] of Object.entries(SETTINGS)) {
    assert.ok(setting.description.length > 10, name);
    assert.notEqual(setting.defaultText, '', name);
  }
});

test('a part of an object storage is refused with the name of what is missing', () => {
  for (const name of Object.keys(S3)) {
    const { [name as keyof typeof S3]: _, ...rest } = S3;
    assert.throws(
      () => loadConfig(rest),
      new RegExp(`^ConfigError: ${name} must be set when ALMANAC_S3_\\w+ is set\\.$`),
    );
  }
  assert.throws(
    () => loadConfig({ ALMANAC_S3_PREFIX: 'a/' }),
    /ALMANAC_S3_ENDPOINT must be set when ALMANAC_S3_PREFIX/,
  );
  assert.deepEqual(loadConfig(S3).objectStorage, {
    endpoint: 'https://s3.example',
    bucket: 'almanac',
    region: 'us-east-1',
    accessKeyId: 'AKID',
    secretAccessKey: 'hunter2',
    prefix: '',
    addressing: 'path',
    acceptsNew: true,
  });
});
