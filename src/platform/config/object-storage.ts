import { ConfigError } from './config-error.ts';
import { checkProviderKey, readBaseAddress } from './market.ts';
import { oneOf, optionalText, secret, setting } from './setting.ts';

/** An S3-compatible object storage for large things. */
export interface ObjectStorageSettings {
  /** The base address, without a slash at its end. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The beginning of the key of each new object: empty, or ends with a slash. */
  readonly prefix: string;
  /** Whether the bucket is the first part of the path, or of the host name. */
  readonly addressing: 'path' | 'host';
  /** Whether new things are stored in it. If not, it is only read. */
  readonly acceptsNew: boolean;
}

const DEFAULT_REGION = 'us-east-1';

/** The settings of the object storage, in the order of the docs page. */
export const OBJECT_STORAGE_SETTINGS = {
  ALMANAC_S3_ENDPOINT: setting<string | undefined>({
    description:
      'Base address of an S3-compatible object storage for snapshots and uploaded files, such as https://s3.eu-central-1.amazonaws.com. Requires the bucket and the two keys below. See scale.md.',
    fallback: undefined,
    defaultText: 'none: the database stores them',
    read: readBaseAddress,
  }),
  ALMANAC_S3_BUCKET: optionalText('Name of the bucket. It must exist.', 'none', checkBucket),
  ALMANAC_S3_REGION: optionalText('Region that requests are signed for.', DEFAULT_REGION, checkRegion),
  ALMANAC_S3_ACCESS_KEY_ID: secret(
    optionalText('Id of the access key of the object storage.', 'none', checkProviderKey),
  ),
  ALMANAC_S3_SECRET_ACCESS_KEY: secret(
    optionalText('Secret of this access key. It signs requests and is never sent.', 'none', checkProviderKey),
  ),
  ALMANAC_S3_PREFIX: optionalText(
    'Beginning of the keys of new objects, such as almanac/. Rows store whole keys, so it can change later.',
    'none',
    checkPrefix,
  ),
  ALMANAC_S3_ADDRESSING: oneOf(
    'Where requests name the bucket: in the path (https://endpoint/bucket/key) or in the host name (https://bucket.endpoint/key).',
    'path',
    ['path', 'host'],
  ),
  ALMANAC_S3_WRITES: oneOf(
    'Whether new snapshots and uploads are stored in the object storage. With off, it is only read, which is needed before `almanac storage move --to database`.',
    'on',
    ['on', 'off'],
  ),
};

type ObjectStorageValues = {
  readonly [Name in keyof typeof OBJECT_STORAGE_SETTINGS]: ReturnType<(typeof OBJECT_STORAGE_SETTINGS)[Name]['read']>;
};

/** Returns the settings of the object storage; null if there is none. Throws a `ConfigError` if only a part is set. */
export function objectStorageOf(values: ObjectStorageValues): ObjectStorageSettings | null {
  const {
    ALMANAC_S3_ENDPOINT: endpoint,
    ALMANAC_S3_BUCKET: bucket,
    ALMANAC_S3_ACCESS_KEY_ID: accessKeyId,
    ALMANAC_S3_SECRET_ACCESS_KEY: secretAccessKey,
    ALMANAC_S3_REGION: region,
    ALMANAC_S3_PREFIX: prefix,
  } = values;
  const required = {
    ALMANAC_S3_ENDPOINT: endpoint,
    ALMANAC_S3_BUCKET: bucket,
    ALMANAC_S3_ACCESS_KEY_ID: accessKeyId,
    ALMANAC_S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const all = { ...required, ALMANAC_S3_REGION: region, ALMANAC_S3_PREFIX: prefix };
  const present = Object.entries(all).find(([, value]) => value !== undefined)?.[0];
  if (present === undefined) return null;
  const missing = Object.entries(required).find(([, value]) => value === undefined)?.[0];
  if (missing !== undefined) throw new ConfigError(`${missing} must be set when ${present} is set.`);
  return {
    endpoint: endpoint as string,
    bucket: bucket as string,
    region: region ?? DEFAULT_REGION,
    accessKeyId: accessKeyId as string,
    secretAccessKey: secretAccessKey as string,
    prefix: prefix ?? '',
    addressing: values.ALMANAC_S3_ADDRESSING,
    acceptsNew: values.ALMANAC_S3_WRITES === 'on',
  };
}

// The functions that check a setting throw an `Error` whose message completes "NAME must …".

function checkBucket(text: string): void {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) {
    throw new Error('have 3 to 63 characters: lower-case letters, digits, dots and hyphens');
  }
}

function checkRegion(text: string): void {
  if (!/^[a-z0-9-]{1,63}$/.test(text)) {
    throw new Error('be a region such as eu-central-1: lower-case letters, digits and hyphens');
  }
}

function checkPrefix(text: string): void {
  if (!/^([A-Za-z0-9_-]+\/)+$/.test(text) || text.length > 200) {
    throw new Error(
      'end with a slash and have up to 200 characters: letters, digits, hyphens, underscores and slashes',
    );
  }
}
