import { type Cadence, DAY_MS, EARLIEST_INSTANT, fixedStep, gridOf, MINUTE_MS } from '../../calendar/index.ts';
import type { MarketProvider, SeriesKey } from '../providers/provider.ts';
import {
  cadenceOf,
  checkDateAt,
  isQuiet,
  lastBarBefore,
  lastEndedBar,
  nextQuietTime,
  retryTime,
  settledBefore,
} from './bar-times.ts';
import { type Coverage, type Range, rangeBefore } from './coverage.ts';

/** Selects the latest `limit` bars that begin at or after `start` and before `end` and had ended at `at`. */
export interface SeriesWindow {
  readonly start?: number | undefined;
  readonly end: number;
  readonly limit: number;
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

/** A window in terms of the calendar of a series and of what the provider has now. */
export interface WantedBars {
  readonly cadence: Cadence;
  readonly now: number;
  readonly delayMs: number;
  /** The newest bar that the provider can have. */
  readonly latest: number;
  /** Bars before this instant are settled. */
  readonly settledTo: number;
  /** The session for which adjusted prices must have been checked; null if they need no check. */
  readonly checkDate: number | null;
  /** Bars from `from` on and before `to` are wanted. If a bar can exist, the last one begins 1 ms before `to`. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** A query to the provider. */
export interface FetchPlan {
  readonly start: number | undefined;
  readonly end: number;
  readonly limit: number;
  /** Whether the stored bars can be served if the provider fails. */
  readonly isOptional: boolean;
  /** Whether settled bars may be added to the stored ones. */
  readonly isRepair?: boolean;
}

/** Returns what a window means for a series at this time. */
export function resolveWindow(provider: MarketProvider, key: SeriesKey, window: SeriesWindow, now: number): WantedBars {
  const kind = provider.kindOf(key.symbol);
  const cadence = cadenceOf(key, kind);
  const delayMs = provider.delayMinutes * MINUTE_MS;
  const latest = lastEndedBar(cadence, now - delayMs);
  const lastWanted = window.at < now - delayMs ? lastEndedBar(cadence, window.at) : latest;
  return {
    cadence,
    now,
    delayMs,
    latest,
    settledTo: settledBefore(cadence, now - delayMs),
    checkDate: key.adjustment !== 'raw' && kind === 'exchange' ? checkDateAt(now) : null,
    from: Math.max(EARLIEST_INSTANT, window.start ?? EARLIEST_INSTANT),
    to: (window.end > lastWanted ? lastWanted : lastBarBefore(cadence, window.end)) + 1,
    limit: window.limit,
  };
}

/**
 * The largest number of bars that are read to connect the newest ones with the stored ones, unless more are wanted.
 * Bars within a day need at least those of two days, which are not settled.
 */
const MAX_CONNECTING_DAYS = 500;
const MAX_CONNECTING_BARS = 3_000;

/** Returns the number of additional bars in a query, so that a slightly different window needs no further one. */
function slackOf(limit: number): number {
  return Math.min(20, Math.ceil(limit / 10));
}

/**
 * Returns the query that is needed next for a window, or null if what is stored is enough.
 *
 * @param stored counts the stored bars of a range
 * @param canReadOlder false if the provider has already sent as many pages as one read may request
 */
export function planFetch(
  coverage: Coverage | null,
  wanted: WantedBars,
  stored: (range: Range) => { readonly count: number; readonly oldest: number | undefined },
  canReadOlder: boolean,
): FetchPlan | null {
  const { checkDate, limit, from } = wanted;
  const last = coverage?.ranges.at(-1);
  if (coverage === null || last === undefined) return planNewest(wanted);
  const isCheckDue = checkDate !== null && (coverage.checkedOn === null || coverage.checkedOn < checkDate);
  const to = isResting(coverage, wanted) ? Math.min(wanted.to, last.to) : wanted.to;
  if (to > last.to)
    return planNewer(coverage, last, wanted, stored({ from: Math.max(last.from, from), to }).count, isCheckDue);
  const range = rangeBefore(coverage.ranges, to);
  if (range === undefined) return isCheckDue ? planCheck(coverage, last, wanted) : planNewest(wanted);
  if (range === last && to > coverage.settledTo && isStale(coverage, last, wanted)) {
    return { ...planCheck(coverage, last, wanted), isOptional: !isCheckDue };
  }
  const { count, oldest } = stored({ from: Math.max(range.from, from), to });
  if (count < limit && range.from > from && canReadOlder) {
    const isOldestSettled = range !== last || (oldest ?? range.from) < coverage.settledTo;
    if (isCheckDue && !isOldestSettled) return planNewest(wanted);
    // The oldest stored bar is read again, to be compared.
    const end = oldest === undefined ? range.from : oldest + 1;
    return { start: startOf(from), end, limit: limit - count + 1 + slackOf(limit), isOptional: false };
  }
  return isCheckDue ? planCheck(coverage, last, wanted) : null;
}

/** Returns a query for the wanted bars, up to the newest bar if some of them are not settled. */
function planNewest({ cadence, latest, settledTo, from, to, limit }: WantedBars): FetchPlan {
  const end = to > settledTo ? latest + 1 : to;
  const surplus = countPeriods(cadence, to, end);
  return { start: startOf(from), end, limit: limit + slackOf(limit) + surplus, isOptional: false };
}

/** Returns a query for bars that are newer than the stored ones. */
function planNewer(
  coverage: Coverage,
  last: Range,
  wanted: WantedBars,
  stored: number,
  isCheckDue: boolean,
): FetchPlan {
  const { cadence, latest, from, limit } = wanted;
  const isChecked = !isCheckDue || (coverage.settledBar !== null && from <= coverage.settledBar);
  const isOlderNeeded = last.from > from && stored + countPeriods(cadence, last.to, latest + 1) < limit;
  if (isOlderNeeded && isChecked) return planNewest(wanted);
  if (isConnectable(coverage, last, wanted)) return planCheck(coverage, last, wanted);
  return isCheckDue ? planCheck(coverage, last, wanted) : planNewest(wanted);
}

/**
 * Returns a query that begins with the newest settled bar, to compare it, and reads the bars again that are not
 * settled. It also reads the newer bars unless there are too many.
 */
function planCheck(coverage: Coverage, last: Range, wanted: WantedBars): FetchPlan {
  const start = coverage.settledBar ?? last.from;
  const end = isConnectable(coverage, last, wanted) ? Math.max(last.to, wanted.latest + 1) : last.to;
  const limit = start === EARLIEST_INSTANT ? MAX_CONNECTING_BARS : countPeriods(wanted.cadence, start, end);
  return { start: startOf(start), end, limit: Math.max(1, limit), isOptional: false };
}

function isConnectable({ settledBar }: Coverage, last: Range, { cadence, latest, limit }: WantedBars): boolean {
  const start = settledBar ?? last.from;
  if (start === EARLIEST_INSTANT) return true;
  const most = cadence.frequency === '1D' ? MAX_CONNECTING_DAYS : MAX_CONNECTING_BARS;
  return countBarsBetween(cadence, start, latest) <= Math.max(limit, most);
}

/** Returns whether newer bars may have ended, or a missing one may have come, since the newest bars were read. */
function isStale(coverage: Coverage, last: Range, wanted: WantedBars): boolean {
  const { cadence, now, delayMs, latest, to } = wanted;
  const { requestedAt, lastBar } = coverage;
  if (isResting(coverage, wanted)) return false;
  if (latest + 1 > last.to) return true;
  if (requestedAt === null) return true;
  const isMissing = to === last.to && (lastBar === null || lastBar < latest);
  if (!isMissing || isQuiet(lastBar, requestedAt)) return false;
  const retryAt = retryTime(cadence, latest, requestedAt, delayMs);
  return retryAt !== null && now >= retryAt;
}

/** Returns whether a probably delisted series was read a short time ago. */
function isResting({ requestedAt, lastBar }: Coverage, { now }: WantedBars): boolean {
  return requestedAt !== null && isQuiet(lastBar, requestedAt) && now < nextQuietTime(requestedAt);
}

/** Returns the start of a query; undefined for the beginning of the calendar. */
export function startOf(from: number): number | undefined {
  return from === EARLIEST_INSTANT ? undefined : from;
}

/** Returns how many bars can lie between two instants. */
function countBarsBetween(cadence: Cadence, from: number, to: number): number {
  const grid = gridOf(cadence);
  const [first, last] = [lastBarBefore(cadence, from + 1), lastBarBefore(cadence, to + 1)];
  return first >= grid.earliest && last <= grid.latest ? grid.steps(first, last) : countPeriods(cadence, from, to);
}

/** Returns how many bars at most begin at or after one instant and before another. */
export function countPeriods({ frequency }: Cadence, from: number, to: number): number {
  return Math.max(0, Math.ceil((to - from) / (fixedStep(frequency) ?? DAY_MS)));
}
