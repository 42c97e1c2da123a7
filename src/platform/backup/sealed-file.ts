import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { fileDamaged, fileTruncated, notBackup } from './backup-error.ts';
import { type BackupKey, createFileKey, openFileKey } from './file-key.ts';

/**
 * The outer form of a backup: a line that names the format, a line with the salt of the key, then frames. A frame is its
 * length, a mark on the last one, and bytes that are encrypted with AES-256-GCM. The nonce is the number of the frame and
 * its mark, so that a frame that is changed, moved, repeated or missing is detected.
 */

/** The first line of every backup. */
export const FORMAT = 'ALMANAC BACKUP 1\n';
const FRAME_BYTES = 256 * 1024;
const TAG_BYTES = 16;
const PREFIX_BYTES = 5;
const MAX_HEADER_BYTES = 1024;

/** Encrypts bytes. The first output is the header. */
export async function* seal(source: AsyncIterable<Buffer>, secret: BackupKey): AsyncGenerator<Buffer> {
  const { header, key } = await createFileKey(secret);
  yield Buffer.from(`${FORMAT}${header}\n`);
  let number = 0;
  for await (const { bytes, isLast } of cutFrames(source)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number++, isLast));
    const sealed = cipher.update(bytes);
    cipher.final();
    yield Buffer.concat([prefixOf(sealed.length, isLast), sealed, cipher.getAuthTag()]);
  }
}

async function* cutFrames(source: AsyncIterable<Buffer>): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    size += chunk.length;
    if (size <= FRAME_BYTES) continue;
    let bytes = Buffer.concat(waiting);
    // One byte stays, because the last frame is marked and must not be empty.
    while (bytes.length > FRAME_BYTES) {
      yield { bytes: bytes.subarray(0, FRAME_BYTES), isLast: false };
      bytes = bytes.subarray(FRAME_BYTES);
    }
    waiting = [bytes];
    size = bytes.length;
  }
  yield { bytes: Buffer.concat(waiting), isLast: true };
}

/** Decrypts the bytes of an open file. Throws a `BackupError` at the first frame that is not what was written. */
export async function* unseal(file: FileHandle, path: string, secret: BackupKey): AsyncGenerator<Buffer> {
  const { header, start } = await readHeader(file, path);
  const key = await openFileKey(path, header, secret);
  const { size } = await file.stat();
  let at = start;
  const read = async (length: number): Promise<Buffer> => {
    const bytes = Buffer.allocUnsafe(length);
    const { bytesRead } = await file.read(bytes, 0, length, at);
    if (bytesRead < length) throw fileTruncated(path, size);
    at += length;
    return bytes;
  };
  for (let number = 0; ; number++) {
    const prefix = await read(PREFIX_BYTES);
    const length = prefix.readUInt32BE(0);
    const isLast = prefix[4] === 1;
    if (length > FRAME_BYTES || (prefix[4] as number) > 1) throw fileDamaged(path, at);
    const sealed = await read(length);
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(await read(TAG_BYTES));
    const bytes = decipher.update(sealed);
    try {
      decipher.final();
    } catch {
      throw fileDamaged(path, at);
    }
    if (isLast && at !== size) throw fileDamaged(path, size);
    yield bytes;
    if (isLast) return;
  }
}

async function readHeader(file: FileHandle, path: string): Promise<{ header: string; start: number }> {
  const bytes = Buffer.alloc(MAX_HEADER_BYTES);
  const { bytesRead } = await file.read(bytes, 0, MAX_HEADER_BYTES, 0);
  const text = bytes.subarray(0, bytesRead).toString('latin1');
  const end = text.indexOf('\n', FORMAT.length);
  if (bytesRead < MAX_HEADER_BYTES && end < 0 && (text === '' || FORMAT.startsWith(text.slice(0, FORMAT.length))))
    throw fileTruncated(path, bytesRead);
  if (!text.startsWith(FORMAT) || end < 0) throw notBackup(path);
  return { header: text.slice(FORMAT.length, end), start: end + 1 };
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function prefixOf(length: number, isLast: boolean): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(length, 0);
  prefix[4] = isLast ? 1 : 0;
  return prefix;
}
