import { type ForecastChart, type OutcomePoint, readChartData, sortTogether } from './chart-data.ts';
import { formatTableTime } from './format-date.ts';
import { formatPercent, formatValue } from './format-number.ts';
import { hasTimesOfDay } from './time-axis.ts';

export interface ChartTable {
  readonly columns: string[];
  readonly rows: string[][];
}

interface TableOptions {
  /** The last rows of the history that the table contains. Default: 30. */
  readonly historyRows?: number | undefined;
}

/**
 * Returns the numbers of a chart as text, for a table beside it: the last rows of the history, then one row for each
 * step of the forecast. A cell without a value is empty. The columns of quantiles are called `10%`, `50%` (the median)…
 */
export function chartTable(chart: ForecastChart, { historyRows = 30 }: TableOptions = {}): ChartTable {
  const { times, values, steps, quantiles, outcome } = readChartData(chart);
  const first = Math.max(0, times.length - Math.max(0, historyRows));
  const hasTimes = hasTimesOfDay(sortTogether(times, steps));
  const actuals = new Map(outcome.map((point) => [point.timestamp, point]));
  const history = Array.from(times.subarray(first), (time, i) => [
    formatTableTime(time, hasTimes),
    formatValue(values[first + i] ?? Number.NaN),
    ...quantiles.map(() => ''),
    '',
  ]);
  const predictions = Array.from(steps, (time, step) => [
    formatTableTime(time, hasTimes),
    '',
    ...quantiles.map((line) => formatValue(line.values[step] ?? Number.NaN)),
    formatOutcome(actuals.get(time)),
  ]);
  const levels = quantiles.map(({ level }) => formatPercent(level));
  return {
    columns: [hasTimes ? 'Time (UTC)' : 'Date', 'History', ...levels, 'Outcome'],
    rows: [...history, ...predictions],
  };
}

function formatOutcome(point: OutcomePoint | undefined): string {
  if (point === undefined) return '';
  return `${formatValue(point.actual)}${point.replayed ? ' (known when made)' : ''}`;
}
