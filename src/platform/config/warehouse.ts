import { resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import { readBaseAddress } from './market.ts';
import { findPath, readFilePath } from './paths.ts';
import { integer, oneOf, setting } from './setting.ts';

/** The settings of warehouse tables. */
export interface WarehouseSettings {
  /** The folder whose Parquet and CSV files are tables; null if there are only the bundled tables. */
  readonly folder: string | null;
  /** Whether guests find and read the tables of the folder. */
  readonly guests: boolean;
  /** How tables of the public-datasets project are read; null if they are not. */
  readonly bigquery: BigQuerySettings | null;
}

export interface BigQuerySettings {
  /** The project that pays for the queries. */
  readonly project: string;
  /** The key file of a service account. */
  readonly credentialsPath: string;
  /** The base address, without a slash at its end. */
  readonly url: string;
  /** Maximum number of MiB that the reads of all accounts are billed for in a UTC day. */
  readonly mibPerDay: number;
}

/** The settings of warehouse tables, in the order of the docs page. */
export const WAREHOUSE_SETTINGS = {
  ALMANAC_WAREHOUSE: setting<string | null>({
    description:
      'Folder whose Parquet and CSV files are published as the tables local.NAME to all callers that may search, guests included. See data.md.',
    fallback: null,
    defaultText: 'none',
    read: readFolderPath,
  }),
  ALMANAC_WAREHOUSE_GUESTS: oneOf(
    'Whether guests and callers without an account find and read the tables of ALMANAC_WAREHOUSE.',
    'on',
    ['on', 'off'],
  ),
  ALMANAC_BIGQUERY_PROJECT: setting<string | undefined>({
    description:
      'Google Cloud project that pays for queries of the tables of bigquery-public-data. Requires ALMANAC_BIGQUERY_CREDENTIALS. Without it, these tables cannot be read.',
    fallback: undefined,
    defaultText: 'none',
    read: readProjectId,
  }),
  ALMANAC_BIGQUERY_CREDENTIALS: setting<string | undefined>({
    description: 'Key file of the Google service account that sends the queries, in the JSON format.',
    fallback: undefined,
    defaultText: 'none',
    read: readFilePath,
  }),
  ALMANAC_BIGQUERY_URL: setting({
    description: 'Base address of BigQuery.',
    fallback: 'https://bigquery.googleapis.com',
    read: readBaseAddress,
  }),
  ALMANAC_BIGQUERY_MIB_PER_DAY: integer(
    'Maximum number of MiB for which the reads of all accounts together are billed in a UTC day. BigQuery bills at least 10 MiB per read.',
    10_240,
    { min: 0, max: 1_000_000_000 },
  ),
};

type WarehouseValues = {
  readonly [Name in keyof typeof WAREHOUSE_SETTINGS]: ReturnType<(typeof WAREHOUSE_SETTINGS)[Name]['read']>;
};

/** Returns the settings of warehouse tables. Throws a `ConfigError` if only one half of BigQuery's access is set. */
export function warehouseOf(values: WarehouseValues): WarehouseSettings {
  return {
    folder: values.ALMANAC_WAREHOUSE,
    guests: values.ALMANAC_WAREHOUSE_GUESTS === 'on',
    bigquery: bigqueryOf(values),
  };
}

function bigqueryOf(values: WarehouseValues): BigQuerySettings | null {
  const { ALMANAC_BIGQUERY_PROJECT: project, ALMANAC_BIGQUERY_CREDENTIALS: credentialsPath } = values;
  if (project === undefined && credentialsPath === undefined) return null;
  if (project === undefined) {
    throw new ConfigError('ALMANAC_BIGQUERY_PROJECT must be set when ALMANAC_BIGQUERY_CREDENTIALS is set.');
  }
  if (credentialsPath === undefined) {
    throw new ConfigError('ALMANAC_BIGQUERY_CREDENTIALS must be set when ALMANAC_BIGQUERY_PROJECT is set.');
  }
  return {
    project,
    credentialsPath,
    url: values.ALMANAC_BIGQUERY_URL,
    mibPerDay: values.ALMANAC_BIGQUERY_MIB_PER_DAY,
  };
}

// The functions that read a setting throw an `Error` whose message completes "NAME must …".

/** Reads the path of a folder that exists. */
function readFolderPath(text: string): string {
  const path = resolve(text);
  if (/[?\\]|\/[^/=]+=[^/=]*(?:\/|$)/.test(path)) {
    throw new Error('be the path of a folder without question marks, backslashes and folders such as key=value');
  }
  if (findPath(path)?.isDirectory()) return path;
  throw new Error('be the path of a folder that exists');
}

/** Reads the id of a Google Cloud project. Old ids start with the domain of their organization. */
function readProjectId(text: string): string {
  if (/^(?:[a-z0-9][a-z0-9.-]{0,62}:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/.test(text)) return text;
  throw new Error('be the id of a Google Cloud project, such as example-project-123');
}
