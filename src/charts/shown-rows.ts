import { type ChartData, sortTogether } from './chart-data.ts';

/** The rows of history that are drawn for each step, so that the forecast takes at least a quarter of the width. */
const ROWS_PER_STEP = 3;
const MIN_ROWS = 30;

/** Returns the data of a chart with only the rows of the history that it shows large. */
export function selectShownRows(data: ChartData): { readonly first: number; readonly shown: ChartData } {
  const first = firstShownRow(data);
  return { first, shown: { ...data, times: data.times.subarray(first), values: data.values.subarray(first) } };
}

/** Returns the first row of the history that is drawn large. All are if they are not many more than the forecast needs. */
function firstShownRow({ times, steps }: ChartData): number {
  const rows = Math.max(MIN_ROWS, ROWS_PER_STEP * steps.length);
  return steps.length === 0 || times.length <= 1.5 * rows ? 0 : times.length - rows;
}

/** Returns the times of all rows, ascending and each once. */
export function mergeTimes({ times, steps, outcome }: ChartData): Float64Array {
  // An outcome is usually at a step.
  const known = new Set(steps);
  const others = outcome.filter(({ timestamp }) => !known.has(timestamp));
  const all = sortTogether(
    times,
    steps,
    Float64Array.from(others, ({ timestamp }) => timestamp),
  );
  return all.filter((time, i) => i === 0 || time !== all[i - 1]);
}

/** Returns all columns of values that are drawn. */
export function columnsOf(data: ChartData): Float64Array[] {
  const outcome = Float64Array.from(data.outcome, ({ actual }) => actual);
  return [data.values, outcome, ...data.quantiles.map(({ values }) => values)];
}
