import { periodFormat, valueFormat } from './format.ts';

/** A prediction as the API and the engine have it. */
export interface Prediction {
  readonly timestamp: string;
  readonly quantiles: Readonly<Record<string, number>>;
}

/** The levels of a forecast, and the interval and the middle that its page names. */
export interface Levels {
  /** As the forecast spells them, ascending. */
  readonly keys: readonly string[];
  readonly median: string | null;
  readonly interval: { readonly share: number; readonly low: string; readonly high: string } | null;
}

/** How a page formats the values of a forecast, and which of its levels it names. */
export interface ForecastFormats {
  readonly levels: Levels;
  readonly formatValue: (value: number) => string;
  readonly formatPeriod: (timestamp: Date) => string;
}

/** Returns the formats for a forecast. */
export function formatsOf(
  predictions: readonly Prediction[],
  frequency: Parameters<typeof periodFormat>[0],
): ForecastFormats {
  return {
    levels: levelsOf(predictions),
    formatValue: valueFormat(predictions.flatMap(({ quantiles }) => Object.values(quantiles))),
    formatPeriod: periodFormat(frequency),
  };
}

/** The interval that a page names if the forecast has it. Otherwise it names the widest one. */
const USUAL_LEVEL = 0.1;

/** Returns the levels of predictions. */
export function levelsOf(predictions: readonly Prediction[]): Levels {
  const keys = Object.keys(predictions[0]?.quantiles ?? {}).sort((one, other) => Number(one) - Number(other));
  // 1 - 0.9 is not exactly 0.1.
  const find = (level: number) => keys.find((key) => Math.abs(Number(key) - level) < 1e-9);
  const low = [USUAL_LEVEL, ...keys.map(Number)].find((level) => level < 0.5 && find(level) && find(1 - level));
  const interval = low === undefined ? null : intervalAt(low, find);
  return { keys, median: find(0.5) ?? null, interval };
}

function intervalAt(level: number, find: (level: number) => string | undefined): Levels['interval'] {
  const [low, high] = [find(level), find(1 - level)];
  return low === undefined || high === undefined ? null : { share: Number((1 - 2 * level).toFixed(9)), low, high };
}

/** Returns how many of the scored rows lay inside the interval that the page names. */
export function countInside(
  { interval }: Levels,
  predictions: readonly Prediction[],
  rows: readonly { readonly step: number; readonly actual: number }[],
): number {
  if (interval === null) return 0;
  return rows.filter(({ step, actual }) => {
    const quantiles = predictions[step - 1]?.quantiles ?? {};
    return actual >= Number(quantiles[interval.low]) && actual <= Number(quantiles[interval.high]);
  }).length;
}
