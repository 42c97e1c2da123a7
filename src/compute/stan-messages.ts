import type { ProphetRuntime } from '../engine/index.ts';

/** One search for the Stan thread. */
export interface StanSearch {
  readonly arguments: Parameters<ProphetRuntime['optimize']>;
  /** One number in shared memory, set to 1 when the answer is on its way. */
  readonly done: Int32Array<SharedArrayBuffer>;
}

export type StanAnswer = (
  | { readonly result: ReturnType<ProphetRuntime['optimize']> }
  | { readonly failure: string; readonly isBroken: boolean }
) & {
  /** What the search cost. */
  readonly cpuMs: number;
};
