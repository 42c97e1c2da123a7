import { checkCheckpointId, checkHost, checkOrigin, checkPostgresUrl, checkProxy } from './checks.ts';
import { integer, list, oneOf, optional, words } from './setting.ts';

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
  NODE_ENV: oneOf('In development and test every response is checked against its schema.', 'production', [
    'production',
    'development',
    'test',
  ]),
};

export type SettingName = keyof typeof SETTINGS;
