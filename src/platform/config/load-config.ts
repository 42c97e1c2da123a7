import { resolve } from 'node:path';
import { isLoopback, isLoopbackOrigin } from './checks.ts';
import { ConfigError } from './config-error.ts';
import { type EconomicSettings, economicOf } from './economic.ts';
import type { IssuerSettings } from './issuers.ts';
import type { SmtpServer } from './mail.ts';
import { chooseProviders, type MarketSettings, requireWholeKey } from './market.ts';
import { type ObjectStorageSettings, objectStorageOf } from './object-storage.ts';
import { type RetentionSettings, retentionOf } from './retention.ts';
import { FILE_VARIABLES, listSecretFiles, type SecretFile, withSecretFiles } from './secret-files.ts';
import { SETTINGS, type SettingName } from './settings.ts';
import { type StampSettings, stampsOf } from './stamps.ts';
import type { ListenAddress } from './telemetry.ts';
import { type WarehouseSettings, warehouseOf } from './warehouse.ts';

type Values = { [Name in SettingName]: ReturnType<(typeof SETTINGS)[Name]['read']> };

/** The settings of a process, which are read when it starts. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Whether only this machine can reach the service: it listens on loopback, and SITE_URL, if set, names loopback. */
  readonly loopback: boolean;
  /** The value of SITE_URL; if undefined, the URL is derived from the host and port. */
  readonly siteUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  /** The same database without a pooler in transaction mode; undefined if `databaseUrl` leads to none. */
  readonly databaseDirectUrl: string | undefined;
  /** Contains local secrets, the embedded database and installed checkpoints. */
  readonly dataFolder: string;
  /** MiB that must be free for the embedded database to accept writes. */
  readonly minFreeMib: number;
  /** Seconds after which a process whose main thread is stuck is ended; 0 if it is not. */
  readonly stuckSeconds: number;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  /** The ranges of addresses that are not public but that other parties may name. */
  readonly outboundAllow: readonly string[];
  /** The external issuers whose access tokens are accepted. */
  readonly issuers: readonly IssuerSettings[];
  /** The mail server and the sender; undefined if emails are written to the log. */
  readonly mail: { readonly server: SmtpServer; readonly from: string } | undefined;
  /** The providers of live market data and the store of their bars. */
  readonly market: MarketSettings;
  /** The providers of economic series. */
  readonly economic: EconomicSettings;
  /** The warehouse tables and their engines. */
  readonly warehouse: WarehouseSettings;
  /** How proofs are stamped. */
  readonly stamps: StampSettings;
  /** Minutes after the close of the exchange until bars are final. */
  readonly screenerLagMinutes: number;
  /** Minutes after the close of the exchange until the screener stops waiting for missing bars. */
  readonly screenerWaitMinutes: number;
  /** Maximum number of emails about the matches of one session. */
  readonly screenerMailsPerDay: number;
  readonly logLevel: Values['ALMANAC_LOG_LEVEL'];
  /** Maximum number of open event streams of a process. */
  readonly streamsPerProcess: number;
  readonly requestsPerMinute: {
    readonly anonymous: number;
    readonly guest: number;
    readonly free: number;
    readonly pro: number;
    readonly enterprise: number;
  };
  /** The limits on requests that occupy the process for long. */
  readonly heavyWork: { readonly perCaller: number; readonly perProcess: number; readonly waitMs: number };
  /** The CPU seconds per hour that the canceled and failed forecasts of one payer can use without consequences. */
  readonly unpaidCpuSeconds: number;
  /** How late the process and the queue may be before nothing is created. 0: no limit. */
  readonly shedding: { readonly loopMs: number; readonly queueSeconds: number };
  /** The maximum numbers of bytes that are stored, by payer. */
  readonly storage: {
    readonly guest: number;
    readonly network: number;
    readonly workspace: number;
    readonly plans: { readonly free: number; readonly pro: number; readonly enterprise: number };
  };
  /** Where large things are stored besides the database; null if only there. */
  readonly objectStorage: ObjectStorageSettings | null;
  /** For how many days old rows are kept; null for ever. */
  readonly retention: RetentionSettings;
  readonly bodyLimit: number;
  /** Maximum number of bytes of large request bodies that the process holds. */
  readonly bodyMemory: number;
  /** The time limits within which a request and an uploaded file must arrive. */
  readonly requestSeconds: number;
  readonly uploadSeconds: number;
  readonly databasePool: number;
  readonly shutdownSeconds: number;
  /** The number of threads that fit models; undefined for a share of the cores. */
  readonly fitThreads: number | undefined;
  /** The id of a checkpoint; undefined for the newest installed one, or the bundled one if none is installed. */
  readonly totoCheckpoint: string | undefined;
  /** Names of the licenses whose models and data are not used. */
  readonly deniedLicenses: readonly string[];
  /** The address of the metrics page; undefined if it is not served. */
  readonly metricsAddress: ListenAddress | undefined;
  /** The collector of traces and the share of requests and jobs that are traced; undefined if none are. */
  readonly traces: { readonly endpoint: string; readonly serviceName: string; readonly ratio: number } | undefined;
  readonly checkResponses: boolean;
  /** The secret settings whose values were read from files. */
  readonly secretFiles: readonly SecretFile[];
}

const MEBIBYTE = 1024 ** 2;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings. Throws a `ConfigError` that names the first invalid one.
 *
 * @example const config = loadConfig(process.env);
 */
export function loadConfig(environment: Environment): Config {
  const values = readValues(withSecretFiles(environment));
  const config: Config = {
    port: values.PORT,
    host: values.HOST,
    loopback: isLoopback(values.HOST) && (values.SITE_URL === undefined || isLoopbackOrigin(values.SITE_URL)),
    siteUrl: values.SITE_URL,
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    dataFolder: resolve(values.ALMANAC_DATA),
    minFreeMib: values.ALMANAC_MIN_FREE_MIB,
    stuckSeconds: values.ALMANAC_STUCK_SECONDS,
    trustedProxies: values.ALMANAC_TRUSTED_PROXIES,
    corsOrigins: values.ALMANAC_CORS_ORIGINS,
    outboundAllow: values.ALMANAC_OUTBOUND_ALLOW,
    issuers: values.ALMANAC_ISSUERS,
    mail: mailOf(values),
    market: marketOf(values),
    economic: economicOf(values),
    warehouse: warehouseOf(values),
    stamps: stampsOf(values),
    screenerLagMinutes: values.ALMANAC_SCREENER_LAG_MINUTES,
    screenerWaitMinutes: values.ALMANAC_SCREENER_WAIT_MINUTES,
    screenerMailsPerDay: values.ALMANAC_SCREENER_MAILS_PER_DAY,
    logLevel: values.ALMANAC_LOG_LEVEL,
    streamsPerProcess: values.ALMANAC_STREAMS_PER_PROCESS,
    requestsPerMinute: {
      anonymous: values.ALMANAC_RATE_ANONYMOUS,
      guest: values.ALMANAC_RATE_GUEST,
      free: values.ALMANAC_RATE_FREE,
      pro: values.ALMANAC_RATE_PRO,
      enterprise: values.ALMANAC_RATE_ENTERPRISE,
    },
    heavyWork: {
      perCaller: values.ALMANAC_HEAVY_PER_CALLER,
      perProcess: values.ALMANAC_HEAVY_PER_PROCESS,
      waitMs: values.ALMANAC_HEAVY_WAIT_SECONDS * 1_000,
    },
    unpaidCpuSeconds: values.ALMANAC_UNPAID_CPU_SECONDS,
    shedding: { loopMs: values.ALMANAC_SHED_LOOP_MS, queueSeconds: values.ALMANAC_SHED_QUEUE_SECONDS },
    storage: {
      guest: values.ALMANAC_STORAGE_GUEST * MEBIBYTE,
      network: values.ALMANAC_STORAGE_NETWORK * MEBIBYTE,
      workspace: values.ALMANAC_STORAGE_WORKSPACE * MEBIBYTE,
      plans: {
        free: values.ALMANAC_STORAGE_FREE * MEBIBYTE,
        pro: values.ALMANAC_STORAGE_PRO * MEBIBYTE,
        enterprise: values.ALMANAC_STORAGE_ENTERPRISE * MEBIBYTE,
      },
    },
    objectStorage: objectStorageOf(values),
    retention: retentionOf(values),
    bodyLimit: values.ALMANAC_BODY_LIMIT,
    bodyMemory: values.ALMANAC_BODY_MEMORY,
    requestSeconds: values.ALMANAC_REQUEST_SECONDS,
    uploadSeconds: values.ALMANAC_UPLOAD_SECONDS,
    databasePool: values.ALMANAC_DATABASE_POOL,
    shutdownSeconds: values.ALMANAC_SHUTDOWN_SECONDS,
    fitThreads: values.ALMANAC_FIT_THREADS,
    totoCheckpoint: values.ALMANAC_TOTO_CHECKPOINT,
    deniedLicenses: values.ALMANAC_DENIED_LICENSES,
    metricsAddress: values.ALMANAC_METRICS,
    traces: values.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
          serviceName: values.OTEL_SERVICE_NAME,
          ratio: values.OTEL_TRACES_SAMPLER_ARG,
        }
      : undefined,
    checkResponses: values.NODE_ENV !== 'production',
    secretFiles: listSecretFiles(environment),
  };
  if (!config.loopback) requireTlsProxy(config);
  requireSeparateMetrics(config);
  if (config.databaseDirectUrl !== undefined && config.databaseUrl === undefined)
    throw new ConfigError('DATABASE_URL must be set when DATABASE_DIRECT_URL is set.');
  return config;
}

/** Variables of the command line, which a shell may set for the service as well. */
const COMMAND_LINE_VARIABLES: readonly string[] = ['ALMANAC_KEY', 'ALMANAC_BACKUP_PASSPHRASE'];

/** Returns the variables that start with ALMANAC_ but are not settings. They are probably misspelled. */
export function findUnknownSettings(environment: Environment): string[] {
  const isKnown = (name: string) =>
    Object.hasOwn(SETTINGS, name) || COMMAND_LINE_VARIABLES.includes(name) || FILE_VARIABLES.includes(name);
  return Object.keys(environment).filter((name) => name.startsWith('ALMANAC_') && !isKnown(name));
}

function readValues(environment: Environment): Values {
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    const text = environment[name]?.trim();
    if (text === '' && 'whenEmpty' in setting) return [name, setting.whenEmpty];
    // Shells and compose files can leave a variable empty instead of unset.
    if (!text) return [name, setting.fallback];
    try {
      return [name, setting.read(text)];
    } catch (error) {
      throw new ConfigError(`${name} must ${(error as Error).message}.`);
    }
  });
  return Object.fromEntries(entries) as Values;
}

function mailOf({ ALMANAC_SMTP_URL: server, ALMANAC_MAIL_FROM: from }: Values): Config['mail'] {
  if (server === undefined) return undefined;
  if (from === undefined)
    throw new ConfigError('ALMANAC_MAIL_FROM must be set to the sender when ALMANAC_SMTP_URL is set.');
  return { server, from };
}

function marketOf(values: Values): MarketSettings {
  return {
    alpaca: {
      key: requireWholeKey(values),
      feed: values.ALMANAC_ALPACA_FEED,
      url: values.ALMANAC_ALPACA_URL,
      tradingUrl: values.ALMANAC_ALPACA_TRADING_URL,
      requestsPerMinute: values.ALMANAC_ALPACA_REQUESTS_PER_MINUTE,
    },
    massive: {
      key: values.ALMANAC_MASSIVE_KEY,
      url: values.ALMANAC_MASSIVE_URL,
      requestsPerMinute: values.ALMANAC_MASSIVE_REQUESTS_PER_MINUTE,
    },
    dukascopy: {
      url: values.ALMANAC_DUKASCOPY_URL,
      requestsPerMinute: values.ALMANAC_DUKASCOPY_REQUESTS_PER_MINUTE,
    },
    providers: chooseProviders(values),
    barStoreBytes: values.ALMANAC_BAR_STORE_MIB * MEBIBYTE,
  };
}

/** The error for a HOST or SITE_URL beyond loopback without the settings of a proxy. */
export class ProxyRequiredError extends ConfigError {
  readonly host: string;

  constructor(message: string, host: string) {
    super(message);
    this.host = host;
  }
}

/** Requires a proxy that terminates TLS beyond loopback, because credentials must not cross a network unencrypted. */
function requireTlsProxy(config: Config): void {
  // A proxy on this machine makes the service public, although it listens on loopback.
  const reason = isLoopback(config.host) ? `SITE_URL is ${config.siteUrl}` : `HOST is ${config.host}`;
  if (!config.siteUrl?.startsWith('https://')) {
    throw new ProxyRequiredError(
      `SITE_URL must be the https origin of your TLS proxy when ${reason}: plain HTTP is served on loopback only.`,
      config.host,
    );
  }
  if (config.trustedProxies.length === 0) {
    throw new ProxyRequiredError(
      `ALMANAC_TRUSTED_PROXIES must list your TLS proxy (such as loopback, if it runs on this machine) when ${reason}: plain HTTP is served on loopback only.`,
      config.host,
    );
  }
}

/** Checks that the metrics page is not served on the public port. */
function requireSeparateMetrics({ host, port, metricsAddress: metrics }: Config): void {
  if (port === 0 || metrics?.port !== port || metrics.host !== host) return;
  throw new ConfigError(`ALMANAC_METRICS must differ from HOST and PORT, ${host}:${port}.`);
}
