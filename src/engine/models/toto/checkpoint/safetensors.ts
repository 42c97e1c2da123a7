import { CheckpointError, quoteName } from './checkpoint-error.ts';
import { isJsonObject, parseJsonObject, topLevelKeys } from './json.ts';

type Dtype = 'F32' | 'F16' | 'BF16';

const BYTES_PER_VALUE: Readonly<Record<Dtype, number>> = { F32: 4, F16: 2, BF16: 2 };

/** The position and format of a tensor in a file. */
export interface StoredTensor {
  readonly name: string;
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  /** Byte offsets from the start of the data. The end is exclusive. */
  readonly begin: number;
  readonly end: number;
}

interface SafetensorsHeader {
  readonly tensors: readonly StoredTensor[];
  /** The position in the file at which the data begin. */
  readonly dataStart: number;
}

const LENGTH_BYTES = 8;
/** Twice the size of the header of the largest allowed configuration. Parsing takes several times as much memory. */
const MAX_HEADER_BYTES = 1_048_576;
const MAX_DIMENSIONS = 8;

/** Reads the header of a safetensors file: the length of a JSON object, and that object. */
export function readHeader(file: Uint8Array): SafetensorsHeader {
  if (file.length < LENGTH_BYTES) throw invalidHeader('the file ends before the length of its header.');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const length = view.getBigUint64(0, true);
  if (length > BigInt(Math.min(MAX_HEADER_BYTES, file.length - LENGTH_BYTES))) {
    throw invalidHeader(
      `a header of ${length} bytes does not fit: the file has ${file.length}, a header at most ${MAX_HEADER_BYTES}.`,
    );
  }
  const dataStart = LENGTH_BYTES + Number(length);
  const header = file.subarray(LENGTH_BYTES, dataStart);
  const { object, text } = parseJsonObject(header, 'The header of model.safetensors', 'HEADER_INVALID');
  requireUniqueNames(topLevelKeys(text));
  const tensors = Object.entries(object)
    .filter(([name]) => name !== '__metadata__')
    .map(([name, entry]) => readEntry(name, entry));
  checkOffsets(tensors, file.length - dataStart);
  return { tensors, dataStart };
}

function requireUniqueNames(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new CheckpointError('TENSOR_DUPLICATE', `The tensor ${quoteName(name)} occurs twice.`);
    seen.add(name);
  }
}

function readEntry(name: string, entry: unknown): StoredTensor {
  if (!isJsonObject(entry)) throw invalidHeader(`the entry of the tensor ${quoteName(name)} is not an object.`);
  const { dtype, shape, data_offsets: offsets } = entry;
  if (typeof dtype !== 'string') throw invalidHeader(`the tensor ${quoteName(name)} has no dtype.`);
  if (!isDtype(dtype)) {
    throw new CheckpointError(
      'DTYPE_UNSUPPORTED',
      `The tensor ${quoteName(name)} has the dtype ${quoteName(dtype)}; F32, F16 and BF16 can be read.`,
    );
  }
  if (!isSizeList(shape) || shape.length > MAX_DIMENSIONS)
    throw invalidHeader(`the shape of the tensor ${quoteName(name)} is wrong.`);
  if (!isSizeList(offsets) || offsets.length !== 2)
    throw invalidHeader(`the offsets of the tensor ${quoteName(name)} are wrong.`);
  return { name, dtype, shape, begin: offsets[0] as number, end: offsets[1] as number };
}

/**
 * Checks that the tensors fill the data without gaps or overlaps, and that each has the number of bytes that its shape
 * requires.
 */
function checkOffsets(tensors: readonly StoredTensor[], dataLength: number): void {
  let reached = 0;
  for (const { name, dtype, shape, begin, end } of tensors.toSorted((a, b) => a.begin - b.begin || a.end - b.end)) {
    const fault = (what: string): CheckpointError =>
      new CheckpointError(
        'OFFSETS_INVALID',
        `The offsets ${begin} to ${end} of the tensor ${quoteName(name)} ${what}.`,
      );
    if (begin > end || end > dataLength) throw fault(`do not lie in the ${dataLength} bytes of data`);
    const bytes = shape.reduce((count, size) => count * size, BYTES_PER_VALUE[dtype]);
    if (bytes !== end - begin) throw fault(`do not hold ${dtype} values of the shape [${shape}]`);
    if (begin < reached) throw fault('overlap another tensor');
    if (begin > reached) throw fault(`leave a hole after byte ${reached}`);
    reached = end;
  }
  if (reached === dataLength) return;
  throw new CheckpointError(
    'OFFSETS_INVALID',
    `No tensor uses the last ${dataLength - reached} bytes of model.safetensors.`,
  );
}

function isDtype(dtype: string): dtype is Dtype {
  return Object.hasOwn(BYTES_PER_VALUE, dtype);
}

function isSizeList(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

function invalidHeader(what: string): CheckpointError {
  return new CheckpointError('HEADER_INVALID', `model.safetensors cannot be read: ${what}`);
}

/** Returns the values of a stored tensor. For an aligned F32 tensor they are a view of the file, not a copy. */
export function tensorValues(tensor: StoredTensor, file: Uint8Array, dataStart: number): Float32Array {
  const width = BYTES_PER_VALUE[tensor.dtype];
  const stored = file.subarray(dataStart + tensor.begin, dataStart + tensor.end);
  // A typed array must start at a multiple of its width.
  const bytes = stored.byteOffset % width === 0 ? stored : stored.slice();
  const count = bytes.length / width;
  const values =
    tensor.dtype === 'F32'
      ? new Float32Array(bytes.buffer, bytes.byteOffset, count)
      : widen(new Uint16Array(bytes.buffer, bytes.byteOffset, count), tensor.dtype);
  requireFinite(values, tensor.name);
  return values;
}

/**
 * Converts half-precision values to F32. Uses plain loops, because `Float32Array.from` with a function takes ten times
 * as long.
 */
function widen(halves: Uint16Array, dtype: 'F16' | 'BF16'): Float32Array {
  const bits = new Uint32Array(halves.length);
  if (dtype === 'BF16') {
    // A BF16 is the upper half of an F32.
    for (let i = 0; i < bits.length; i++) bits[i] = (halves[i] as number) << 16;
    return new Float32Array(bits.buffer);
  }
  // An F16 has shorter versions of the fields of an F32. Shifted to their F32 positions, they form a number that is too
  // small by a factor of 2^112.
  for (let i = 0; i < bits.length; i++) {
    const half = halves[i] as number;
    bits[i] = ((half & 0x8000) << 16) | ((half & 0x7fff) << 13);
  }
  const values = new Float32Array(bits.buffer);
  for (let i = 0; i < values.length; i++) values[i] = restoreNonFinite((values[i] as number) * 2 ** 112);
  return values;
}

/**
 * An F16 infinity is decoded as this value, just beyond the finite F16 numbers. F16 NaNs are decoded as larger values.
 */
const F16_END = 65_536;

function restoreNonFinite(value: number): number {
  const size = Math.abs(value);
  if (size < F16_END) return value;
  return size === F16_END ? value * Number.POSITIVE_INFINITY : Number.NaN;
}

function requireFinite(values: Float32Array, name: string): void {
  // 0 times a finite number is 0, so the sum is 0 unless a value is not finite. This avoids a branch for each of
  // millions of values.
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += 0 * (values[i] as number);
  if (sum === 0) return;
  const at = values.findIndex((value) => !Number.isFinite(value));
  throw new CheckpointError('TENSOR_NOT_FINITE', `Value ${at} of the tensor ${quoteName(name)} is ${values[at]}.`);
}
