import type { Series } from '../../../src/engine/index.ts';

/** Returns a monthly series from January 2000. */
export function monthlySeries(values: ArrayLike<number>, season = 1): Series {
  const times = Float64Array.from(values, (_, i) => Date.UTC(2000, i, 1));
  return { values: Float64Array.from(values), times, cadence: { frequency: '1MS', kind: 'plain' }, season };
}

/** Returns an hourly series from January 2000, for values too many for months. */
export function hourlySeries(values: ArrayLike<number>, season = 1): Series {
  const times = Float64Array.from(values, (_, i) => Date.UTC(2000, 0, 1, i));
  return { values: Float64Array.from(values), times, cadence: { frequency: '1h', kind: 'plain' }, season };
}
