/** The input of Prophet's Stan program, with the field names of that program. */
export interface StanData {
  readonly T: number;
  readonly y: readonly number[];
  readonly t: readonly number[];
  readonly cap: readonly number[];
  readonly S: number;
  readonly t_change: readonly number[];
  readonly trend_indicator: 0;
  readonly K: number;
  readonly s_a: readonly number[];
  readonly s_m: readonly number[];
  readonly X: readonly (readonly number[])[];
  readonly sigmas: readonly number[];
  readonly tau: number;
}

/** The parameters that the Stan program estimates. */
export interface StanParameters {
  /** Growth per unit of scaled time before the first changepoint. */
  readonly k: number;
  readonly m: number;
  /** Change of growth at each changepoint. */
  readonly delta: Float64Array;
  /** Weight of each seasonal feature. */
  readonly beta: Float64Array;
  readonly sigmaObs: number;
}

/**
 * Prophet's Stan program with its optimizer, such as the `optimizer` of `@bsull/augurs-prophet-wasmstan`. The code that
 * creates the model loads it, because the package reads WASM from disk and the engine does not read files.
 */
export interface ProphetRuntime {
  optimize(
    start: StanParameters,
    dataJson: string,
    options: {
      readonly seed?: number;
      readonly iter?: number;
      readonly tolObj?: number;
      readonly tolRelObj?: number;
      readonly tolParam?: number;
    },
  ): { readonly params: StanParameters };
}
