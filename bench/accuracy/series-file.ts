import type { Frequency } from '../../src/calendar/index.ts';
import type { Series } from '../../src/engine/index.ts';

/** One line of a benchmark file: `id;period;frequency;horizon;history;actuals`. */
export interface BenchSeries {
  readonly id: string;
  /** In lower case: yearly, quarterly, monthly, other. */
  readonly group: string;
  readonly season: number;
  readonly horizon: number;
  readonly history: Float64Array;
  readonly actuals: Float64Array;
}

export function parseSeriesFile(text: string): BenchSeries[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseLine);
}

function parseLine(line: string): BenchSeries {
  const [id, period, frequency, horizon, history, actuals] = line.split(';');
  if (!id || !period || !frequency || !horizon || !history || !actuals) {
    throw new Error(`Expected id;period;frequency;horizon;history;actuals, got: ${line.slice(0, 80)}`);
  }
  const series = {
    id,
    group: period.toLowerCase(),
    season: Number(frequency),
    horizon: Number(horizon),
    history: Float64Array.from(history.split(','), Number),
    actuals: Float64Array.from(actuals.split(','), Number),
  };
  if (series.actuals.length !== series.horizon || series.actuals.some(Number.isNaN)) {
    throw new Error(`Series ${id} does not have ${horizon} numeric actuals.`);
  }
  return series;
}

const PERIODS: Record<string, readonly [Frequency, (i: number) => number]> = {
  yearly: ['1YE', (i) => Date.UTC(1950 + i, 11, 31)],
  quarterly: ['1QE', (i) => Date.UTC(1980, 3 * i + 3, 0)],
  monthly: ['1ME', (i) => Date.UTC(1980, i + 1, 0)],
  weekly: ['1W-MON', (i) => Date.UTC(2000, 0, 3 + 7 * i)],
  hourly: ['1h', (i) => Date.UTC(2015, 0, 5, i)],
};
const DAYS: readonly [Frequency, (i: number) => number] = ['1D', (i) => Date.UTC(2000, 0, 3 + i)];

/** Returns dates for a series. The files have none, but some models use the calendar. */
export function datesFor(group: string, count: number): Pick<Series, 'cadence' | 'times'> {
  const [frequency, at] = PERIODS[group] ?? DAYS;
  return { cadence: { frequency, kind: 'plain' }, times: Float64Array.from({ length: count }, (_, i) => at(i)) };
}
