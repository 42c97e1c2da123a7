import { pow } from '../../../numerics/elementary.ts';
import { cos, sin } from '../../../numerics/trigonometric.ts';
import type { TotoConfig } from '../checkpoint/read-config.ts';
import { rotatedPairs } from '../graph/feeds.ts';
import { type PackedCalls, packedPosition } from './network-call.ts';

const ANGLE_BASE = 10_000;
/** The distance, in patches, at which the scale of xPos has its full effect. */
const XPOS_PATCHES = 256;

/** The rotation of queries and keys at each position: one number per pair of dimensions. */
interface RotaryTables {
  readonly queryCos: Float32Array;
  readonly querySin: Float32Array;
  readonly keyCos: Float32Array;
  readonly keySin: Float32Array;
}

/**
 * Computes the tables of rotary position encoding, with which the score of a query and a key depends only on their
 * distance. With xPos the score decays with the distance: queries and keys are scaled in opposite directions, starting
 * from a center. The tables include that scale.
 */
export function computeRotaryTables(config: TotoConfig, packed: PackedCalls): RotaryTables {
  const pairs = rotatedPairs(config);
  const width = 2 * pairs;
  const table = (): Float32Array => new Float32Array(packed.count * pairs);
  const tables = { queryCos: table(), querySin: table(), keyCos: table(), keySin: table() };
  for (const packedCall of packed.calls) {
    packedCall.call.positions.forEach(({ center }, position) => {
      const first = packedPosition(packedCall, position) * pairs;
      for (let pair = 0; pair < pairs; pair++) {
        const angle = position * pow(ANGLE_BASE, (-2 * pair) / width);
        const base = (2 * pair + 0.4 * width) / (1.4 * width);
        const scale = config.hasXpos ? pow(base, (position - center) / XPOS_PATCHES) : 1;
        tables.queryCos[first + pair] = cos(angle) * scale;
        tables.querySin[first + pair] = sin(angle) * scale;
        tables.keyCos[first + pair] = cos(angle) / scale;
        tables.keySin[first + pair] = sin(angle) / scale;
      }
    });
  }
  return tables;
}
