import type { TotoConfig } from '../checkpoint/index.ts';
import { turnedPairs } from '../graph/feeds.ts';
import { type Packed, placeOf } from './network-call.ts';

const ANGLE_BASE = 10_000;
/** Over so many patches the scale of xPos takes its full effect. */
const XPOS_PATCHES = 256;

/** How queries and keys are turned at each position: one number per pair of dimensions. */
export interface Turns {
  readonly queryCos: Float32Array;
  readonly querySin: Float32Array;
  readonly keyCos: Float32Array;
  readonly keySin: Float32Array;
}

/**
 * Rotary positions: what a query sees of a key depends on their distance alone. xPos lets it fade with the distance, by
 * scaling queries and keys in opposite directions from a centre; that scale is part of the tables here.
 */
export function computeTurns(config: TotoConfig, packed: Packed): Turns {
  const pairs = turnedPairs(config);
  const width = 2 * pairs;
  const table = (): Float32Array => new Float32Array(packed.count * pairs);
  const turns = { queryCos: table(), querySin: table(), keyCos: table(), keySin: table() };
  for (const place of packed.places) {
    place.call.positions.forEach(({ centre }, position) => {
      const first = placeOf(place, position) * pairs;
      for (let pair = 0; pair < pairs; pair++) {
        const angle = position * ANGLE_BASE ** ((-2 * pair) / width);
        const base = (2 * pair + 0.4 * width) / (1.4 * width);
        const scale = config.hasXpos ? base ** ((position - centre) / XPOS_PATCHES) : 1;
        turns.queryCos[first + pair] = Math.cos(angle) * scale;
        turns.querySin[first + pair] = Math.sin(angle) * scale;
        turns.keyCos[first + pair] = Math.cos(angle) / scale;
        turns.keySin[first + pair] = Math.sin(angle) / scale;
      }
    });
  }
  return turns;
}
