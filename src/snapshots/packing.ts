import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const DOUBLE = 8;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/**
 * Compresses columns of doubles. All first bytes are put before all second bytes and so on: neighbouring prices share
 * their high bytes, and runs of those are what a compressor shortens. Takes other threads' time, not this one's.
 */
export async function pack(columns: Buffer): Promise<Buffer> {
  return compress(regroup(columns, columns.length / DOUBLE, DOUBLE), LEVEL);
}

export async function unpack(packed: Buffer, size: number): Promise<Buffer> {
  // Without the bound a few damaged bytes could ask for all the memory there is.
  const grouped = await decompress(packed, { maxOutputLength: Math.max(1, size) });
  if (grouped.length !== size) throw new Error(`A snapshot unpacked to ${grouped.length} bytes instead of ${size}.`);
  return regroup(grouped, DOUBLE, size / DOUBLE);
}

/** Transposes a matrix of bytes. */
function regroup(bytes: Buffer, rows: number, width: number): Buffer {
  const turned = Buffer.allocUnsafe(bytes.length);
  for (let column = 0, to = 0; column < width; column++) {
    for (let from = column, row = 0; row < rows; row++, from += width) turned[to++] = bytes[from] as number;
  }
  return turned;
}
