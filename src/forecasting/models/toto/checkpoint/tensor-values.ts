import { CheckpointError, quote } from './checkpoint-error.ts';
import { BYTES_PER_VALUE, type StoredTensor } from './safetensors-header.ts';

/** The values of a stored tensor; those of an aligned F32 tensor are the bytes of the file, not a copy. */
export function tensorValues(tensor: StoredTensor, file: Uint8Array, dataStart: number): Float32Array {
  const width = BYTES_PER_VALUE[tensor.dtype];
  const stored = file.subarray(dataStart + tensor.begin, dataStart + tensor.end);
  // A typed array cannot begin anywhere else.
  const bytes = stored.byteOffset % width === 0 ? stored : stored.slice();
  const count = bytes.length / width;
  const values =
    tensor.dtype === 'F32'
      ? new Float32Array(bytes.buffer, bytes.byteOffset, count)
      : widen(new Uint16Array(bytes.buffer, bytes.byteOffset, count), tensor.dtype);
  refuseInfinite(values, tensor.name);
  return values;
}

function widen(halves: Uint16Array, dtype: 'F16' | 'BF16'): Float32Array {
  if (dtype === 'F16') return Float32Array.from(halves, halfToNumber);
  // BF16 is the upper half of an F32.
  const bits = Uint32Array.from(halves, (half) => half << 16);
  return new Float32Array(bits.buffer);
}

/** One sign bit, five of the exponent, ten of the fraction. */
function halfToNumber(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

function refuseInfinite(values: Float32Array, name: string): void {
  // 0 times anything finite is 0: one addition per value, millions of times, and no branch.
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += 0 * (values[i] as number);
  if (sum === 0) return;
  const at = values.findIndex((value) => !Number.isFinite(value));
  throw new CheckpointError('TENSOR_NOT_FINITE', `Value ${at} of the tensor ${quote(name)} is ${values[at]}.`);
}
