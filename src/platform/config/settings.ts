import {
  checkAddressRange,
  checkCheckpointId,
  checkHost,
  checkLicenseName,
  checkOrigin,
  checkProxy,
} from './checks.ts';
import { DATABASE_SETTINGS } from './database.ts';
import { checkFredKey, ECONOMIC_PROVIDER_IDS, type EconomicProviderId, KEYLESS_PROVIDER_IDS } from './economic.ts';
import { readIssuers } from './issuers.ts';
import { MAIL_SETTINGS } from './mail.ts';
import {
  ALPACA_FEEDS,
  checkProviderKey,
  PROVIDER_IDS,
  type ProviderId,
  readBaseAddress,
  readProviderIds,
} from './market.ts';
import { OBJECT_STORAGE_SETTINGS } from './object-storage.ts';
import { RETENTION_SETTINGS } from './retention.ts';
import {
  integer,
  list,
  oneOf,
  optionalInteger,
  optionalOneOf,
  optionalText,
  secret,
  setting,
  text,
} from './setting.ts';
import { SHEDDING_SETTINGS } from './shedding.ts';
import { STAMP_SETTINGS } from './stamps.ts';
import { checkCollector, checkServiceName, type ListenAddress, readListenAddress, readRatio } from './telemetry.ts';
import { WAREHOUSE_SETTINGS } from './warehouse.ts';

const RATE = { min: 1, max: 1_000_000 };
const MEBIBYTES = { min: 1, max: 1_000_000_000 };
const baseAddress = (description: string, fallback: string) =>
  setting({ description, fallback, read: readBaseAddress });

/** Every setting of the service, in the order of the docs page that is generated from this table. */
export const SETTINGS = {
  PORT: integer('Port to listen on. 0 selects a free port.', 8080, { min: 0, max: 65_535 }),
  HOST: text(
    'Address to listen on. If it is not a loopback address, a trusted proxy must terminate TLS, as for a public SITE_URL.',
    '127.0.0.1',
    checkHost,
  ),
  SITE_URL: optionalText(
    'Public origin of the service. If it is not a loopback address, it must use https, ALMANAC_TRUSTED_PROXIES must list the proxy that terminates TLS, and there is no demonstration account, even if HOST is a loopback address.',
    'http://HOST:PORT',
    checkOrigin,
  ),
  ...DATABASE_SETTINGS,
  ALMANAC_DATA: text('Folder for the embedded database, local secrets and installed checkpoints.', './data'),
  ALMANAC_MIN_FREE_MIB: integer(
    'Number of MiB that must be free on the disk of ALMANAC_DATA for the embedded database to accept writes. Below it, requests that write get a 503 response, and the service is not ready.',
    32,
    { min: 20, max: 1_048_576 },
  ),
  ALMANAC_STUCK_SECONDS: integer(
    'Number of seconds after which a process that no longer responds is ended, so that a supervisor can restart it. 0 disables the check.',
    60,
    { min: 0, max: 86_400 },
  ),
  ALMANAC_TRUSTED_PROXIES: list(
    'Proxies whose X-Forwarded-* headers are trusted. Each is an address, a CIDR range, loopback, linklocal or uniquelocal.',
    checkProxy,
  ),
  ALMANAC_CORS_ORIGINS: list('Other origins whose pages can call the API with a Bearer credential.', checkOrigin),
  ALMANAC_OUTBOUND_ALLOW: list(
    'Ranges of addresses that other parties may name although they are not on the public internet, also by http: the metadata document of an application, the key set of an issuer at another origin, the redirect of a checkpoint download. Each is an address or a CIDR range.',
    checkAddressRange,
  ),
  ALMANAC_ISSUERS: setting({
    description:
      'External OpenID issuers whose access tokens the API accepts, as a JSON list of { issuer, audience, algorithms, token_types, accounts }. See access.md.',
    fallback: [],
    defaultText: 'none',
    read: readIssuers,
  }),
  ...MAIL_SETTINGS,
  ALMANAC_MARKET_PROVIDERS: setting<readonly ProviderId[] | undefined>({
    description: `Providers of live market data, the preferred one first, or none. A provider that is not listed is not used. By default, providers whose key is missing are left out. Some of: ${PROVIDER_IDS.join(', ')}. Comma-separated. See data.md.`,
    fallback: undefined,
    defaultText: PROVIDER_IDS.join(','),
    read: (text) => readProviderIds(text, PROVIDER_IDS),
  }),
  ALMANAC_ALPACA_KEY_ID: secret(optionalText('Id of the API key for Alpaca.', 'none', checkProviderKey)),
  ALMANAC_ALPACA_SECRET: secret(optionalText('Secret of the API key for Alpaca.', 'none', checkProviderKey)),
  ALMANAC_ALPACA_FEED: optionalOneOf('Feed that is requested from Alpaca.', 'the best feed of the plan', ALPACA_FEEDS),
  ALMANAC_ALPACA_URL: baseAddress(
    'Base address of the market data of Alpaca. It uses https, or http on loopback, as all base addresses of providers.',
    'https://data.alpaca.markets',
  ),
  ALMANAC_ALPACA_TRADING_URL: baseAddress(
    'Base address of the trading API of Alpaca, from which only the list of assets is read.',
    'https://paper-api.alpaca.markets',
  ),
  ALMANAC_ALPACA_REQUESTS_PER_MINUTE: integer(
    'Maximum number of requests per minute that all processes together send to Alpaca.',
    200,
    RATE,
  ),
  ALMANAC_MASSIVE_KEY: secret(optionalText('API key for Massive.', 'none', checkProviderKey)),
  ALMANAC_MASSIVE_URL: baseAddress('Base address of Massive.', 'https://api.massive.com'),
  ALMANAC_MASSIVE_REQUESTS_PER_MINUTE: integer('The same number for Massive.', 5, RATE),
  ALMANAC_DUKASCOPY_URL: baseAddress(
    'Base address of the price feed of Dukascopy, which needs no key.',
    'https://jetta.dukascopy.com',
  ),
  ALMANAC_DUKASCOPY_REQUESTS_PER_MINUTE: integer('The same number for Dukascopy.', 60, RATE),
  ALMANAC_BAR_STORE_MIB: integer(
    'Maximum size of the bars of providers that the database keeps, in MiB. The least recently used series are removed first.',
    2_048,
    MEBIBYTES,
  ),
  ALMANAC_ECONOMIC_PROVIDERS: setting<readonly EconomicProviderId[] | undefined>({
    description: `Providers of economic series beside the bundled data. If the value is empty or none, no provider is used and no search word leaves the machine. By default, fred is used only if its key is set. Some of: ${ECONOMIC_PROVIDER_IDS.join(', ')}. Comma-separated. See data.md.`,
    fallback: undefined,
    whenEmpty: [],
    defaultText: KEYLESS_PROVIDER_IDS.join(','),
    read: (text) => readProviderIds(text, ECONOMIC_PROVIDER_IDS),
  }),
  ALMANAC_FRED_KEY: secret(optionalText('API key for FRED.', 'none', checkFredKey)),
  ALMANAC_FRED_URL: baseAddress('Base address of FRED.', 'https://api.stlouisfed.org'),
  ALMANAC_FRED_REQUESTS_PER_MINUTE: integer(
    'Maximum number of requests per minute that all processes together send to FRED. Searches count separately, at most 40 per minute.',
    75,
    RATE,
  ),
  ALMANAC_DBNOMICS_URL: baseAddress('Base address of DBnomics.', 'https://api.db.nomics.world/v22'),
  ALMANAC_DBNOMICS_REQUESTS_PER_MINUTE: integer('The same number for DBnomics.', 120, RATE),
  ALMANAC_WORLDBANK_URL: baseAddress('Base address of the World Bank.', 'https://api.worldbank.org/v2'),
  ALMANAC_WORLDBANK_REQUESTS_PER_MINUTE: integer('The same number for the World Bank.', 60, RATE),
  ALMANAC_ECB_URL: baseAddress('Base address of the ECB.', 'https://data-api.ecb.europa.eu/service'),
  ALMANAC_ECB_REQUESTS_PER_MINUTE: integer('The same number for the ECB.', 60, RATE),
  ALMANAC_EUROSTAT_URL: baseAddress('Base address of Eurostat.', 'https://ec.europa.eu/eurostat/api/dissemination'),
  ALMANAC_EUROSTAT_REQUESTS_PER_MINUTE: integer('The same number for Eurostat.', 60, RATE),
  ...WAREHOUSE_SETTINGS,
  ...STAMP_SETTINGS,
  ALMANAC_SCREENER_LAG_MINUTES: integer(
    'Number of minutes from the close of the exchange until the bars of the session are final.',
    30,
    { min: 0, max: 1_440 },
  ),
  ALMANAC_SCREENER_WAIT_MINUTES: integer(
    'Number of minutes after the close of the exchange for which a run waits for missing bars. After that, filters are evaluated without the symbols whose bars are missing.',
    720,
    { min: 0, max: 2_880 },
  ),
  ALMANAC_SCREENER_MAILS_PER_DAY: integer(
    'Maximum number of emails about filter matches per session, for all accounts together. Accounts that have waited longest go first. 0 disables these emails.',
    1_000,
    { min: 0, max: 1_000_000 },
  ),
  ALMANAC_LOG_LEVEL: oneOf('Lowest severity that is logged.', 'info', [
    'trace',
    'debug',
    'info',
    'warn',
    'error',
    'silent',
  ]),
  ALMANAC_RATE_ANONYMOUS: integer(
    'Maximum number of requests per minute that one network, an IPv4 address or an IPv6 /64, can send without a credential.',
    120,
    RATE,
  ),
  ALMANAC_RATE_GUEST: integer('Maximum number of requests per minute for a guest session.', 300, RATE),
  ALMANAC_RATE_FREE: integer('Maximum number of requests per minute for a free account.', 300, RATE),
  ALMANAC_RATE_PRO: integer('Maximum number of requests per minute for a pro account.', 600, RATE),
  ALMANAC_RATE_ENTERPRISE: integer('Maximum number of requests per minute for an enterprise account.', 3_000, RATE),
  ALMANAC_HEAVY_PER_CALLER: integer(
    'Maximum number of heavy requests, such as scoreboards and rows of files, of one caller that run at the same time in one process. Others wait in line.',
    2,
    { min: 1, max: 1_000 },
  ),
  ALMANAC_HEAVY_PER_PROCESS: integer(
    'Maximum number of heavy requests that run at the same time in one process. Others wait in line.',
    4,
    { min: 1, max: 1_000 },
  ),
  ALMANAC_STREAMS_PER_PROCESS: integer(
    'Maximum number of open event streams of a process. Further ones get a 503 response with Retry-After.',
    10_000,
    RATE,
  ),
  ALMANAC_HEAVY_WAIT_SECONDS: integer(
    'Number of seconds that a heavy request waits in line before it is refused.',
    15,
    { min: 1, max: 60 },
  ),
  ALMANAC_UNPAID_CPU_SECONDS: integer(
    'Number of CPU seconds per hour that the canceled and failed forecasts of one payer can use. Beyond it, the forecasts of this payer run one at a time, after all others of its plan, until the hour ends.',
    300,
    { min: 1, max: 1_000_000 },
  ),
  ...SHEDDING_SETTINGS,
  ALMANAC_BODY_LIMIT: integer(
    'Maximum size of a JSON body, in bytes. Every operation has a limit of its own, which this setting can only lower: 4 MiB to create a forecast, and 16 KiB for most others.',
    4 * 1024 ** 2,
    { min: 1_024, max: 1024 ** 3 },
  ),
  ALMANAC_BODY_MEMORY: integer(
    'Maximum number of bytes of JSON bodies that a process holds while they arrive and are parsed. Beyond it, bodies over 64 KiB get 503.',
    64 * 1024 ** 2,
    { min: 1024 ** 2, max: 64 * 1024 ** 3 },
  ),
  ALMANAC_STORAGE_GUEST: integer('Maximum size of the snapshots and results of a guest, in MiB.', 32, MEBIBYTES),
  ALMANAC_STORAGE_NETWORK: integer(
    'Maximum size of the snapshots and results of all guests of one network, in MiB.',
    256,
    MEBIBYTES,
  ),
  ALMANAC_STORAGE_WORKSPACE: integer(
    'Maximum size of the files, snapshots and results of a workspace, in MiB. Its files are also limited to 1 GiB.',
    5_120,
    MEBIBYTES,
  ),
  ALMANAC_STORAGE_FREE: integer(
    'Maximum size of the files, snapshots and results of a free account, including all workspaces that it owns, in MiB.',
    1_024,
    MEBIBYTES,
  ),
  ALMANAC_STORAGE_PRO: integer('The same for a pro account.', 20_480, MEBIBYTES),
  ALMANAC_STORAGE_ENTERPRISE: integer('The same for an enterprise account.', 204_800, MEBIBYTES),
  ...OBJECT_STORAGE_SETTINGS,
  ...RETENTION_SETTINGS,
  ALMANAC_REQUEST_SECONDS: integer(
    'Number of seconds within which the headers of a request must arrive. The same limit applies to its body and to each pause during an upload.',
    60,
    { min: 1, max: 3_600 },
  ),
  ALMANAC_UPLOAD_SECONDS: integer('Number of seconds within which an uploaded file must arrive.', 600, {
    min: 1,
    max: 86_400,
  }),
  ALMANAC_DATABASE_POOL: integer(
    'Maximum number of PostgreSQL connections per process, not counting those of the queue.',
    10,
    { min: 2, max: 500 },
  ),
  ALMANAC_SHUTDOWN_SECONDS: integer(
    'Maximum number of seconds that a shutdown waits for running requests and jobs.',
    20,
    {
      min: 1,
      max: 3_600,
    },
  ),
  ALMANAC_FIT_THREADS: optionalInteger(
    'Maximum number of threads in which a process fits models. By default, the processes that run forecasts on a machine share its cores.',
    'number of cores / busy processes',
    { min: 1, max: 256 },
  ),
  ALMANAC_TOTO_CHECKPOINT: optionalText(
    'Id of the toto checkpoint for new forecasts. `almanac models list` lists the available checkpoints.',
    'newest installed, otherwise bundled',
    checkCheckpointId,
  ),
  ALMANAC_DENIED_LICENSES: list(
    'Licenses whose models and data are not used. Use the full names from the models response and from series descriptions; case and the spelling of "license" are ignored. See data.md.',
    checkLicenseName,
  ),
  ALMANAC_METRICS: setting<ListenAddress | undefined>({
    description:
      'Address of a separate listener that serves GET /metrics for Prometheus, such as 127.0.0.1:9464. The metrics can be read without a credential.',
    fallback: undefined,
    defaultText: 'off',
    read: readListenAddress,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalText(
    'URL of the OpenTelemetry collector that receives traces by OTLP over HTTP, such as http://127.0.0.1:4318.',
    'off',
    checkCollector,
  ),
  OTEL_SERVICE_NAME: text('Name of the service in traces.', 'almanac', checkServiceName),
  OTEL_TRACES_SAMPLER_ARG: setting({
    description: 'Share of requests and jobs that are traced, from 0 to 1.',
    fallback: 1,
    read: readRatio,
  }),
  NODE_ENV: oneOf(
    'Mode of the service. In development and test, every response is validated against its schema.',
    'production',
    ['production', 'development', 'test'],
  ),
};

export type SettingName = keyof typeof SETTINGS;
