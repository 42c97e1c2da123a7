import { CheckpointError, quote } from './checkpoint-error.ts';
import { isJsonObject, parseJsonObject } from './parse-json-object.ts';
import { topLevelKeys } from './top-level-keys.ts';

export type Dtype = 'F32' | 'F16' | 'BF16';

export const BYTES_PER_VALUE: Readonly<Record<Dtype, number>> = { F32: 4, F16: 2, BF16: 2 };

/** Where a tensor lies in a file, and how. */
export interface StoredTensor {
  readonly name: string;
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  /** Bytes from the start of the data, the end not included. */
  readonly begin: number;
  readonly end: number;
}

export interface SafetensorsHeader {
  readonly tensors: readonly StoredTensor[];
  /** Where the data begins in the file. */
  readonly dataStart: number;
}

const LENGTH_BYTES = 8;
/** A header of the largest shape allowed has half of this; parsing costs many times the length. */
const LONGEST_HEADER = 1_048_576;
const MAX_DIMENSIONS = 8;

/** Reads the first part of a safetensors file: the length of a JSON object, and that object. */
export function readHeader(file: Uint8Array): SafetensorsHeader {
  if (file.length < LENGTH_BYTES) throw invalid('the file ends before the length of its header.');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const length = view.getBigUint64(0, true);
  if (length > BigInt(Math.min(LONGEST_HEADER, file.length - LENGTH_BYTES))) {
    throw invalid(
      `a header of ${length} bytes does not fit: the file has ${file.length}, a header at most ${LONGEST_HEADER}.`,
    );
  }
  const dataStart = LENGTH_BYTES + Number(length);
  const header = file.subarray(LENGTH_BYTES, dataStart);
  const { object, text } = parseJsonObject(header, 'The header of model.safetensors', 'HEADER_INVALID');
  refuseDuplicates(topLevelKeys(text));
  const tensors = Object.entries(object)
    .filter(([name]) => name !== '__metadata__')
    .map(([name, entry]) => readEntry(name, entry));
  checkOffsets(tensors, file.length - dataStart);
  return { tensors, dataStart };
}

function refuseDuplicates(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new CheckpointError('TENSOR_DUPLICATE', `The tensor ${quote(name)} is there twice.`);
    seen.add(name);
  }
}

function readEntry(name: string, entry: unknown): StoredTensor {
  if (!isJsonObject(entry)) throw invalid(`the entry of the tensor ${quote(name)} is no object.`);
  const { dtype, shape, data_offsets: offsets } = entry;
  if (typeof dtype !== 'string') throw invalid(`the tensor ${quote(name)} has no dtype.`);
  if (!isDtype(dtype)) {
    throw new CheckpointError(
      'DTYPE_UNSUPPORTED',
      `The tensor ${quote(name)} has the dtype ${quote(dtype)}; F32, F16 and BF16 can be read.`,
    );
  }
  if (!isSizes(shape) || shape.length > MAX_DIMENSIONS)
    throw invalid(`the shape of the tensor ${quote(name)} is wrong.`);
  if (!isSizes(offsets) || offsets.length !== 2) throw invalid(`the offsets of the tensor ${quote(name)} are wrong.`);
  return { name, dtype, shape, begin: offsets[0] as number, end: offsets[1] as number };
}

/** The tensors must fill the data without gap or overlap, each with as many bytes as its shape needs. */
function checkOffsets(tensors: readonly StoredTensor[], dataLength: number): void {
  let reached = 0;
  for (const { name, dtype, shape, begin, end } of tensors.toSorted((a, b) => a.begin - b.begin || a.end - b.end)) {
    const fault = (what: string): CheckpointError =>
      new CheckpointError('OFFSETS_INVALID', `The offsets ${begin} to ${end} of the tensor ${quote(name)} ${what}.`);
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

function isSizes(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

function invalid(what: string): CheckpointError {
  return new CheckpointError('HEADER_INVALID', `model.safetensors cannot be read: ${what}`);
}
