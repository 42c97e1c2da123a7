import { KNOTS, type TotoConfig } from '../checkpoint/index.ts';
import { FEEDS, KNOTS_OUTPUT, turnedPairs } from '../graph/feeds.ts';
import type { OnnxSession } from '../session.ts';
import { keptRows, timeMask, variateMask } from './masks.ts';
import { type NetworkCall, type Packed, pack, placeOf } from './network-call.ts';
import { computeTurns } from './turns.ts';

/** A network that runs. */
export class Network {
  readonly config: TotoConfig;
  readonly #session: OnnxSession;

  constructor(config: TotoConfig, session: OnnxSession) {
    this.config = config;
    this.#session = session;
  }

  /**
   * Asks about several sets with equally many series in one run. For each call, series and kept position: the numbers
   * of one patch.
   */
  async run(calls: readonly NetworkCall[]): Promise<Float32Array[][][]> {
    const packed = pack(calls);
    const { count, kept } = packed;
    const variates = calls[0]?.tokens.length ?? 0;
    const turns = computeTurns(this.config, packed);
    const mask = timeMask(packed, variates);
    const pairs = turnedPairs(this.config);
    const outputs = await this.#session.run({
      [FEEDS.tokens]: { data: this.#tokens(packed, variates), shape: [variates, count, this.config.tokenWidth] },
      [FEEDS.queryCos]: { data: turns.queryCos, shape: [count, pairs] },
      [FEEDS.querySin]: { data: turns.querySin, shape: [count, pairs] },
      [FEEDS.keyCos]: { data: turns.keyCos, shape: [count, pairs] },
      [FEEDS.keySin]: { data: turns.keySin, shape: [count, pairs] },
      [FEEDS.timeMask]: { data: mask, shape: [variates, 1, count, count] },
      [FEEDS.keptMask]: { data: keptRows(mask, packed, variates), shape: [variates, 1, kept, count] },
      [FEEDS.variateMask]: { data: variateMask(packed, variates), shape: [count, 1, variates, variates] },
    });
    const size = KNOTS * this.config.patchSize;
    const knots = outputs[KNOTS_OUTPUT]?.data;
    if (!(knots instanceof Float32Array && knots.length === variates * kept * size)) {
      throw new Error('The session gave no results of the shape that its graph has.');
    }
    return packed.places.map(({ call, firstKept }) =>
      call.tokens.map((_, variate) =>
        Array.from({ length: call.kept }, (_, i) => {
          const at = (variate * kept + firstKept - (count - kept) + i) * size;
          return knots.subarray(at, at + size);
        }),
      ),
    );
  }

  #tokens({ places, count }: Packed, variates: number): Float32Array {
    const width = this.config.tokenWidth;
    const all = new Float32Array(variates * count * width);
    for (const place of places) {
      place.call.tokens.forEach((tokens, variate) => {
        for (let position = 0; position < place.call.positions.length; position++) {
          const token = tokens.subarray(position * width, (position + 1) * width);
          all.set(token, (variate * count + placeOf(place, position)) * width);
        }
      });
    }
    return all;
  }
}
