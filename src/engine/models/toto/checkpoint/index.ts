import { CheckpointError, quote } from './checkpoint-error.ts';
import { expectedTensors } from './expected-tensors.ts';
import { readConfig, type TotoConfig } from './read-config.ts';
import { readHeader, type StoredTensor } from './safetensors-header.ts';
import { tensorValues } from './tensor-values.ts';

export { CheckpointError, type CheckpointErrorCode } from './checkpoint-error.ts';
export { KNOTS } from './expected-tensors.ts';
export { EXTRA_STATISTICS, type TotoConfig } from './read-config.ts';

/** A network and its weights, complete and finite. */
export interface TotoCheckpoint {
  readonly config: TotoConfig;
  /** By the original's names; matrices row by row, a row per output. */
  readonly tensors: ReadonlyMap<string, Float32Array>;
}

/**
 * Reads a checkpoint as it is published: `config.json` and `model.safetensors`. Throws a `CheckpointError` for whatever
 * is wrong with them. The weights may be views of the bytes given, which must not change any more.
 */
export function readCheckpoint(files: { readonly config: Uint8Array; readonly weights: Uint8Array }): TotoCheckpoint {
  const config = readConfig(files.config);
  const { tensors: stored, dataStart } = readHeader(files.weights);
  checkNamesAndShapes(config, stored);
  const tensors = new Map(stored.map((tensor) => [tensor.name, tensorValues(tensor, files.weights, dataStart)]));
  return { config, tensors };
}

function checkNamesAndShapes(config: TotoConfig, stored: readonly StoredTensor[]): void {
  const expected = expectedTensors(config);
  const byName = new Map(stored.map((tensor) => [tensor.name, tensor]));
  for (const [name, shape] of expected) {
    const tensor = byName.get(name);
    if (tensor === undefined) throw new CheckpointError('TENSOR_MISSING', `The tensor ${quote(name)} is missing.`);
    if (tensor.shape.length !== shape.length || shape.some((size, i) => size !== tensor.shape[i])) {
      throw new CheckpointError(
        'TENSOR_MISSHAPED',
        `The tensor ${quote(name)} has the shape [${tensor.shape}]; config.json needs [${shape}].`,
      );
    }
  }
  const surplus = stored.find(({ name }) => !expected.has(name));
  if (surplus === undefined) return;
  throw new CheckpointError('TENSOR_SURPLUS', `config.json has no place for the tensor ${quote(surplus.name)}.`);
}
