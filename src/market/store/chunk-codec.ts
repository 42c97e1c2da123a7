import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MINUTE_MS } from '../../calendar/index.ts';
import { BAR_COLUMNS, type BarTable } from '../bars.ts';

/** The stored bytes of a chunk are damaged or have a form that this build does not read. */
export class DamagedChunkError extends Error {
  override readonly name = 'DamagedChunkError';
}

const FORM = 1;
/** The form and the number of rows. */
const HEADER_BYTES = 5;
/** The tag of a column whose values are stored as doubles. Every smaller tag is the number of decimals of integers. */
const DOUBLES = 255;
const MAX_DECIMALS = 6;
const SCALES = Array.from({ length: MAX_DECIMALS + 1 }, (_, decimals) => 10 ** decimals);
const MAX_INTEGER = 2 ** 31 - 1;
/** More than the minutes of a day and the sessions of a year, which are the longest chunks. */
const MAX_ROWS = 20_000;
const COLUMNS = BAR_COLUMNS.length + 1;

// The checksum makes the decompression of changed bytes fail. The level is the one that reads fastest.
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};
const MAX_BYTES = HEADER_BYTES + COLUMNS * (1 + 8 * MAX_ROWS);
/** The size before the compression comes first, so that the decompression allocates no more memory than it needs. */
const SIZE_BYTES = 4;

/**
 * Compresses the bars of a chunk without loss, by column. Prices with a few decimals are stored as the differences of
 * integers, others as doubles. The first bytes of all values are stored first, then all second bytes, and so on,
 * because runs of equal bytes compress well.
 */
export function encodeChunk({ timestamps, columns }: BarTable): Buffer {
  const rows = timestamps.length;
  if (rows > MAX_ROWS) throw new RangeError(`A chunk has at most ${MAX_ROWS} rows, not ${rows}.`);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(FORM);
  header.writeUInt32LE(rows, 1);
  const minutes = timestamps.map((time) => time / MINUTE_MS);
  const parts = [minutes, ...BAR_COLUMNS.map((name) => columns[name])].map(encodeColumn);
  const bytes = Buffer.concat([header, ...parts]);
  const size = Buffer.alloc(SIZE_BYTES);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([size, zstdCompressSync(bytes, COMPRESSION)]);
}

/** Restores the bars of a chunk. Throws a `DamagedChunkError` if the bytes are not those that were stored. */
export function decodeChunk(data: Uint8Array): BarTable {
  const bytes = decompress(data);
  const rows = bytes[0] === FORM ? readUInt32(bytes, 1) : -1;
  if (rows < 0 || rows > MAX_ROWS) throw new DamagedChunkError('The chunk has no valid header.');
  let at = HEADER_BYTES;
  const next = (): Float64Array => {
    const tag = bytes[at] ?? DOUBLES;
    const length = rows * (tag === DOUBLES ? 8 : 4);
    at += 1 + length;
    if (at > bytes.length || (tag !== DOUBLES && tag > MAX_DECIMALS)) {
      throw new DamagedChunkError('The chunk ends within a column.');
    }
    const from = at - length;
    return tag === DOUBLES
      ? decodeDoubles(bytes, from, rows)
      : decodeIntegers(bytes, from, rows, SCALES[tag] as number);
  };
  const timestamps = next();
  for (let i = 0; i < rows; i++) timestamps[i] = (timestamps[i] as number) * MINUTE_MS;
  const columns = { open: next(), high: next(), low: next(), close: next(), volume: next() };
  if (at !== bytes.length) throw new DamagedChunkError('The chunk is longer than its columns.');
  return { timestamps, columns };
}

function decompress(data: Uint8Array): Uint8Array {
  const size = data.length < SIZE_BYTES ? 0 : readUInt32(data, 0);
  if (size < HEADER_BYTES || size > MAX_BYTES) throw new DamagedChunkError('The chunk has no valid size.');
  try {
    // A little more, because a full buffer makes it allocate a second one.
    const bytes = zstdDecompressSync(data.subarray(SIZE_BYTES), {
      maxOutputLength: size,
      chunkSize: size + 64,
    });
    if (bytes.length === size) return bytes;
  } catch (cause) {
    throw new DamagedChunkError('The chunk cannot be decompressed.', { cause });
  }
  throw new DamagedChunkError('The chunk has another size.');
}

function readUInt32(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
}

function encodeColumn(values: Float64Array): Buffer {
  const decimals = countDecimals(values);
  if (decimals === null) return encodeDoubles(values);
  const rows = values.length;
  const bytes = Buffer.alloc(1 + 4 * rows);
  bytes[0] = decimals;
  const scale = SCALES[decimals] as number;
  let previous = 0;
  for (let i = 0; i < rows; i++) {
    const value = Math.round((values[i] as number) * scale);
    const difference = (value - previous) | 0;
    // The sign becomes the lowest bit, so that the high bytes of small negative differences are zero.
    const folded = (difference << 1) ^ (difference >> 31);
    bytes[1 + i] = folded;
    bytes[1 + rows + i] = folded >>> 8;
    bytes[1 + 2 * rows + i] = folded >>> 16;
    bytes[1 + 3 * rows + i] = folded >>> 24;
    previous = value;
  }
  return bytes;
}

/** Returns the smallest number of decimals with which integers restore every value exactly; null if there is none. */
function countDecimals(values: Float64Array): number | null {
  let decimals = 0;
  for (let i = 0; i < values.length; i++) {
    // More decimals can make an earlier value inexact or too large, so all values are tried again.
    for (; !isExact(values[i] as number, SCALES[decimals] as number); i = 0) if (++decimals > MAX_DECIMALS) return null;
  }
  return decimals;
}

function isExact(value: number, scale: number): boolean {
  const integer = Math.round(value * scale);
  // A negative zero would lose its sign.
  return integer <= MAX_INTEGER && integer >= -MAX_INTEGER && integer / scale === value && !Object.is(value, -0);
}

function decodeIntegers(bytes: Uint8Array, from: number, rows: number, scale: number): Float64Array {
  const values = new Float64Array(rows);
  let value = 0;
  for (let i = 0, a = from, b = a + rows, c = b + rows, d = c + rows; i < rows; i++, a++, b++, c++, d++) {
    const folded =
      (bytes[a] as number) | ((bytes[b] as number) << 8) | ((bytes[c] as number) << 16) | ((bytes[d] as number) << 24);
    value = (value + ((folded >>> 1) ^ -(folded & 1))) | 0;
    values[i] = value / scale;
  }
  return values;
}

function encodeDoubles(values: Float64Array): Buffer {
  const rows = values.length;
  const bytes = Buffer.alloc(1 + 8 * rows);
  bytes[0] = DOUBLES;
  const view = new DataView(new ArrayBuffer(8));
  for (let i = 0; i < rows; i++) {
    view.setFloat64(0, values[i] as number, true);
    for (let byte = 0; byte < 8; byte++) bytes[1 + byte * rows + i] = view.getUint8(byte);
  }
  return bytes;
}

function decodeDoubles(bytes: Uint8Array, from: number, rows: number): Float64Array {
  const values = new Float64Array(rows);
  const view = new DataView(values.buffer);
  for (let i = 0; i < rows; i++) {
    view.setUint32(8 * i, joinBytes(bytes, from + i, rows), true);
    view.setUint32(8 * i + 4, joinBytes(bytes, from + 4 * rows + i, rows), true);
  }
  // The bytes were written in little-endian order, which is the order of the view but perhaps not of the machine.
  if (IS_BIG_ENDIAN) for (let i = 0; i < rows; i++) values[i] = view.getFloat64(8 * i, true);
  return values;
}

const IS_BIG_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

function joinBytes(bytes: Uint8Array, at: number, stride: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + stride] as number) << 8) |
    ((bytes[at + 2 * stride] as number) << 16) |
    ((bytes[at + 3 * stride] as number) << 24)
  );
}
