import {
  DAY_MS,
  EARLIEST_INSTANT,
  type Frequency,
  HOUR_MS,
  LATEST_INSTANT,
  MINUTE_MS,
} from '../../../calendar/index.ts';
import type { TimeFormat } from '../../../contract/index.ts';
import type { SqlDialect } from '../build-query.ts';

const DAY_MICROSECONDS = DAY_MS * 1_000;
/** 1970-01-01 is a Thursday. */
const DAYS_AFTER_MONDAY = 3;

/** The milliseconds of the periods that all have the same length. */
const FIXED_PERIODS: ReadonlyMap<Frequency, number> = new Map<Frequency, number>([
  ['1min', MINUTE_MS],
  ['5min', 5 * MINUTE_MS],
  ['15min', 15 * MINUTE_MS],
  ['30min', 30 * MINUTE_MS],
  ['1h', HOUR_MS],
  ['4h', 4 * HOUR_MS],
  ['1D', DAY_MS],
  ['1W-MON', 7 * DAY_MS],
]);

const CALENDAR_PERIODS: ReadonlyMap<Frequency, string> = new Map<Frequency, string>([
  ['1MS', 'MONTH'],
  ['1ME', 'MONTH'],
  ['1QE', 'QUARTER'],
  ['1YE', 'YEAR'],
]);

/** GoogleSQL. The types of parameters are sent beside the query. */
export const BIGQUERY_DIALECT: SqlDialect = {
  quote: (identifier) => `\`${identifier.replace(/[\\`]/g, '\\$&')}\``,
  placeholder: ({ name }) => `@${name}`,
  notNaN: ({ name, type }) => (type === 'FLOAT64' ? `NOT IS_NAN(${BIGQUERY_DIALECT.quote(name)})` : null),
  microseconds({ name, kind }, format) {
    const column = BIGQUERY_DIALECT.quote(name);
    if (kind === 'date') return `UNIX_DATE(${column}) * ${DAY_MICROSECONDS}`;
    if (kind === 'timestamp') return `UNIX_MICROS(${column})`;
    if (kind === 'datetime') return `UNIX_MICROS(TIMESTAMP(${column}, 'UTC'))`;
    if (kind === 'integer' && format !== null) return integerMicroseconds(column, format);
    throw new TypeError('This column contains no times.');
  },
  periodStart(microseconds, frequency) {
    const unit = CALENDAR_PERIODS.get(frequency);
    if (unit !== undefined) return `UNIX_MICROS(TIMESTAMP_TRUNC(TIMESTAMP_MICROS(${microseconds}), ${unit}))`;
    const length = (FIXED_PERIODS.get(frequency) ?? DAY_MS) * 1_000;
    const shift = frequency === '1W-MON' ? ` + ${DAYS_AFTER_MONDAY * DAY_MICROSECONDS}` : '';
    // The result of MOD is negative for times before 1970.
    return `${microseconds} - MOD(MOD(${microseconds}${shift}, ${length}) + ${length}, ${length})`;
  },
  toDouble: (expression) => `CAST(${expression} AS FLOAT64)`,
  lastValue: (value, time) =>
    `ARRAY_AGG(${value} IGNORE NULLS ORDER BY ${time} DESC, ${value} DESC LIMIT 1)[SAFE_OFFSET(0)]`,
};

/** Integers that are not times of the years 1800 to 2200 are NULL: a multiplication could exceed 64 bits. */
function integerMicroseconds(column: string, format: TimeFormat): string {
  const within = (min: number, max: number, microseconds: string) =>
    `IF(${column} BETWEEN ${min} AND ${max}, ${microseconds}, NULL)`;
  switch (format) {
    case 'epoch_ms':
      return within(EARLIEST_INSTANT, LATEST_INSTANT, `${column} * 1000`);
    case 'epoch_s':
      return within(EARLIEST_INSTANT / 1_000, Math.floor(LATEST_INSTANT / 1_000), `${column} * 1000000`);
    case 'year':
      return within(1800, 2200, `UNIX_DATE(DATE(${column}, 1, 1)) * ${DAY_MICROSECONDS}`);
    case 'yyyymmdd': {
      const day = `SAFE.PARSE_DATE('%Y%m%d', CAST(${column} AS STRING))`;
      return within(18000101, 22001231, `UNIX_DATE(${day}) * ${DAY_MICROSECONDS}`);
    }
  }
}
