import type { SECRET_SETTING_NAMES } from '../../platform/index.ts';

/** What each secret setting protects. */
export const SETTING_PURPOSES: Readonly<Partial<Record<(typeof SECRET_SETTING_NAMES)[number], string>>> = {
  DATABASE_URL: 'connections to PostgreSQL',
  DATABASE_DIRECT_URL: 'connections to PostgreSQL without the pooler',
  ALMANAC_SMTP_URL: 'the sign-in at the mail server',
  ALMANAC_ALPACA_KEY_ID: 'the account at Alpaca',
  ALMANAC_ALPACA_SECRET: 'the account at Alpaca',
  ALMANAC_MASSIVE_KEY: 'the account at Massive',
  ALMANAC_FRED_KEY: 'the account at FRED',
  ALMANAC_S3_ACCESS_KEY_ID: 'the object storage',
  ALMANAC_S3_SECRET_ACCESS_KEY: 'the object storage',
  ALMANAC_VBASE_KEY: 'the account at vBase',
  ALMANAC_CHAIN_URL: "the chain's node, if the address has a key",
};

/** What files with secrets protect and how they are replaced, by the setting that names them or by their name. */
export const PRIVATE_FILES: Readonly<Record<string, { readonly protects: string; readonly rotate: string }>> = {
  'demo-api-key': {
    protects: 'the demonstration account of a service on loopback',
    rotate: 'remove the file, restart, then almanac key revoke the earlier key',
  },
  'control.json': {
    protects: 'the connection of the command line to the running service',
    rotate: 'restart; every start writes another one',
  },
  ALMANAC_CHAIN_KEY_FILE: {
    protects: 'the address on the chain that stamps proofs',
    rotate: 'replace the file, then restart one process after the other',
  },
  ALMANAC_BIGQUERY_CREDENTIALS: {
    protects: 'the service account at Google',
    rotate: 'replace the file, then restart one process after the other',
  },
};
