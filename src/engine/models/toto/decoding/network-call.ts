import type { CallPosition } from './call-positions.ts';

/** What the network is asked about one set of series; several sets can be asked about in one run. */
export interface NetworkCall {
  /** Of each series, one token after the other. */
  readonly tokens: readonly Float32Array[];
  readonly positions: readonly CallPosition[];
  /** How many of the last positions have results. */
  readonly kept: number;
  /** For each series which patches of its past have no observation. */
  readonly isVoid: readonly Uint8Array[];
  /** Series with the same number are forecast jointly. */
  readonly seriesIds: readonly number[];
}

/** Where the positions of a call stand in a run that holds several. */
export interface Place {
  readonly call: NetworkCall;
  /** Its positions without results, and after those of all calls its positions with them. */
  readonly firstEarly: number;
  readonly firstKept: number;
}

export interface Packed {
  readonly places: readonly Place[];
  readonly count: number;
  /** How many of the last positions have results. */
  readonly kept: number;
}

/** Puts calls one after the other, without the empty positions that equal lengths would need. */
export function pack(calls: readonly NetworkCall[]): Packed {
  const kept = calls.reduce((sum, call) => sum + call.kept, 0);
  const count = calls.reduce((sum, call) => sum + call.positions.length, 0);
  let firstEarly = 0;
  let firstKept = count - kept;
  const places = calls.map((call) => {
    const place = { call, firstEarly, firstKept };
    firstEarly += call.positions.length - call.kept;
    firstKept += call.kept;
    return place;
  });
  return { places, count, kept };
}

/** Where a position of a call stands in the run. */
export function placeOf({ call, firstEarly, firstKept }: Place, position: number): number {
  const early = call.positions.length - call.kept;
  return position < early ? firstEarly + position : firstKept + position - early;
}
