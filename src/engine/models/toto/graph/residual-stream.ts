import { CheckpointError } from '../checkpoint/index.ts';
import type { Weights } from './weights.ts';

/** The gains of a model come to less than 3 in all; with many more, nothing would be left of its first layers. */
const MAX_GAIN = 1e6;

/**
 * The state that branches are added to. The network divides it by √(1 + τ²) after each branch. Nothing reads it but
 * norms, which do not mind its scale: so it is left to grow, branches grow with it, and the divisions are saved.
 */
export class ResidualStream {
  readonly #epsilon: number;
  #gain = 1;

  constructor(epsilon: number) {
    this.#epsilon = epsilon;
  }

  /** What a norm of the state must add to the mean square, which has grown too. */
  get epsilon(): number {
    return this.#epsilon * this.#gain ** 2;
  }

  /** What the branch with this τ must be multiplied by. */
  addBranch(weights: Weights, name: string): number {
    const tau = weights.number(name);
    const factor = tau * this.#gain;
    this.#gain *= Math.sqrt(1 + tau ** 2);
    if (this.#gain <= MAX_GAIN) return factor;
    throw new CheckpointError('TENSOR_OUT_OF_RANGE', `The tensor ${name} lets the state grow too far: it is ${tau}.`);
  }
}
