import type { FileHandle } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { BackupError } from './backup-error.ts';
import type { BackupKey } from './file-key.ts';
import { seal, unseal } from './sealed-file.ts';

/** The kinds of records, in the order in which a backup has them. The numbers are stored. */
export const RECORDS = { about: 1, table: 2, rows: 3, tableEnd: 4, file: 5, manifest: 6 } as const;
export type RecordKind = (typeof RECORDS)[keyof typeof RECORDS];

export interface BackupRecord {
  readonly kind: RecordKind;
  readonly bytes: Buffer;
}

const PREFIX_BYTES = 5;
/** Most of the bytes are packed already. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function jsonRecord(kind: RecordKind, value: object): BackupRecord {
  return { kind, bytes: Buffer.from(JSON.stringify(value)) };
}

/** Returns the bytes of a file with these records, compressed and encrypted. */
export function encodeRecords(records: AsyncIterable<BackupRecord>, secret: BackupKey): AsyncIterable<Buffer> {
  const packed = createZstdCompress(COMPRESSION);
  // An error of the source destroys the last stream, whose reader gets it.
  pipeline(Readable.from(prefixRecords(records)), packed, () => undefined);
  return seal(packed, secret);
}

async function* prefixRecords(records: AsyncIterable<BackupRecord>): AsyncGenerator<Buffer> {
  for await (const { kind, bytes } of records) {
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix[0] = kind;
    prefix.writeUInt32BE(bytes.length, 1);
    yield prefix;
    if (bytes.length > 0) yield bytes;
  }
}

/** Yields the records of an open file. */
export async function* decodeRecords(file: FileHandle, path: string, secret: BackupKey): AsyncGenerator<BackupRecord> {
  const unpacked = createZstdDecompress();
  pipeline(Readable.from(unseal(file, path, secret)), unpacked, () => undefined);
  let waiting: Buffer[] = [];
  let size = 0;
  let needed = PREFIX_BYTES;
  for await (const chunk of unpacked as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < needed) continue;
    let bytes = waiting.length === 1 ? chunk : Buffer.concat(waiting);
    for (;;) {
      needed = bytes.length < PREFIX_BYTES ? PREFIX_BYTES : PREFIX_BYTES + bytes.readUInt32BE(1);
      if (bytes.length < needed) break;
      yield { kind: bytes[0] as RecordKind, bytes: bytes.subarray(PREFIX_BYTES, needed) };
      bytes = bytes.subarray(needed);
    }
    waiting = [bytes];
    size = bytes.length;
  }
  if (size > 0) throw new BackupError(`${path} ends in the middle of a record. Use another backup.`);
}
