import { hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { notBackup, otherKeyKind, wrongKey } from './backup-error.ts';

/** The key with which a backup is encrypted: a passphrase of a person, or the 32 random bytes of a file. */
export type BackupKey =
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | { readonly kind: 'file'; readonly bytes: Buffer };

export const KEY_FILE_BYTES = 32;

/** About a tenth of a second and 128 MiB for each guess. Stored in the header, so that it can grow. */
const SCRYPT_COST = 131_072;
const MAX_SCRYPT_COST = 1_048_576;
const SCRYPT = { r: 8, p: 1, maxmem: 2 * 1024 * 1024 * 1024 };

const Header = z.strictObject({
  key: z.enum(['passphrase', 'file']),
  /** The cost of scrypt, which makes a key of a passphrase. */
  cost: z.int().min(1024).max(MAX_SCRYPT_COST).optional(),
  salt: z.string(),
  /** Tells a wrong key from a damaged file. It reveals nothing about the key of the content. */
  check: z.string(),
});

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** The key of the content of one file, and the line with which the file begins. */
export interface FileKey {
  readonly header: string;
  readonly key: Buffer;
}

/** Makes the key of a new file. No two files have the same one, so that a nonce is a plain count. */
export async function createFileKey(secret: BackupKey): Promise<FileKey> {
  const salt = randomBytes(32);
  const cost = secret.kind === 'passphrase' ? SCRYPT_COST : undefined;
  const { key, check } = await expand(secret, salt, cost);
  const header = { key: secret.kind, ...(cost && { cost }), salt: salt.toString('hex'), check: check.toString('hex') };
  return { header: JSON.stringify(header), key };
}

/** Returns the key of a file that begins with this header. Throws if the secret is not the one of the file. */
export async function openFileKey(path: string, header: string, secret: BackupKey): Promise<Buffer> {
  const { key: kind, cost, salt, check } = readHeader(path, header);
  if (kind !== secret.kind) throw otherKeyKind(path, kind);
  const found = await expand(secret, Buffer.from(salt, 'hex'), cost);
  const expected = Buffer.from(check, 'hex');
  if (expected.length !== found.check.length || !timingSafeEqual(expected, found.check)) throw wrongKey(path, kind);
  return found.key;
}

function readHeader(path: string, text: string): z.output<typeof Header> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notBackup(path);
  }
  const header = Header.safeParse(value);
  if (!header.success) throw notBackup(path);
  return header.data;
}

async function expand(secret: BackupKey, salt: Buffer, cost: number | undefined) {
  const material =
    secret.kind === 'file'
      ? secret.bytes
      : await derive(secret.passphrase.normalize('NFC'), salt, 32, { ...SCRYPT, N: cost ?? SCRYPT_COST });
  const part = (use: string, length: number) =>
    Buffer.from(hkdfSync('sha256', material, salt, `almanac backup 1 ${use}`, length));
  return { key: part('content', 32), check: part('check', 16) };
}
