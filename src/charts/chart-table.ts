import { type ForecastChart, readChartData } from './chart-data.ts';
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
  const { times, values, steps, outcome } = readChartData(chart);
  const keys = [...new Set(chart.predictions.flatMap(({ quantiles }) => Object.keys(quantiles)))]
    .filter((key) => Number(key) > 0 && Number(key) < 1)
    .sort((one, other) => Number(one) - Number(other));
  const first = Math.max(0, times.length - Math.max(0, historyRows));
  const hasTimes = hasTimesOfDay(Float64Array.from([...times, ...steps]).sort());
  const actuals = new Map(outcome.map((point) => [point.timestamp, point]));
  const formatTimeCell = (time: number): string => formatTableTime(time, hasTimes);
  const history = Array.from(times.subarray(first), (time, i) => [
    formatTimeCell(time),
    formatValue(values[first + i] ?? Number.NaN),
    ...keys.map(() => ''),
    '',
  ]);
  const predictions = chart.predictions
    .filter(({ timestamp }) => steps.includes(timestamp))
    .map(({ timestamp, quantiles }) => {
      const actual = actuals.get(timestamp);
      const known =
        actual === undefined ? '' : `${formatValue(actual.actual)}${actual.replayed ? ' (known when made)' : ''}`;
      return [formatTimeCell(timestamp), '', ...keys.map((key) => formatValue(quantiles[key] ?? Number.NaN)), known];
    });
  return {
    columns: [hasTimes ? 'Time (UTC)' : 'Date', 'History', ...keys.map((key) => formatPercent(Number(key))), 'Outcome'],
    rows: [...history, ...predictions],
  };
}
