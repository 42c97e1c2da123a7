import { resolve } from 'node:path';
import { isLoopback } from './checks.ts';
import type { IssuerSettings } from './issuers.ts';
import type { SmtpServer } from './mail.ts';
import { SETTINGS, type SettingName } from './settings.ts';
import type { ListenAddress } from './telemetry.ts';

type Values = { [Name in SettingName]: ReturnType<(typeof SETTINGS)[Name]['read']> };

/** The settings of one process, read once at its start. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** True when only this machine can reach the service. */
  readonly loopback: boolean;
  /** Set by SITE_URL; otherwise known only once the port is. */
  readonly siteUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  /** Local secrets and the embedded database. */
  readonly dataFolder: string;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Whose access tokens are taken beside our own. */
  readonly issuers: readonly IssuerSettings[];
  /** The mail server and the sender; undefined: mails are written to the log. */
  readonly mail: { readonly server: SmtpServer; readonly from: string } | undefined;
  /** When the screener takes bars as final, and until when it waits for them; from the close of the exchange. */
  readonly screenerLagMinutes: number;
  readonly screenerWaitMinutes: number;
  /** Mails about matches for one day of the exchange. */
  readonly screenerMailsPerDay: number;
  readonly logLevel: Values['ALMANAC_LOG_LEVEL'];
  readonly requestsPerMinute: {
    readonly anonymous: number;
    readonly guest: number;
    readonly free: number;
    readonly pro: number;
    readonly enterprise: number;
  };
  readonly bodyLimit: number;
  /** How long a request may take to arrive, and a file. */
  readonly requestSeconds: number;
  readonly uploadSeconds: number;
  readonly databasePool: number;
  readonly shutdownSeconds: number;
  /** The exact one; otherwise the newest that is installed. */
  readonly totoCheckpoint: string | undefined;
  /** By name, in capitals or not: what may not be used here. */
  readonly deniedLicenses: readonly string[];
  /** Where the metrics page is served; undefined: nowhere. */
  readonly metricsAddress: ListenAddress | undefined;
  /** Where traces go, and how many of them; undefined: there are none. */
  readonly traces: { readonly endpoint: string; readonly serviceName: string; readonly ratio: number } | undefined;
  readonly checkResponses: boolean;
}

/** A setting that cannot be used. The message is one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings, or throws a `ConfigError` that names the first one that cannot be used.
 *
 * @example const config = loadConfig(process.env);
 */
export function loadConfig(environment: Environment): Config {
  const values = readValues(environment);
  const config: Config = {
    port: values.PORT,
    host: values.HOST,
    loopback: isLoopback(values.HOST),
    siteUrl: values.SITE_URL,
    databaseUrl: values.DATABASE_URL,
    dataFolder: resolve(values.ALMANAC_DATA),
    trustedProxies: values.ALMANAC_TRUSTED_PROXIES,
    corsOrigins: values.ALMANAC_CORS_ORIGINS,
    issuers: values.ALMANAC_ISSUERS,
    mail: mailOf(values),
    screenerLagMinutes: values.ALMANAC_SCREENER_LAG_MINUTES,
    screenerWaitMinutes: values.ALMANAC_SCREENER_WAIT_MINUTES,
    screenerMailsPerDay: values.ALMANAC_SCREENER_MAILS_PER_DAY,
    logLevel: values.ALMANAC_LOG_LEVEL,
    requestsPerMinute: {
      anonymous: values.ALMANAC_RATE_ANONYMOUS,
      guest: values.ALMANAC_RATE_GUEST,
      free: values.ALMANAC_RATE_FREE,
      pro: values.ALMANAC_RATE_PRO,
      enterprise: values.ALMANAC_RATE_ENTERPRISE,
    },
    bodyLimit: values.ALMANAC_BODY_LIMIT,
    requestSeconds: values.ALMANAC_REQUEST_SECONDS,
    uploadSeconds: values.ALMANAC_UPLOAD_SECONDS,
    databasePool: values.ALMANAC_DATABASE_POOL,
    shutdownSeconds: values.ALMANAC_SHUTDOWN_SECONDS,
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
  };
  if (!config.loopback) requireTlsInFront(config);
  refuseSharedListener(config);
  return config;
}

/** Names that look like ours but are not read: most likely misspelt, so worth a warning. */
export function unknownSettings(environment: Environment): string[] {
  return Object.keys(environment).filter((name) => name.startsWith('ALMANAC_') && !Object.hasOwn(SETTINGS, name));
}

function readValues(environment: Environment): Values {
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    const text = environment[name]?.trim();
    // An empty variable is how shells and compose files say "not set".
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
  if (from === undefined) throw new ConfigError('ALMANAC_MAIL_FROM must name the sender when ALMANAC_SMTP_URL is set.');
  return { server, from };
}

/** Credentials must not cross a network in the clear, so beyond loopback somebody has to end TLS in front of us. */
function requireTlsInFront(config: Config): void {
  if (!config.siteUrl?.startsWith('https://')) {
    throw new ConfigError(
      `SITE_URL must be the https origin of your TLS proxy when HOST is ${config.host}: plain HTTP is served on loopback only.`,
    );
  }
  if (config.trustedProxies.length === 0) {
    throw new ConfigError(
      `ALMANAC_TRUSTED_PROXIES must name your TLS proxy when HOST is ${config.host}: plain HTTP is served on loopback only.`,
    );
  }
}

/** The metrics page must not be on the port that everybody reaches. */
function refuseSharedListener({ host, port, metricsAddress: metrics }: Config): void {
  if (port === 0 || metrics?.port !== port || metrics.host !== host) return;
  throw new ConfigError(`ALMANAC_METRICS must be another address than HOST and PORT, ${host}:${port}.`);
}
