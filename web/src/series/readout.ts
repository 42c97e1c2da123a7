import { seriesFormat } from '../../../src/charts/series-format.ts';
import { periodFormat } from '../../../src/wording/format.ts';
import { formatLocal, isUtc } from '../local-time.ts';
import type { Rows, SeriesData } from './page.ts';

/** Returns a function that formats the time of a row; within a day in UTC and, if that differs, in the reader's zone. */
export function timeFormat({ frequency, isIntraday }: SeriesData): (time: number) => string {
  const format = periodFormat(frequency ?? '1D');
  return (time) => {
    const text = format(new Date(time));
    return isIntraday && !isUtc ? `${text} (${formatLocal(time)})` : text;
  };
}

const NAMES = { open: 'Open', high: 'High', low: 'Low', close: 'Close' } as const;

/** Returns a function that describes a row: its time and its values. */
export function rowFormat(data: SeriesData, rows: () => Rows): (row: number) => string {
  const formatTime = timeFormat(data);
  const { columns } = rows();
  const format = seriesFormat(columns.close ?? columns[data.field] ?? columns.value ?? []);
  return (row) => {
    const { timestamps, columns } = rows();
    const time = timestamps[row];
    if (time === undefined) return '';
    const value = (name: string): string => format(columns[name]?.[row] ?? Number.NaN);
    const parts =
      data.kind === 'bars'
        ? Object.entries(NAMES).map(([name, label]) => `${label} ${value(name)}`)
        : [`${value(columns[data.field] ? data.field : 'value')} ${data.units}`.trim()];
    return `${formatTime(time)}: ${parts.join(', ')}`;
  };
}
