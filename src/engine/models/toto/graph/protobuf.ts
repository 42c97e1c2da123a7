const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/**
 * Writes one protobuf message. Long payloads are kept by reference until the outermost message is assembled, so that
 * megabytes of weights are copied only once, however deeply they are nested.
 */
export class ProtobufWriter {
  readonly #parts: Uint8Array[] = [];
  #size = 0;

  /** Writes a safe integer. A negative integer takes ten bytes, as its 64-bit two's complement. */
  integer(field: number, value: number): this {
    this.#add(varint(BigInt(field * 8 + VARINT)));
    return this.#add(varint(BigInt.asUintN(64, BigInt(value))));
  }

  float(field: number, value: number): this {
    this.#add(varint(BigInt(field * 8 + FIXED_32)));
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    return this.#add(bytes);
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#open(field, value.length).#add(value);
  }

  message(field: number, value: ProtobufWriter): this {
    this.#open(field, value.#size);
    for (const part of value.#parts) this.#add(part);
    return this;
  }

  /** The size in bytes. */
  get size(): number {
    return this.#size;
  }

  toBytes(): Uint8Array {
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  #open(field: number, length: number): this {
    this.#add(varint(BigInt(field * 8 + LENGTH_DELIMITED)));
    return this.#add(varint(BigInt(length)));
  }

  #add(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    this.#size += bytes.length;
    return this;
  }
}

/** Encodes seven bits per byte, the lowest first. The eighth bit is set if more bytes follow. */
function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
