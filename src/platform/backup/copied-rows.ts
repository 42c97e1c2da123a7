import { hash } from 'node:crypto';

/**
 * Rows in the binary format of COPY, which is the same for both databases and every version of PostgreSQL: for each row
 * the number of its fields, and for each field its length, -1 for NULL, and its bytes.
 */

/** The signature, the flags and the length of the extension of a header, as PostgreSQL writes and reads it. */
export const COPY_HEADER: Buffer = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
export const COPY_TRAILER: Buffer = Buffer.from([0xff, 0xff]);

const END = -1;

/** Cuts the output of COPY into pieces that end with a row, without header and trailer. */
export class RowCutter {
  #rest: Buffer = Buffer.alloc(0);
  #isStarted = false;
  #isEnded = false;

  /** Returns the rows that are complete after this chunk. */
  cut(chunk: Buffer): Buffer {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (!this.#isStarted) {
      if (bytes.length < COPY_HEADER.length) {
        this.#rest = bytes;
        return Buffer.alloc(0);
      }
      bytes = bytes.subarray(COPY_HEADER.length);
      this.#isStarted = true;
    }
    let at = 0;
    for (;;) {
      const end = endOfRow(bytes, at);
      if (end === undefined) break;
      if (end === END) {
        this.#isEnded = true;
        this.#rest = Buffer.alloc(0);
        return bytes.subarray(0, at);
      }
      at = end;
    }
    this.#rest = bytes.subarray(at);
    return bytes.subarray(0, at);
  }

  /** Throws if the output ended before its trailer. */
  requireEnd(): void {
    if (!this.#isEnded) throw new Error('The output of COPY ended early.');
  }
}

/** Yields each row of bytes that begin and end with one. */
export function* rowsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const end = endOfRow(bytes, at);
    if (end === undefined || end === END) throw new Error('The rows are cut at a wrong place.');
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** Returns where the row that begins at `at` ends; `END` if it is the trailer, undefined if it is incomplete. */
function endOfRow(bytes: Buffer, at: number): number | undefined {
  if (at + 2 > bytes.length) return undefined;
  const fields = bytes.readInt16BE(at);
  if (fields === -1) return END;
  let end = at + 2;
  for (let field = 0; field < fields; field++) {
    if (end + 4 > bytes.length) return undefined;
    const length = bytes.readInt32BE(end);
    end += length > 0 ? 4 + length : 4;
  }
  return end > bytes.length ? undefined : end;
}

const WORDS = 4;
const WORD_MASK = (1n << 64n) - 1n;

/** The number and the digest of rows. */
export interface RowSummary {
  readonly rows: number;
  readonly bytes: number;
  /** The sum of the SHA-256 of every row, so that the order of the rows does not matter. */
  readonly digest: string;
}

/** Adds up the hashes of rows. A row that is missing, repeated or changed changes the sum. */
export class RowDigest {
  readonly #sum = new BigUint64Array(WORDS);
  #rows = 0;
  #bytes = 0;

  add(bytes: Buffer): void {
    for (const row of rowsOf(bytes)) {
      const digest = hash('sha256', row, 'buffer');
      for (let word = 0; word < WORDS; word++)
        this.#sum[word] = ((this.#sum[word] as bigint) + digest.readBigUInt64BE(word * 8)) & WORD_MASK;
      this.#rows += 1;
    }
    this.#bytes += bytes.length;
  }

  summary(): RowSummary {
    const digest = [...this.#sum].map((word) => word.toString(16).padStart(16, '0')).join('');
    return { rows: this.#rows, bytes: this.#bytes, digest };
  }
}
