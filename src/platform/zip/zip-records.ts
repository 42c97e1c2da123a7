/** What the records of a ZIP archive state about one file. */
export interface WrittenFile {
  readonly name: Buffer;
  readonly modified: Date;
  readonly crc: number;
  /** The number of bytes after compression. */
  readonly packed: number;
  /** The number of bytes before compression. */
  readonly size: number;
  /** Where the file begins in the archive. */
  readonly offset: number;
}

/** The sizes follow the content, and the name is in UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;
const VERSION = 20;
/** The version from which positions beyond 4 GiB can be stated. */
const VERSION_64 = 45;
/** In a field of this value, the number is in the record with 64 bits. */
export const BEYOND_32_BITS = 0xffff_ffff;
const BEYOND_16_BITS = 0xffff;
/** A regular file that its owner can read and write, for the systems that read such attributes. */
const ATTRIBUTES = (0o100644 << 16) >>> 0;
const MADE_ON_UNIX = 3 << 8;

/** Returns the record before the content of a file. */
export function localHeader({ name, modified }: Pick<WrittenFile, 'name' | 'modified'>): Buffer {
  return Buffer.concat([
    words([0x04034b50, 4], [VERSION, 2], ...common(modified), [0, 4], [0, 4], [0, 4], [name.length, 2], [0, 2]),
    name,
  ]);
}

/** Returns the record after the content of a file. */
export function dataDescriptor({ crc, packed, size }: Pick<WrittenFile, 'crc' | 'packed' | 'size'>): Buffer {
  return words([0x08074b50, 4], [crc, 4], [packed, 4], [size, 4]);
}

/** Returns the entry of a file in the directory of the archive. */
export function directoryEntry({ name, modified, crc, packed, size, offset }: WrittenFile): Buffer {
  const isFar = offset >= BEYOND_32_BITS;
  const extra = isFar ? words([0x0001, 2], [8, 2], [offset, 8]) : Buffer.alloc(0);
  return Buffer.concat([
    words(
      [0x02014b50, 4],
      [MADE_ON_UNIX | VERSION_64, 2],
      [isFar ? VERSION_64 : VERSION, 2],
      ...common(modified),
      [crc, 4],
      [packed, 4],
      [size, 4],
      [name.length, 2],
      [extra.length, 2],
      // No comment, the first disk, no internal attributes.
      [0, 2],
      [0, 2],
      [0, 2],
      [ATTRIBUTES, 4],
      [isFar ? BEYOND_32_BITS : offset, 4],
    ),
    name,
    extra,
  ]);
}

/** Returns the records that end an archive. */
export function endOfArchive(
  entries: number,
  { start, size }: { readonly start: number; readonly size: number },
): Buffer {
  const isLarge = entries >= BEYOND_16_BITS || start >= BEYOND_32_BITS || size >= BEYOND_32_BITS;
  const end = words(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [Math.min(entries, BEYOND_16_BITS), 2],
    [Math.min(entries, BEYOND_16_BITS), 2],
    [Math.min(size, BEYOND_32_BITS), 4],
    [Math.min(start, BEYOND_32_BITS), 4],
    [0, 2],
  );
  if (!isLarge) return end;
  const record = words(
    [0x06064b50, 4],
    [44, 8],
    [MADE_ON_UNIX | VERSION_64, 2],
    [VERSION_64, 2],
    [0, 4],
    [0, 4],
    [entries, 8],
    [entries, 8],
    [size, 8],
    [start, 8],
  );
  const locator = words([0x07064b50, 4], [0, 4], [start + size, 8], [1, 4]);
  return Buffer.concat([record, locator, end]);
}

type Word = readonly [value: number, bytes: 2 | 4 | 8];

/** Returns the fields that a file has before its content and in the directory: flags, method, time and date. */
function common(modified: Date): Word[] {
  const time = (modified.getUTCHours() << 11) | (modified.getUTCMinutes() << 5) | (modified.getUTCSeconds() >> 1);
  const years = Math.min(127, Math.max(0, modified.getUTCFullYear() - 1980));
  const date = (years << 9) | ((modified.getUTCMonth() + 1) << 5) | modified.getUTCDate();
  return [
    [FLAGS, 2],
    [DEFLATE, 2],
    [time, 2],
    [date, 2],
  ];
}

/** Writes numbers, each with its number of bytes, the lowest byte first. */
function words(...fields: readonly Word[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}
