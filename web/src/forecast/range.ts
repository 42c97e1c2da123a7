import type { Columns, FanData, Window } from './fan-data.ts';

/** The rows of history that are shown for each step at first, as in the picture without a script. */
const ROWS_PER_STEP = 3;
const MIN_ROWS = 30;

/** Returns the range that shows the forecast with enough of the past to judge it. */
export function recentRange({ steps }: FanData, x: readonly number[], { past }: Columns): Window {
  const rows = Math.max(MIN_ROWS, ROWS_PER_STEP * steps.length);
  return [x[Math.max(0, past - rows)] ?? 0, x.at(-1) ?? 1];
}

/** Returns the range from the last known value to the last step. */
export function aheadRange(x: readonly number[], { past }: Columns): Window {
  return [x[Math.max(0, past - 1)] ?? 0, x.at(-1) ?? 1];
}

export function wholeRange(x: readonly number[]): Window {
  return [x[0] ?? 0, x.at(-1) ?? 1];
}

const textOf = (time: number): string => new Date(time * 1_000).toISOString().slice(0, 10);

/** Returns the range in the address of the page, or else the usual one. */
export function readRange(data: FanData, x: readonly number[], columns: Columns): Window {
  const params = new URLSearchParams(location.search);
  const find = (name: string): number => Date.parse(params.get(name) ?? '') / 1_000;
  const [from, to] = [find('from'), find('to')];
  const usual = recentRange(data, x, columns);
  const first = Number.isNaN(from) ? -1 : columns.times.findIndex((time) => time >= from);
  const last = Number.isNaN(to) ? -1 : columns.times.findLastIndex((time) => time < to + 86_400);
  const range: Window = [x[first] ?? usual[0], x[last] ?? usual[1]];
  return range[1] > range[0] ? range : usual;
}

/** Writes the range into the address, so that a link shows the same part of the chart. The usual range needs no words. */
export function writeRange(data: FanData, x: readonly number[], columns: Columns, [min, max]: Window): void {
  const usual = recentRange(data, x, columns);
  const url = new URL(location.href);
  const set = (name: string, isUsual: boolean, row: number) => {
    const time = columns.times[row];
    if (isUsual || time === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, textOf(time));
  };
  set(
    'from',
    min === usual[0],
    x.findIndex((one) => one >= min),
  );
  set(
    'to',
    max >= usual[1],
    x.findLastIndex((one) => one <= max),
  );
  if (url.href !== location.href) history.replaceState(history.state, '', url);
}
