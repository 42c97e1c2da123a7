import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const DOUBLE = 8;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/**
 * Compresses columns of doubles. All first bytes are put before all second bytes and so on: neighbouring prices share
 * their high bytes, and runs of those are what a compressor shortens. Compressing is done by another thread.
 */
export async function pack(columns: Buffer): Promise<Buffer> {
  return compress(splitDoubles(columns), LEVEL);
}

export async function unpack(packed: Buffer, size: number): Promise<Buffer> {
  // Without the bound a few damaged bytes could ask for all the memory there is.
  const grouped = await decompress(packed, { maxOutputLength: Math.max(1, size) });
  if (grouped.length !== size) throw new Error(`A snapshot unpacked to ${grouped.length} bytes instead of ${size}.`);
  return joinDoubles(grouped);
}

function splitDoubles(doubles: Buffer): Buffer {
  const count = doubles.length / DOUBLE;
  const grouped = Buffer.allocUnsafeSlow(doubles.length);
  for (let i = 0; i < doubles.length; i++)
    grouped[(i % DOUBLE) * count + Math.floor(i / DOUBLE)] = doubles[i] as number;
  return grouped;
}

function joinDoubles(grouped: Buffer): Buffer {
  const count = grouped.length / DOUBLE;
  // Not from the pool, where it could lie across the boundaries of doubles.
  const doubles = Buffer.allocUnsafeSlow(grouped.length);
  const group = Array.from({ length: DOUBLE }, (_, i) => grouped.subarray(i * count, (i + 1) * count));
  const [a, b, c, d, e, f, g, h] = group as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
  // Written out: a loop over the eight takes four times as long.
  for (let i = 0, to = 0; i < count; i++) {
    doubles[to++] = a[i] as number;
    doubles[to++] = b[i] as number;
    doubles[to++] = c[i] as number;
    doubles[to++] = d[i] as number;
    doubles[to++] = e[i] as number;
    doubles[to++] = f[i] as number;
    doubles[to++] = g[i] as number;
    doubles[to++] = h[i] as number;
  }
  return doubles;
}
