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

/** Plain loops: `from` with a function takes ten times as long, which shows with millions of values. */
function widen(halves: Uint16Array, dtype: 'F16' | 'BF16'): Float32Array {
  const bits = new Uint32Array(halves.length);
  if (dtype === 'BF16') {
    // The upper half of an F32.
    for (let i = 0; i < bits.length; i++) bits[i] = (halves[i] as number) << 16;
    return new Float32Array(bits.buffer);
  }
  // The parts of an F32, but shorter. Moved to their places, they are a number that is 112 powers of two too small.
  for (let i = 0; i < bits.length; i++) {
    const half = halves[i] as number;
    bits[i] = ((half & 0x8000) << 16) | ((half & 0x7fff) << 13);
  }
  const values = new Float32Array(bits.buffer);
  for (let i = 0; i < values.length; i++) values[i] = finiteOrNone((values[i] as number) * 2 ** 112);
  return values;
}

/** From here on the numbers of an F16 are none: this one stands for infinity, those beyond for NaN. */
const F16_END = 65_536;

function finiteOrNone(value: number): number {
  const size = Math.abs(value);
  if (size < F16_END) return value;
  return size === F16_END ? value * Number.POSITIVE_INFINITY : Number.NaN;
}

function refuseInfinite(values: Float32Array, name: string): void {
  // 0 times anything finite is 0: one addition per value, millions of times, and no branch.
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += 0 * (values[i] as number);
  if (sum === 0) return;
  const at = values.findIndex((value) => !Number.isFinite(value));
  throw new CheckpointError('TENSOR_NOT_FINITE', `Value ${at} of the tensor ${quote(name)} is ${values[at]}.`);
}
