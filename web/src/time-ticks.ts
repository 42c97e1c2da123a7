import { type TimeTick, timeTicks } from '../../src/charts/time-axis.ts';
import { createTimeScale } from '../../src/charts/time-scale.ts';

/** The horizontal positions of rows. */
export interface Positions {
  readonly x: readonly number[];
  /** Returns the ticks between two positions, for a chart of this width. */
  ticks(min: number, max: number, width: number): readonly (TimeTick & { readonly at: number })[];
}

/**
 * Returns where rows stand on the axis. Usually this is their time; bars of minutes that come in sessions have equal
 * distances, because the nights between them would take most of the width.
 *
 * @param times in seconds since 1970
 * @param canBeEqual whether rows may have equal distances
 */
export function positionsOf(times: readonly number[], canBeEqual = true): Positions {
  const ms = Float64Array.from(times, (time) => time * 1_000);
  const all = createTimeScale(ms, 0, 1_000);
  const isLinear = all.isLinear || !canBeEqual;
  const { rowMonths } = all;
  const x = isLinear ? times : times.map((_, index) => index);
  return {
    x,
    ticks(min, max, width) {
      const shown = isLinear
        ? Float64Array.of(min * 1_000, max * 1_000)
        : ms.slice(Math.max(0, Math.ceil(min)), Math.max(1, Math.floor(max) + 1));
      const first = shown[0] ?? 0;
      const last = shown.at(-1) ?? 0;
      const place = (time: number): number =>
        isLinear
          ? ((time - first) / Math.max(1, last - first)) * width
          : ((ms.indexOf(time) - min) / Math.max(1, max - min)) * width;
      const range = { first, last, left: 0, right: width };
      const scale = { isLinear, times: shown, rowMonths, ...range, x: place, isGap: () => false };
      return timeTicks(scale).map((tick) => ({ ...tick, at: min + (tick.x / width) * (max - min) }));
    },
  };
}
