/** The types of Thrift's compact protocol that Parquet uses. */
const BYTE = 3;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;
const BOOLEANS = [1, 2];
const VARINTS = [4, 5, 6];

/** Footers nest less than ten levels. */
const MAX_DEPTH = 24;
const MAX_VARINT_BYTES = 10;
/** Structures of Parquet have about 20 fields. Objects with many different ones take much memory. */
const MAX_FIELD = 100;

/** The error for bytes that are not a Thrift structure, or for one that would take too much memory. */
export class ThriftError extends Error {
  override readonly name = 'ThriftError';
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/**
 * Checks that bytes begin with a Thrift structure that a parser can read in bounded time and memory. Parsers allocate what
 * a list states as its length before they read its elements, and read numbers of any length. Both would let a file of a
 * few bytes take all memory of the process, which no limit of a thread prevents.
 *
 * @param maxValues the largest number of values in the structure
 */
export function checkThrift(bytes: Uint8Array, maxValues: number): void {
  new Checker(bytes, maxValues).checkStruct(0);
}

class Checker {
  readonly #bytes: Uint8Array;
  #valuesLeft: number;
  #at = 0;

  constructor(bytes: Uint8Array, maxValues: number) {
    this.#bytes = bytes;
    this.#valuesLeft = maxValues;
  }

  checkStruct(depth: number): void {
    if (depth > MAX_DEPTH) throw new ThriftError('The structure nests too deep.');
    let field = 0;
    for (let head = this.#next(); (head & 0x0f) !== 0; head = this.#next()) {
      // A head states the difference to the field before, or the number follows, twice as large as it is.
      field = head >> 4 === 0 ? this.#varint() / 2 : field + (head >> 4);
      if (field > MAX_FIELD) throw new ThriftError('A field has an unknown number.');
      // A field of a boolean type has its value in the type.
      const type = head & 0x0f;
      if (BOOLEANS.includes(type)) this.#count(1);
      else this.#checkValue(type, depth);
    }
  }

  #checkValue(type: number, depth: number): void {
    this.#count(1);
    if (type === BYTE || BOOLEANS.includes(type)) this.#skip(1);
    else if (VARINTS.includes(type)) this.#varint();
    else if (type === DOUBLE) this.#skip(8);
    else if (type === BINARY) this.#skip(this.#varint());
    else if (type === LIST) this.#checkList(depth + 1);
    else if (type === STRUCT) this.checkStruct(depth + 1);
    else throw new ThriftError('A value has an unknown type.');
  }

  #checkList(depth: number): void {
    if (depth > MAX_DEPTH) throw new ThriftError('The structure nests too deep.');
    const head = this.#next();
    const length = head >> 4 === 15 ? this.#varint() : head >> 4;
    // Every element takes at least one byte, so that a list that is longer than the structure has no end.
    for (let index = 0; index < length; index++) this.#checkValue(head & 0x0f, depth);
  }

  #varint(): number {
    let value = 0;
    for (let index = 0; index < MAX_VARINT_BYTES; index++) {
      const byte = this.#next();
      value += (byte & 0x7f) * 2 ** (7 * index);
      if ((byte & 0x80) === 0) return value;
    }
    throw new ThriftError('A number is too long.');
  }

  #next(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new ThriftError('The structure has no end.');
    return byte;
  }

  #skip(length: number): void {
    if (length > this.#bytes.length - this.#at) throw new ThriftError('A value is longer than the structure.');
    this.#at += length;
  }

  #count(values: number): void {
    this.#valuesLeft -= values;
    if (this.#valuesLeft < 0) throw new ThriftError('The structure has too many values.', true);
  }
}
