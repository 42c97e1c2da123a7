import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The prefixes of the secrets that the service issues. A secret consists of a prefix, 32 random bytes and a checksum.
 * It is written in base 62, so that a double click selects all of it. The checksum reveals most mistyped or truncated
 * secrets without a query.
 */
export type SecretPrefix = 'alm_pat_' | 'alm_svc_' | 'alm_ses_' | 'alm_gst_' | 'alm_lnk_' | 'alm_cls_' | 'alm_fed_';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Any 32 bytes fit, because 62^43 > 2^256. */
const BODY_LENGTH = 43;
/** Any CRC-32 fits, because 62^6 > 2^32. */
const CHECKSUM_LENGTH = 6;

export function newSecret(prefix: SecretPrefix): string {
  const body = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), BODY_LENGTH);
  return prefix + body + checksumOf(prefix + body);
}

/** Returns whether a string has the form of a secret with this prefix, including a valid checksum. */
export function isWellFormedSecret(text: string, prefix: SecretPrefix): boolean {
  if (!text.startsWith(prefix) || text.length !== prefix.length + BODY_LENGTH + CHECKSUM_LENGTH) return false;
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Returns the hash under which a secret is stored. Secrets have 256 random bits, so a fast hash is sufficient. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

function checksumOf(text: string): string {
  return toBase62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function toBase62(value: bigint, length: number): string {
  let remainder = value;
  let text = '';
  for (let digit = 0; digit < length; digit++) {
    text = BASE62.charAt(Number(remainder % 62n)) + text;
    remainder /= 62n;
  }
  return text;
}
