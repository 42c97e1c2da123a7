/** Numbers in row-major order. */
export interface OnnxTensor {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** What came back under one name; whoever asked knows which numbers it must be. */
export interface OnnxOutput {
  readonly data: unknown;
  readonly shape: readonly number[];
}

/** A graph that can be run. Two runs at a time are never asked of it. */
export interface OnnxSession {
  run(feeds: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxOutput>>>;
}

/**
 * Makes an ONNX graph runnable. Whoever starts the model brings it, because a runtime holds native memory and threads,
 * and the engine holds none.
 */
export type StartSession = (graph: Uint8Array) => Promise<OnnxSession>;
