import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Secrets that we hand out: prefix, 32 random bytes and a checksum, in base 62 so that a double click selects the whole.
 * The checksum refuses a mistyped or truncated secret before the database is asked.
 */
export type SecretPrefix = 'alm_pat_' | 'alm_svc_' | 'alm_ses_' | 'alm_gst_' | 'alm_lnk_' | 'alm_cls_';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 > 2^256: every 32 bytes fit. */
const BODY_LENGTH = 43;
/** 62^6 > 2^32. */
const CHECKSUM_LENGTH = 6;

export function newSecret(prefix: SecretPrefix): string {
  const body = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), BODY_LENGTH);
  return prefix + body + checksumOf(prefix + body);
}

/** Whether a text can be a secret with this prefix at all. Costs no lookup. */
export function isWellFormedSecret(text: string, prefix: SecretPrefix): boolean {
  if (!text.startsWith(prefix) || text.length !== prefix.length + BODY_LENGTH + CHECKSUM_LENGTH) return false;
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** What is stored. The secret has 256 random bits, so a fast hash is enough and a lookup by it leaks nothing. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

function checksumOf(text: string): string {
  return toBase62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function toBase62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let place = 0; place < length; place++) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
