import { formatInstant } from './format-date.ts';
import { formatCount } from './format-number.ts';
import { seriesFormat } from './series-format.ts';
import { hasTimesOfDay } from './time-axis.ts';

interface DescribedChart {
  readonly units?: string | undefined;
  readonly timestamps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly bars?: object | undefined;
}

/**
 * Describes the chart of a series in words: its span, its last value, the change, and the lowest and the highest value.
 *
 * @param when formats the time of a row; by default its day, and its time if rows are closer than a day
 */
export function describeSeriesChart(chart: DescribedChart, when = defaultFormat(chart.timestamps)): string {
  const { timestamps, values } = chart;
  const rows = findRows(values);
  if (rows === null) return timestamps.length === 0 ? 'There are no rows.' : 'No row has a value.';
  const format = seriesFormat(values);
  const units = chart.units === undefined || chart.units === '' ? '' : ` ${chart.units}`;
  const at = (row: number): string => when(timestamps[row] ?? 0);
  const amount = (row: number): string => format(values[row] ?? Number.NaN);
  const noun = chart.bars === undefined ? 'row' : 'bar';
  if (rows.first === rows.last) return `One ${noun}, of ${at(rows.first)}: ${amount(rows.first)}${units}.`;
  const what = chart.bars === undefined ? 'The last value' : 'The last close';
  const extremes = chart.bars === undefined ? 'values are' : 'closes are';
  return [
    `${formatCount(timestamps.length)} ${noun}s from ${at(rows.first)} to ${at(rows.last)}.`,
    `${what} is ${amount(rows.last)}${units}${describeChange(values[rows.first] ?? 0, values[rows.last] ?? 0)}.`,
    `The lowest and highest ${extremes} ${amount(rows.lowest)} (${at(rows.lowest)}) and ${amount(rows.highest)} (${at(rows.highest)}).`,
  ].join(' ');
}

function defaultFormat(timestamps: ArrayLike<number>): (time: number) => string {
  const hasTimes = hasTimesOfDay(timestamps);
  return (time) => formatInstant(time, hasTimes);
}

/** States the change from the first to the last value. A change from zero or below has no percentage. */
function describeChange(first: number, last: number): string {
  if (first <= 0 || last <= 0) return '';
  const percent = (last / first - 1) * 100;
  if (Math.abs(percent) < 0.05) return ', about the same as the first';
  const size = Math.abs(percent);
  const text = size >= 1000 ? `${formatCount(Math.round(size))}%` : `${Number(size.toFixed(1))}%`;
  return `, ${text} ${percent > 0 ? 'above' : 'below'} the first`;
}

function findRows(values: ArrayLike<number>) {
  let found: { first: number; last: number; lowest: number; highest: number } | null = null;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    found ??= { first: i, last: i, lowest: i, highest: i };
    found.last = i;
    if (value < (values[found.lowest] ?? 0)) found.lowest = i;
    if (value > (values[found.highest] ?? 0)) found.highest = i;
  }
  return found;
}
