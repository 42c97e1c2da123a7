export { type Cadence, SERIES_KINDS, type SeriesKind } from './cadence.ts';
export { checkFrequency } from './check-frequency.ts';
export { MAX_MAGNITUDE } from './check-rows.ts';
export { checkSeries, type DenseSeries, MAX_GAPS } from './check-series.ts';
export { barEnd, countCompleted, isCompleted } from './completed-bars.ts';
export { currencyTradingEnd } from './currency/trading-week.ts';
export { daysBefore } from './days-before.ts';
export { newYorkDate, newYorkInstant } from './exchange/new-york-time.ts';
export { type Hours, latestClosedSession, type SessionHours, sessionHours } from './exchange/session-hours.ts';
export {
  countSessions,
  isSession,
  nextSession,
  previousSession,
  SESSIONS_KNOWN_FROM,
  SESSIONS_KNOWN_TO,
  sessionsBetween,
} from './exchange/sessions.ts';
export {
  BAR_FREQUENCIES,
  type BarFrequency,
  FREQUENCIES,
  FREQUENCY_DESCRIPTORS,
  type Frequency,
  type FrequencyDescriptor,
  isFrequency,
  REPORTING_FREQUENCIES,
  type ReportingFrequency,
} from './frequencies.ts';
export { futureTimestamps, MAX_STEPS } from './future-timestamps.ts';
export { gridOf } from './grid.ts';
export { inferFrequency } from './infer-frequency.ts';
export { findObservedPeriod, type ObservedPeriod, periodOf } from './observed-period.ts';
export { countPeriods, fixedStep, periodEnd, periodStart, periodTimestamp, previousPeriod } from './periods.ts';
export { type RowNumber, SeriesError, type SeriesErrorCode } from './series-error.ts';
export { assignTimestamps } from './spacing/assign-timestamps.ts';
export { PERIOD_WORDS } from './spacing/describe-spacing.ts';
export type { RowTimes } from './spacing/find-spacing.ts';
export { DAY_MS, EARLIEST_INSTANT, HOUR_MS, LATEST_INSTANT, MINUTE_MS } from './time-range.ts';
export { parseTimeframe, TIMEFRAMES } from './timeframes.ts';
export type { Grid } from './timestamp-grid.ts';
export { isTradingDay } from './trading-days.ts';
