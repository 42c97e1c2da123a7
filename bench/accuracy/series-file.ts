import type { Frequency } from '../../src/calendar/index.ts';
import type { Series } from '../../src/engine/index.ts';

/** One line of a benchmark file: `id;period;frequency;horizon;history;actuals`. */
export interface BenchSeries {
  readonly id: string;
  /** In lower case: yearly, quarterly, monthly, other. */
  readonly group: string;
  readonly season: number;
  readonly horizon: number;
  /** NaN for a missing value, which a file writes as NA. */
  readonly history: Float64Array;
  readonly actuals: Float64Array;
}

/** @param missingActuals whether actuals can be NA. A measure that needs every actual cannot read such a file */
export function parseSeriesFile(text: string, { missingActuals = false } = {}): BenchSeries[] {
  return text.split(/\r?\n/).flatMap((line, i) => {
    if (line.trim() === '') return [];
    try {
      return [parseLine(line, missingActuals)];
    } catch (error) {
      throw new Error(`Line ${i + 1}: ${(error as Error).message}`);
    }
  });
}

function parseLine(line: string, missingActuals: boolean): BenchSeries {
  const [id, period, frequency, horizon, history, actuals, ...rest] = line.split(';').map((part) => part.trim());
  if (!id || !period || !frequency || !horizon || !history || !actuals || rest.length > 0) {
    throw new Error(`Expected id;period;frequency;horizon;history;actuals, got: ${line.slice(0, 80)}`);
  }
  const series = {
    id,
    group: period.toLowerCase(),
    season: parseCount(frequency, 'The frequency'),
    horizon: parseCount(horizon, 'The horizon'),
    history: parseValues(history, 'history'),
    actuals: parseValues(actuals, 'actuals'),
  };
  if (series.actuals.length !== series.horizon) {
    throw new Error(
      `Series ${id} has ${series.actuals.length} actuals and a horizon of ${horizon}. Give one for each step.`,
    );
  }
  if (!missingActuals && series.actuals.some(Number.isNaN)) {
    throw new Error(`Series ${id} has NA among its actuals. Leave the series out.`);
  }
  return series;
}

function parseCount(text: string, name: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new Error(`${name} is ${text}. Write a whole number, 1 or more.`);
}

function parseValues(text: string, name: string): Float64Array {
  const values = text.split(',').map((value) => value.trim());
  return Float64Array.from(values, (value, i) => {
    if (value === 'NA') return Number.NaN;
    if (value !== '' && Number.isFinite(Number(value))) return Number(value);
    throw new Error(
      `Value ${i + 1} of the ${name} is '${value.slice(0, 20)}'. Write a number, or NA if it is missing.`,
    );
  });
}

interface Period {
  readonly frequency: Frequency;
  /** The date in the first period of a series whose dates are not known. */
  readonly first: string;
  /** Returns the timestamp of the period that is `i` periods after the one of the date. */
  readonly at: (first: Date, i: number) => number;
}

const PERIODS: Readonly<Record<string, Period>> = {
  yearly: { frequency: '1YE', first: '1950-01-01', at: (first, i) => Date.UTC(first.getUTCFullYear() + i, 11, 31) },
  quarterly: {
    frequency: '1QE',
    first: '1980-01-01',
    at: (first, i) => Date.UTC(first.getUTCFullYear(), 3 * (Math.floor(first.getUTCMonth() / 3) + i + 1), 0),
  },
  monthly: {
    frequency: '1ME',
    first: '1980-01-01',
    at: (first, i) => Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + i + 1, 0),
  },
  weekly: {
    frequency: '1W-MON',
    first: '2000-01-03',
    // The calendar dates a week by its Monday.
    at: (first, i) => addDays(first, 7 * i - ((first.getUTCDay() + 6) % 7)),
  },
  hourly: { frequency: '1h', first: '2015-01-05', at: (first, i) => first.getTime() + i * 3_600_000 },
};
const DAILY: Period = { frequency: '1D', first: '2000-01-03', at: addDays };

/**
 * Returns dates for a series. The files have none, but some models use the calendar.
 *
 * @param first a date in the first period, such as 1969-01-01, if it is known
 */
export function datesFor(group: string, count: number, first?: string): Pick<Series, 'cadence' | 'times'> {
  const period = PERIODS[group] ?? DAILY;
  const start = new Date(first ?? period.first);
  return {
    cadence: { frequency: period.frequency, kind: 'plain' },
    times: Float64Array.from({ length: count }, (_, i) => period.at(start, i)),
  };
}

function addDays(first: Date, days: number): number {
  return Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), first.getUTCDate() + days);
}
