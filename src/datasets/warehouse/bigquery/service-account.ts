import { createPrivateKey, type KeyObject } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { ConfigError, isLoopback, isRecord } from '../../../platform/index.ts';

/** The Google service account that sends the requests. */
export interface ServiceAccount {
  readonly clientEmail: string;
  readonly keyId: string;
  /** Neither logs nor errors print its content. */
  readonly key: KeyObject;
  readonly tokenUri: string;
}

const SETTING = 'ALMANAC_BIGQUERY_CREDENTIALS';
const REMEDY = 'Create a JSON key of a service account in the Google Cloud console.';
/** A key file has about 2,400 bytes. */
const MAX_FILE_BYTES = 64 * 1024;
const MAX_TEXT_LENGTH = 500;
const MIN_KEY_BITS = 2_048;
const GOOGLE_TOKEN_URI = 'https://oauth2.googleapis.com/token';

/**
 * Reads the key file of a service account. Throws a `ConfigError` that contains no part of the file, whose content is
 * secret.
 */
export function readServiceAccount(path: string): ServiceAccount {
  const file = parseFile(readStart(path));
  const { type, client_email: clientEmail, private_key: pem, private_key_id: keyId, token_uri: tokenUri } = file;
  if (type !== 'service_account') throw invalid('its "type" is not "service_account"');
  if (!isPlainText(clientEmail) || !clientEmail.includes('@')) throw invalid('its "client_email" is not an address');
  if (!isPlainText(keyId)) throw invalid('its "private_key_id" is missing');
  if (typeof tokenUri !== 'string' || !isTokenUri(tokenUri)) {
    throw invalid(`its "token_uri" is neither ${GOOGLE_TOKEN_URI} nor a loopback address`);
  }
  return { clientEmail, keyId, key: readKey(pem), tokenUri };
}

function readStart(path: string): Buffer {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(MAX_FILE_BYTES + 1);
      return bytes.subarray(0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    throw new ConfigError(`${SETTING} must name a file that can be read.`);
  }
}

function parseFile(bytes: Buffer): Readonly<Record<string, unknown>> {
  if (bytes.byteLength > MAX_FILE_BYTES) throw invalid('it is larger than 64 KiB');
  let file: unknown;
  try {
    file = JSON.parse(bytes.toString('utf8'));
  } catch {
    // The message of JSON.parse quotes the text.
    throw invalid('it is not JSON');
  }
  if (!isRecord(file)) throw invalid('it is not a JSON object');
  return file;
}

function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && /^[\x21-\x7e]+$/.test(value);
}

/** Returns whether an assertion may be sent to an address: to Google, or to a server on this machine. */
function isTokenUri(text: string): boolean {
  if (text === GOOGLE_TOKEN_URI) return true;
  const url = text.length <= MAX_TEXT_LENGTH ? URL.parse(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false;
  return isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
}

function readKey(pem: unknown): KeyObject {
  const isPkcs8 = typeof pem === 'string' && /^-----BEGIN PRIVATE KEY-----\r?\n/.test(pem);
  if (!isPkcs8) throw invalid('its "private_key" is not a PKCS #8 key in the PEM format');
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, format: 'pem', type: 'pkcs8' });
  } catch {
    throw invalid('its "private_key" cannot be read');
  }
  const bits = key.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : 0;
  if (bits < MIN_KEY_BITS) throw invalid(`its "private_key" is not an RSA key of at least ${MIN_KEY_BITS} bits`);
  return key;
}

/** @param problem the predicate of a sentence about the file, without any part of it */
function invalid(problem: string): ConfigError {
  return new ConfigError(`${SETTING} must name the key file of a service account: ${problem}. ${REMEDY}`);
}
