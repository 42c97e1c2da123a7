import { CheckpointError } from '../checkpoint/checkpoint-error.ts';
import type { TotoCheckpoint } from '../checkpoint/read-checkpoint.ts';

/** A row of a matrix, and its factor. */
export interface ScaledRow {
  readonly row: number;
  readonly factor: number;
}

/** The tensors of a checkpoint. */
export class Weights {
  readonly #tensors: ReadonlyMap<string, Float32Array>;

  constructor(checkpoint: TotoCheckpoint) {
    this.#tensors = checkpoint.tensors;
  }

  /** Returns a tensor without copying it. Most weights enter the graph this way. */
  raw(name: string): Float32Array {
    const values = this.#tensors.get(name);
    if (values === undefined) throw new CheckpointError('TENSOR_MISSING', `The tensor ${name} is missing.`);
    return values;
  }

  /** Returns the value of a scalar tensor. */
  number(name: string): number {
    return this.raw(name)[0] as number;
  }

  /** Returns a tensor multiplied by a factor; undefined if the checkpoint does not have the tensor, such as a bias. */
  scaled(name: string, factor: number): Float32Array | undefined {
    return this.#tensors.get(name)?.map((value) => factor * value);
  }

  /** Returns rows of a matrix one after the other, each multiplied by its factor. */
  rows(name: string, width: number, rows: readonly ScaledRow[]): Float32Array {
    const values = this.raw(name);
    const picked = new Float32Array(rows.length * width);
    for (let to = 0; to < rows.length; to++) {
      const { row, factor } = rows[to] as ScaledRow;
      picked.set(values.subarray(row * width, (row + 1) * width), to * width);
      if (factor === 1) continue;
      for (let i = to * width; i < (to + 1) * width; i++) picked[i] = factor * (picked[i] as number);
    }
    return picked;
  }
}
