export interface WrittenTensor {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: Uint8Array;
}

/** Returns a safetensors file with these tensors in order. */
export function writeSafetensors(tensors: readonly WrittenTensor[]): Uint8Array {
  let length = 0;
  const header: Record<string, unknown> = {};
  for (const { name, dtype, shape, data } of tensors) {
    header[name] = { dtype, shape, data_offsets: [length, length + data.length] };
    length += data.length;
  }
  return joinSafetensors(
    JSON.stringify(header),
    tensors.map(({ data }) => data),
  );
}

/** Joins a header and data of any content, padded as the original's writer does. */
export function joinSafetensors(header: string, data: readonly Uint8Array[]): Uint8Array {
  const text = new TextEncoder().encode(header.padEnd(Math.ceil(header.length / 8) * 8));
  const length = data.reduce((sum, part) => sum + part.length, 0);
  const file = new Uint8Array(8 + text.length + length);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  let at = 8 + text.length;
  for (const part of data) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}
