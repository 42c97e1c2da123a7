import { isSafeWebAddress } from './checks.ts';
import { ConfigError } from './config-error.ts';
import { checkProviderKey, readBaseAddress } from './market.ts';
import { readFilePath } from './paths.ts';
import { integer, oneOf, optionalInteger, optionalText, secret, setting, text } from './setting.ts';

/** The settings of receipts. */
export interface StampSettings {
  /** How proofs are stamped; null if they are not. */
  readonly stamper: VbaseSettings | ChainSettings | null;
  readonly selection: 'accounts' | 'public' | 'all';
  /** Maximum number of proofs that are stamped in a UTC day. */
  readonly perDay: number;
}

/** Stamps through vBase's service. */
export interface VbaseSettings {
  readonly kind: 'vbase';
  readonly key: string;
  /** The base address, without a slash at its end. */
  readonly url: string;
  readonly collection: string;
}

/** Stamps with transactions of its own on a chain. */
export interface ChainSettings {
  readonly kind: 'chain';
  /** The address of the node. It may contain a key. */
  readonly url: string;
  readonly chainId: number;
  /** The address of the contract, in lower case. */
  readonly contract: string;
  /** The file with the private key of the sender. */
  readonly keyPath: string;
  readonly confirmations: number;
  readonly collection: string;
}

/** The settings of receipts, in the order of the docs page. */
export const STAMP_SETTINGS = {
  ALMANAC_STAMP: oneOf(
    'Proofs that are stamped if vBase or a chain is configured: those of accounts, only those of public forecasts, or all, including those of guests.',
    'accounts',
    ['accounts', 'public', 'all'],
  ),
  ALMANAC_STAMPS_PER_DAY: integer(
    'Maximum number of proofs that are stamped in a UTC day. Others wait for the next day.',
    10_000,
    { min: 0, max: 1_000_000_000 },
  ),
  ALMANAC_VBASE_KEY: secret(
    optionalText(
      'API key for vBase, whose service stamps the proofs. Cannot be combined with ALMANAC_CHAIN_URL. See receipts.md.',
      'none',
      checkProviderKey,
    ),
  ),
  ALMANAC_VBASE_URL: setting({
    description: 'Base address of the API of vBase.',
    fallback: 'https://app.vbase.com/api/v1',
    read: readBaseAddress,
  }),
  ALMANAC_VBASE_COLLECTION: text(
    'Name of the collection that proofs are added to, at vBase or on a chain. It is created at the first stamp.',
    'almanac',
    checkCollection,
  ),
  ALMANAC_CHAIN_URL: secret(
    optionalText(
      'Address of the JSON-RPC interface of an EVM chain on which the service stamps the proofs itself. It uses https, or http on loopback. Requires the three settings below.',
      'none',
      checkNodeAddress,
    ),
  ),
  ALMANAC_CHAIN_ID: optionalInteger('Id of this chain.', 'none', { min: 1, max: Number.MAX_SAFE_INTEGER }),
  ALMANAC_CHAIN_CONTRACT: setting<string | undefined>({
    description: 'Address of the commitment contract on this chain.',
    fallback: undefined,
    defaultText: 'none',
    read: readAddress,
  }),
  ALMANAC_CHAIN_KEY_FILE: setting<string | undefined>({
    description:
      'File with the private key that signs the transactions, as 0x and 64 hexadecimal digits. No other program may use this key.',
    fallback: undefined,
    defaultText: 'none',
    read: readFilePath,
  }),
  ALMANAC_CHAIN_CONFIRMATIONS: integer(
    'Number of blocks, including its own, after which a transaction counts as confirmed.',
    12,
    { min: 1, max: 1_000 },
  ),
};

type StampValues = {
  readonly [Name in keyof typeof STAMP_SETTINGS]: ReturnType<(typeof STAMP_SETTINGS)[Name]['read']>;
};

/** Returns the settings of receipts. Throws a `ConfigError` if both ways to stamp or only a part of one are set. */
export function stampsOf(values: StampValues): StampSettings {
  const chain = chainOf(values);
  const vbase = vbaseOf(values);
  if (chain !== null && vbase !== null) {
    throw new ConfigError(
      'ALMANAC_VBASE_KEY and ALMANAC_CHAIN_URL must not both be set: proofs are stamped by vBase or on a chain.',
    );
  }
  return { stamper: chain ?? vbase, selection: values.ALMANAC_STAMP, perDay: values.ALMANAC_STAMPS_PER_DAY };
}

function vbaseOf(values: StampValues): VbaseSettings | null {
  const { ALMANAC_VBASE_KEY: key, ALMANAC_VBASE_URL: url, ALMANAC_VBASE_COLLECTION: collection } = values;
  return key === undefined ? null : { kind: 'vbase', key, url, collection };
}

function chainOf(values: StampValues): ChainSettings | null {
  const required = {
    ALMANAC_CHAIN_URL: values.ALMANAC_CHAIN_URL,
    ALMANAC_CHAIN_ID: values.ALMANAC_CHAIN_ID,
    ALMANAC_CHAIN_CONTRACT: values.ALMANAC_CHAIN_CONTRACT,
    ALMANAC_CHAIN_KEY_FILE: values.ALMANAC_CHAIN_KEY_FILE,
  };
  const names = Object.keys(required) as (keyof typeof required)[];
  const set = names.find((name) => required[name] !== undefined);
  if (set === undefined) return null;
  const missing = names.find((name) => required[name] === undefined);
  if (missing !== undefined) throw new ConfigError(`${missing} must be set when ${set} is set.`);
  return {
    kind: 'chain',
    url: values.ALMANAC_CHAIN_URL as string,
    chainId: values.ALMANAC_CHAIN_ID as number,
    contract: values.ALMANAC_CHAIN_CONTRACT as string,
    keyPath: values.ALMANAC_CHAIN_KEY_FILE as string,
    confirmations: values.ALMANAC_CHAIN_CONFIRMATIONS,
    collection: values.ALMANAC_VBASE_COLLECTION,
  };
}

// The functions that check or read a setting throw an `Error` whose message completes "NAME must …".

function checkNodeAddress(text: string): void {
  if (!isSafeWebAddress(text)) throw new Error('be an https address, or http on loopback, without a user');
}

function checkCollection(text: string): void {
  if (text.length > 100 || !/^[\x20-\x7e]+$/.test(text)) {
    throw new Error('have 1 to 100 characters: ASCII letters, digits, signs and spaces');
  }
}

function readAddress(text: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new Error('be an address: 0x and 40 hexadecimal digits');
  return text.toLowerCase();
}
