// The messages of the Stan thread. This file loads nothing, so that the Stan thread does not load the engine.

import type { ProphetRuntime } from '../engine/index.ts';

/** One search for the Stan thread. */
export interface StanSearch {
  readonly arguments: Parameters<ProphetRuntime['optimize']>;
  readonly state: SearchState;
}

/** Shared memory of one search: the fields of `STATE`. */
export type SearchState = Int32Array<SharedArrayBuffer>;

/** The index of each number in a search's shared memory. */
export const STATE = {
  /** 1 once the answer has been posted. */
  done: 0,
  /** The kernel's id of the Stan thread; 0 until the search begins. */
  threadId: 1,
  /** CPU time of the Stan thread when the search began, in milliseconds. */
  cpuBeforeMs: 2,
} as const;

export type StanAnswer = (
  | { readonly result: ReturnType<ProphetRuntime['optimize']> }
  | { readonly failure: string; readonly isBroken: boolean }
) & {
  /** CPU time of the search. */
  readonly cpuMs: number;
};
