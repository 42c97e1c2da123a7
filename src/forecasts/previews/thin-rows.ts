import { MAX_PREVIEW_VALUES } from '../../contract/index.ts';

/** Returns how many periods lie between two values of a preview, so that the whole horizon has room. */
export function strideOf(horizon: number): number {
  return Math.max(1, Math.ceil(horizon / MAX_PREVIEW_VALUES));
}

/** Returns the last rows, a stride apart and ending with the last one. Values that are not finite are left out. */
export function thinHistory(values: ArrayLike<number>, stride: number): number[] {
  const kept: number[] = [];
  for (let i = values.length - 1; i >= 0 && kept.length < MAX_PREVIEW_VALUES; i -= stride) {
    const value = values[i];
    if (value !== undefined && Number.isFinite(value)) kept.push(value);
  }
  return kept.reverse();
}

/** Returns the steps that are a stride apart from the origin, so that the line continues the history evenly. */
export function thinSteps<Step>(steps: readonly Step[], stride: number): Step[] {
  return steps.filter((_, i) => (i + 1) % stride === 0);
}

/** The levels of a forecast that a preview shows; null where the forecast has none. */
export interface PreviewLevels {
  readonly median: number | null;
  readonly interval: readonly [low: number, high: number] | null;
}

/** The lower edge of the interval that a preview shows if the forecast has it. Otherwise it shows the widest one. */
const USUAL_LEVEL = 0.1;

/** Chooses the levels of a preview. */
export function choosePreviewLevels(quantiles: readonly number[]): PreviewLevels {
  // 1 - 0.9 is not exactly 0.1.
  const find = (level: number) => quantiles.find((one) => Math.abs(one - level) < 1e-9) ?? null;
  const lows = [USUAL_LEVEL, ...quantiles.toSorted((one, other) => one - other)].filter((level) => level < 0.5);
  for (const level of lows) {
    const [low, high] = [find(level), find(1 - level)];
    if (low !== null && high !== null) return { median: find(0.5), interval: [low, high] };
  }
  return { median: find(0.5), interval: null };
}
