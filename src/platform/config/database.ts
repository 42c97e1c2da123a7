import { checkPostgresUrl } from './checks.ts';
import { optionalText, secret } from './setting.ts';

/** The addresses of PostgreSQL, in the order of the docs page. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: secret(
    optionalText(
      'URL of the PostgreSQL database for all data. Without it, the service uses an embedded database in ALMANAC_DATA.',
      'embedded',
      checkPostgresUrl,
    ),
  ),
  DATABASE_DIRECT_URL: secret(
    optionalText(
      'URL of the same database without the pooler, if DATABASE_URL leads to a pooler in transaction mode such as PgBouncer. The queue, LISTEN and migrations use it. See operations.md.',
      'DATABASE_URL',
      checkPostgresUrl,
    ),
  ),
};
