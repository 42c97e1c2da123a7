import { KNOT_COUNT, type TotoConfig } from '../checkpoint/read-config.ts';
import { FEEDS, KNOTS_OUTPUT, rotatedPairs } from '../graph/feeds.ts';
import { keptRows, timeMask, variateMask } from './masks.ts';
import { type NetworkCall, type PackedCalls, pack, packedPosition } from './network-call.ts';
import { computeRotaryTables } from './rotary-tables.ts';

/** A network with the session that runs it. */
export class Network {
  readonly config: TotoConfig;
  readonly #session: OnnxSession;

  constructor(config: TotoConfig, session: OnnxSession) {
    this.config = config;
    this.#session = session;
  }

  /**
   * Runs several calls, which must have the same number of series, together. Returns the numbers of one patch for each
   * call, series and kept position.
   */
  async run(calls: readonly NetworkCall[]): Promise<Float32Array[][][]> {
    const packed = pack(calls);
    const { count, kept } = packed;
    const variates = calls[0]?.tokens.length ?? 0;
    const tables = computeRotaryTables(this.config, packed);
    const mask = timeMask(packed, variates);
    const pairs = rotatedPairs(this.config);
    const outputs = await this.#session.run({
      [FEEDS.tokens]: { data: this.#tokens(packed, variates), shape: [variates, count, this.config.tokenWidth] },
      [FEEDS.queryCos]: { data: tables.queryCos, shape: [count, pairs] },
      [FEEDS.querySin]: { data: tables.querySin, shape: [count, pairs] },
      [FEEDS.keyCos]: { data: tables.keyCos, shape: [count, pairs] },
      [FEEDS.keySin]: { data: tables.keySin, shape: [count, pairs] },
      [FEEDS.timeMask]: { data: mask, shape: [variates, 1, count, count] },
      [FEEDS.keptMask]: { data: keptRows(mask, packed, variates), shape: [variates, 1, kept, count] },
      [FEEDS.variateMask]: { data: variateMask(packed, variates), shape: [count, 1, variates, variates] },
    });
    const size = KNOT_COUNT * this.config.patchSize;
    const knots = outputs[KNOTS_OUTPUT]?.data;
    if (!(knots instanceof Float32Array && knots.length === variates * kept * size)) {
      throw new Error("The session returned no output of the graph's shape.");
    }
    return packed.calls.map(({ call, firstKept }) =>
      call.tokens.map((_, variate) =>
        Array.from({ length: call.kept }, (_, i) => {
          const at = (variate * kept + firstKept - (count - kept) + i) * size;
          return knots.subarray(at, at + size);
        }),
      ),
    );
  }

  #tokens({ calls, count }: PackedCalls, variates: number): Float32Array {
    const width = this.config.tokenWidth;
    const all = new Float32Array(variates * count * width);
    for (const packedCall of calls) {
      packedCall.call.tokens.forEach((tokens, variate) => {
        for (let position = 0; position < packedCall.call.positions.length; position++) {
          const token = tokens.subarray(position * width, (position + 1) * width);
          all.set(token, (variate * count + packedPosition(packedCall, position)) * width);
        }
      });
    }
    return all;
  }
}

/** A tensor in row-major order. */
interface OnnxTensor {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** One output of a session. The caller checks its type and size. */
interface OnnxOutput {
  readonly data: unknown;
  readonly shape: readonly number[];
}

/** A graph that can be run. The engine does not start a run before the previous one has ended. */
export interface OnnxSession {
  run(feeds: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxOutput>>>;
}

/**
 * Starts a session for an ONNX graph. The caller of `startToto` provides this function, because a runtime holds native
 * memory and threads and the engine does not.
 */
export type StartSession = (graph: Uint8Array) => Promise<OnnxSession>;
