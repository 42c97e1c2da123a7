import { isAscii, isUtf8 } from 'node:buffer';
import type { CsvEncoding } from '../../../contract/index.ts';
import {
  type ByteDecoder,
  createUtf8Decoder,
  createUtf16Decoder,
  createWindows1252Decoder,
  type TakeText,
  utf8Length,
} from './byte-decoders.ts';

const BYTE_ORDER_MARKS: readonly { readonly encoding: CsvEncoding; readonly mark: Buffer }[] = [
  { encoding: 'utf-8', mark: Buffer.of(0xef, 0xbb, 0xbf) },
  { encoding: 'utf-16le', mark: Buffer.of(0xff, 0xfe) },
  { encoding: 'utf-16be', mark: Buffer.of(0xfe, 0xff) },
];
const MAX_MARK_LENGTH = 3;

/**
 * Decodes text in any supported encoding. A byte order mark decides the encoding. Without one, the declared encoding
 * applies. Without either, the first byte that is not ASCII decides. Up to that byte, UTF-8 and windows-1252 are the
 * same, so nothing has to be read twice. If the byte begins a valid UTF-8 character, which is very unlikely in another
 * encoding, the file is UTF-8, otherwise windows-1252.
 */
export class EncodedText implements ByteDecoder {
  readonly #declared: CsvEncoding | null;
  #start: Buffer | null = Buffer.alloc(0);
  #decoder: ByteDecoder | null = null;
  #encoding: CsvEncoding = 'utf-8';
  #undecided = Buffer.alloc(0);

  constructor(declared: CsvEncoding | null) {
    this.#declared = declared;
  }

  /** The encoding. It may change until `end` is called. */
  get encoding(): CsvEncoding {
    return this.#encoding;
  }

  push(bytes: Buffer, take: TakeText): void {
    if (this.#start === null) {
      this.#decode(bytes, take);
      return;
    }
    this.#start = Buffer.concat([this.#start, bytes]);
    if (this.#start.length >= MAX_MARK_LENGTH) this.#begin(this.#start, take);
  }

  end(take: TakeText): void {
    if (this.#start !== null) this.#begin(this.#start, take);
    // An incomplete character at the end of the file is not UTF-8.
    if (this.#undecided.length > 0) this.#choose('windows-1252').push(this.#undecided, take);
    this.#decoder?.end(take);
  }

  #begin(start: Buffer, take: TakeText): void {
    this.#start = null;
    const found = BYTE_ORDER_MARKS.find(({ mark }) => start.subarray(0, mark.length).equals(mark));
    const encoding = found?.encoding ?? this.#declared;
    if (encoding !== null) this.#choose(encoding, found !== undefined);
    this.#decode(start.subarray(found?.mark.length ?? 0), take);
  }

  #choose(encoding: CsvEncoding, isMarked = false): ByteDecoder {
    this.#encoding = encoding;
    this.#decoder = createDecoder(encoding, isMarked);
    return this.#decoder;
  }

  #decode(bytes: Buffer, take: TakeText): void {
    if (this.#decoder === null) this.#decodeUndecided(bytes, take);
    else this.#decoder.push(bytes, take);
  }

  #decodeUndecided(bytes: Buffer, take: TakeText): void {
    const all = Buffer.concat([this.#undecided, bytes]);
    this.#undecided = Buffer.alloc(0);
    const first = isAscii(all) ? all.length : all.findIndex((byte) => byte >= 0x80);
    take(all.toString('latin1', 0, first));
    if (first === all.length) return;
    const rest = Buffer.from(all.subarray(first));
    const length = utf8Length(rest[0] as number);
    if (length > rest.length) {
      this.#undecided = rest;
      return;
    }
    const encoding = length > 0 && isUtf8(rest.subarray(0, length)) ? 'utf-8' : 'windows-1252';
    this.#choose(encoding).push(rest, take);
  }
}

function createDecoder(encoding: CsvEncoding, isMarked: boolean): ByteDecoder {
  if (encoding === 'utf-8') return createUtf8Decoder();
  if (encoding === 'windows-1252') return createWindows1252Decoder();
  return createUtf16Decoder(encoding === 'utf-16le' ? 'le' : 'be', isMarked);
}
