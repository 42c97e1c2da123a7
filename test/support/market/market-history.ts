import {
  DAY_MS,
  MINUTE_MS,
  newYorkDate,
  type SessionHours,
  sessionHours,
  sessionsBetween,
} from '../../../src/calendar/index.ts';
import { createSeededRandom } from '../platform/seeded-random.ts';

// Histories of stocks from which the servers of providers answer. All prices are raw: the servers adjust them.

export interface HistoryBar {
  /** The start of a minute, or the date of a session at 00:00 UTC. */
  readonly timestamp: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface Split {
  /** The first session with the new price. */
  readonly date: number;
  /** The number of new shares for one old share. */
  readonly ratio: number;
}

export interface Dividend {
  /** The first session without the dividend. */
  readonly date: number;
  readonly amount: number;
}

/** The history of one company. A test may change it while a server runs. */
export interface MarketHistory {
  symbol: string;
  name?: string;
  exchange?: 'NASDAQ' | 'NYSE' | 'AMEX' | 'ARCA' | 'OTC';
  status?: 'active' | 'delisted';
  /** The last date on which the company had the symbol; undefined if it still has it. */
  ownedUntil?: number;
  /** Oldest first. */
  days: HistoryBar[];
  /** Oldest first, with the minutes of extended hours. */
  minutes?: HistoryBar[];
  splits?: Split[];
  dividends?: Dividend[];
}

export type WireAdjustment = 'raw' | 'split' | 'all';

interface Selection {
  /** The length of a bar, or a day. */
  readonly step: number;
  readonly adjustment: WireAdjustment;
  /** The current time of the provider. */
  readonly now: number;
  /** Bars more than a day before `from` or after `to` may be left out, which is faster. */
  readonly from?: number;
  readonly to?: number;
}

/** Returns the bars that a provider has at an instant, oldest first. The last one may still change. */
export function visibleBars(history: MarketHistory, { step, adjustment, now, ...bounds }: Selection): HistoryBar[] {
  const from = (bounds.from ?? Number.NEGATIVE_INFINITY) - DAY_MS;
  const to = (bounds.to ?? Number.POSITIVE_INFINITY) + DAY_MS;
  const isNear = ({ timestamp }: HistoryBar) => timestamp >= from && timestamp <= to;
  if (step === DAY_MS) return adjustBars(visibleDays(history.days.filter(isNear), now), history, adjustment, now);
  const minutes = (history.minutes ?? []).filter((bar) => isNear(bar) && bar.timestamp + MINUTE_MS <= now);
  return adjustBars(aggregateMinutes(minutes, step), history, adjustment, now);
}

function visibleDays(days: readonly HistoryBar[], now: number): HistoryBar[] {
  return days.flatMap((bar) => {
    const { open, close } = sessionHours(bar.timestamp);
    if (open > now) return [];
    return [close > now ? partialBar(bar) : bar];
  });
}

/** Returns the bar as a provider sends it during its session. */
function partialBar({ timestamp, open, volume }: HistoryBar): HistoryBar {
  return { timestamp, open, high: open, low: open, close: open, volume: Math.floor(volume / 2) };
}

export function aggregateMinutes(minutes: readonly HistoryBar[], step: number): HistoryBar[] {
  const groups = Map.groupBy(minutes, ({ timestamp }) => Math.floor(timestamp / step) * step);
  return [...groups].map(([timestamp, bars]) => ({
    timestamp,
    open: (bars[0] as HistoryBar).open,
    high: Math.max(...bars.map(({ high }) => high)),
    low: Math.min(...bars.map(({ low }) => low)),
    close: (bars.at(-1) as HistoryBar).close,
    volume: bars.reduce((sum, { volume }) => sum + volume, 0),
  }));
}

/** Adjusts raw prices for the splits and dividends that have taken effect. */
function adjustBars(
  bars: readonly HistoryBar[],
  { splits = [], dividends = [], days }: MarketHistory,
  adjustment: WireAdjustment,
  now: number,
): HistoryBar[] {
  const today = newYorkDate(now);
  const priceFactors: { readonly date: number; readonly price: number; readonly volume: number }[] = [];
  if (adjustment !== 'raw') {
    for (const { date, ratio } of splits) priceFactors.push({ date, price: 1 / ratio, volume: ratio });
  }
  if (adjustment === 'all') {
    for (const { date, amount } of dividends) {
      const before = days.findLast(({ timestamp }) => timestamp < date);
      if (before !== undefined) priceFactors.push({ date, price: 1 - amount / before.close, volume: 1 });
    }
  }
  const effective = priceFactors.filter(({ date }) => date <= today);
  if (effective.length === 0) return [...bars];
  return bars.map((bar) => {
    const isDay = bar.timestamp % DAY_MS === 0;
    const session = isDay ? bar.timestamp : newYorkDate(bar.timestamp);
    let [price, volume] = [1, 1];
    for (const factor of effective) {
      if (session >= factor.date) continue;
      price *= factor.price;
      volume *= factor.volume;
    }
    return {
      timestamp: bar.timestamp,
      open: bar.open * price,
      high: bar.high * price,
      low: bar.low * price,
      close: bar.close * price,
      volume: bar.volume * volume,
    };
  });
}

export interface HistoryOptions extends Omit<MarketHistory, 'days' | 'minutes'> {
  /** Dates such as 2024-01-02. */
  readonly from: string;
  readonly to: string;
  /** The first date with minutes; without it there are only days. */
  readonly minutesFrom?: string;
  /** The raw price of the first day. */
  readonly price?: number;
  readonly seed?: number;
}

/**
 * Creates the history of a stock between two dates: days, minutes with sparse extended hours, and the jumps of raw
 * prices at splits.
 */
export function createHistory({
  from,
  to,
  minutesFrom,
  price = 100,
  seed = 1,
  ...company
}: HistoryOptions): MarketHistory {
  const random = createSeededRandom(seed);
  const firstWithMinutes = minutesFrom === undefined ? Number.POSITIVE_INFINITY : parseDay(minutesFrom);
  const days: HistoryBar[] = [];
  const minutes: HistoryBar[] = [];
  let last = price;
  for (const day of sessionsBetween(parseDay(from), parseDay(to))) {
    for (const { date, ratio } of company.splits ?? []) if (date === day) last /= ratio;
    if (day >= firstWithMinutes) {
      const ofDay = createMinutes(day, last, random);
      for (const minute of ofDay) minutes.push(minute);
      const [bar] = aggregateMinutes(withinHours(ofDay, sessionHours(day)), Number.MAX_SAFE_INTEGER);
      days.push({ ...(bar as HistoryBar), timestamp: day });
    } else {
      days.push(createBar(day, last, random));
    }
    last = (days.at(-1) as HistoryBar).close;
  }
  return { ...company, days, minutes };
}

/** Returns one bar that begins at a price. Prices have four decimals, as on the wire. */
function createBar(timestamp: number, open: number, random: () => number): HistoryBar {
  const close = open * (1 + (random() - 0.5) / 50);
  return {
    timestamp,
    open: round(open),
    high: round(Math.max(open, close) * 1.004),
    low: round(Math.min(open, close) * 0.996),
    close: round(close),
    volume: 1_000 + Math.floor(random() * 100_000),
  };
}

function createMinutes(day: number, first: number, random: () => number): HistoryBar[] {
  const regular = sessionHours(day);
  const extended = sessionHours(day, 'extended');
  const minutes: HistoryBar[] = [];
  let open = first;
  for (let at = extended.open; at < extended.close; at += MINUTE_MS) {
    const isRegular = at >= regular.open && at < regular.close;
    // Trades outside regular hours are rare, and a minute without trades has no bar.
    if (!isRegular && (at / MINUTE_MS) % 7 !== 0) continue;
    const bar = createBar(at, open, random);
    minutes.push(bar);
    open = bar.close;
  }
  return minutes;
}

function withinHours(bars: readonly HistoryBar[], { open, close }: SessionHours): HistoryBar[] {
  return bars.filter(({ timestamp }) => timestamp >= open && timestamp < close);
}

function round(price: number): number {
  return Math.max(0.0001, Math.round(price * 10_000) / 10_000);
}

/** @example parseDay('2024-01-02') // 00:00 UTC of that date */
export function parseDay(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** Returns the history of the company that had a symbol on a date, or null. */
export function findHistory(histories: readonly MarketHistory[], symbol: string, date: number): MarketHistory | null {
  const owners = histories.filter((history) => history.symbol === symbol);
  const owner = owners
    .filter(({ ownedUntil = Number.POSITIVE_INFINITY }) => date <= ownedUntil)
    .sort((a, b) => (a.ownedUntil ?? Number.POSITIVE_INFINITY) - (b.ownedUntil ?? Number.POSITIVE_INFINITY))[0];
  return owner ?? owners.at(-1) ?? null;
}
