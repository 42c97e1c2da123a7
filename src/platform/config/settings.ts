import { checkCheckpointId, checkHost, checkLicenseName, checkOrigin, checkPostgresUrl, checkProxy } from './checks.ts';
import { readIssuers } from './issuers.ts';
import { checkSender, readSmtpUrl, type SmtpServer } from './mail.ts';
import { integer, list, oneOf, optional, setting, words } from './setting.ts';
import { checkCollector, checkServiceName, type ListenAddress, readListenAddress, readRatio } from './telemetry.ts';

const RATE = { min: 1, max: 1_000_000 };

/**
 * Every environment variable the service reads, in the order of the docs page that is made from this table.
 */
export const SETTINGS = {
  PORT: integer('Port to listen on. 0 takes a free one.', 8080, { min: 0, max: 65_535 }),
  HOST: words(
    'Address to listen on. Beyond loopback a trusted proxy must end TLS: set SITE_URL to its https origin and ALMANAC_TRUSTED_PROXIES to its address.',
    '127.0.0.1',
    checkHost,
  ),
  SITE_URL: optional('Origin at which users reach the service.', 'http://HOST:PORT', checkOrigin),
  DATABASE_URL: optional(
    'PostgreSQL to store everything in. Without it an embedded database in ALMANAC_DATA is used.',
    'embedded',
    checkPostgresUrl,
  ),
  ALMANAC_DATA: words('Folder of the embedded database, of local secrets and of installed checkpoints.', './data'),
  ALMANAC_TRUSTED_PROXIES: list(
    'Proxies whose X-Forwarded-* headers are believed: addresses, CIDR ranges, loopback, linklocal, uniquelocal.',
    checkProxy,
  ),
  ALMANAC_CORS_ORIGINS: list('Other origins whose pages may call the API with a Bearer credential.', checkOrigin),
  ALMANAC_ISSUERS: setting({
    description:
      'OpenID issuers whose access tokens the API accepts beside its own: a JSON list of { issuer, audience, algorithms, token_types, accounts }. See access.md.',
    fallback: [],
    defaultText: 'none',
    read: readIssuers,
  }),
  ALMANAC_SMTP_URL: setting<SmtpServer | undefined>({
    description:
      'Mail server for sign-up, verification and reset mails: smtp://user:password@mail.example:587 (STARTTLS) or smtps://. Needs ALMANAC_MAIL_FROM. Without it mails are written to the log.',
    fallback: undefined,
    defaultText: 'none',
    read: readSmtpUrl,
  }),
  ALMANAC_MAIL_FROM: optional('Sender of mails, such as Almanac <almanac@mail.example>.', 'none', checkSender),
  ALMANAC_SCREENER_LAG_MINUTES: integer(
    'How long after the close of the exchange the bars of a session are taken as final.',
    30,
    { min: 0, max: 1_440 },
  ),
  ALMANAC_SCREENER_WAIT_MINUTES: integer(
    'How long after the close a symbol whose bar has not come is waited for at most, before filters are evaluated without it.',
    720,
    { min: 0, max: 2_880 },
  ),
  ALMANAC_SCREENER_MAILS_PER_DAY: integer(
    'Mails about matches of filters that are sent for one day of the exchange, in all. Who was longest without one comes first. 0: none.',
    1_000,
    { min: 0, max: 1_000_000 },
  ),
  ALMANAC_LOG_LEVEL: oneOf('Least severe log line that is written.', 'info', [
    'trace',
    'debug',
    'info',
    'warn',
    'error',
    'silent',
  ]),
  ALMANAC_RATE_ANONYMOUS: integer('Requests a minute from one address without a credential.', 120, RATE),
  ALMANAC_RATE_GUEST: integer('Requests a minute of a guest session.', 300, RATE),
  ALMANAC_RATE_FREE: integer('Requests a minute of a free account.', 300, RATE),
  ALMANAC_RATE_PRO: integer('Requests a minute of a pro account.', 600, RATE),
  ALMANAC_RATE_ENTERPRISE: integer('Requests a minute of an enterprise account.', 3_000, RATE),
  ALMANAC_BODY_LIMIT: integer('Largest request body in bytes.', 2 * 1024 * 1024, { min: 1_024, max: 1024 ** 3 }),
  ALMANAC_REQUEST_SECONDS: integer(
    'How long the head of a request may take to arrive, and as long again its body; and the longest pause within a file.',
    60,
    { min: 1, max: 3_600 },
  ),
  ALMANAC_UPLOAD_SECONDS: integer('How long a file that is uploaded may take to arrive.', 600, { min: 1, max: 86_400 }),
  ALMANAC_DATABASE_POOL: integer('PostgreSQL connections of one process.', 10, { min: 2, max: 500 }),
  ALMANAC_SHUTDOWN_SECONDS: integer('How long a stop waits for requests and jobs in flight.', 20, {
    min: 1,
    max: 3_600,
  }),
  ALMANAC_TOTO_CHECKPOINT: optional(
    'Id of the checkpoint that toto takes for new forecasts; `almanac models list` shows those that are here.',
    'newest installed, else bundled',
    checkCheckpointId,
  ),
  ALMANAC_DENIED_LICENSES: list(
    'Licences whose models and data are not used here, by the whole name that the models response and describe give them, in capitals or not. See data.md.',
    checkLicenseName,
  ),
  ALMANAC_METRICS: setting<ListenAddress | undefined>({
    description:
      'Address of a listener of its own that serves GET /metrics for Prometheus, such as 127.0.0.1:9464. Anybody who reaches it can read it.',
    fallback: undefined,
    defaultText: 'off',
    read: readListenAddress,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    'OpenTelemetry collector that traces are sent to by OTLP over HTTP, such as http://127.0.0.1:4318.',
    'off',
    checkCollector,
  ),
  OTEL_SERVICE_NAME: words('Name of the service in its traces.', 'almanac', checkServiceName),
  OTEL_TRACES_SAMPLER_ARG: setting({
    description: 'Share of requests and jobs that are traced, from 0 to 1.',
    fallback: 1,
    read: readRatio,
  }),
  NODE_ENV: oneOf('In development and test every response is checked against its schema.', 'production', [
    'production',
    'development',
    'test',
  ]),
};

export type SettingName = keyof typeof SETTINGS;
