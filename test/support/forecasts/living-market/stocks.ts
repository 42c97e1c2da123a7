import { createSeededRandom } from '../../platform/seeded-random.ts';
import { type PublishedRow, revise, versionAt, walk } from './published-series.ts';
import { closeOf, DAY, dayAt, HOUR, listSessions } from './second-calendar.ts';

/** From the morning of this date on, all earlier adjusted prices are multiplied by the factor. */
export interface Rescaling {
  readonly date: string;
  readonly factor: number;
  /** `raw` prices show none, `split` prices those of splits, `all` prices all. */
  readonly cause: 'split' | 'dividend';
}

/** A stock with everything that was ever published about its closes, without adjustment. */
export interface Stock {
  readonly rows: readonly PublishedRow[];
  readonly rescalings: readonly Rescaling[];
}

export type StockName = 'ACME' | 'BOLT' | 'HALT' | 'OLDF' | 'CORR' | 'INDX';

export const FIRST_DATE = '2024-08-01';
export const LAST_DATE = '2026-06-26';
/** The morning with four new shares for one old share of ACME. */
export const SPLIT_DATE = '2025-06-11';
export const DIVIDEND_DATES = ['2025-02-12', '2025-05-14', '2025-08-13', '2025-11-12'];
/** OLDF has no bar from this date on. */
export const DELISTING_DATE = '2025-05-16';
/** HALT has no bars on these dates. */
export const HALTED_DATES = ['2025-03-05', '2025-09-09', '2025-09-10', '2025-09-11', '2025-10-20'];

/** When corrections of trades are published: during the next morning. */
const CORRECTION_MS = 14 * HOUR;
const CORRECTED_SHARE = 0.15;
/** A bar of HALT can be late: it comes in the night after its session. */
const LATE_MS = 9 * HOUR;

/** Creates the stocks of the market. The same seed gives the same prices. */
export function createStocks(seed: number): Readonly<Record<StockName, Stock>> {
  const sessions = listSessions(FIRST_DATE, LAST_DATE);
  const random = createSeededRandom(seed);
  const closes = (number: number, start: number) => walk(sessions.length, { seed: seed + number, start, spread: 0.02 });
  const rowsOf = (prices: readonly number[], lateMs: () => number = () => 0): PublishedRow[] =>
    sessions.map((timestamp, i) => ({
      timestamp,
      versions: [{ value: prices[i] as number, publishedAt: closeOf(timestamp) + lateMs() }],
    }));

  const acme = closes(1, 400).map((price, i) =>
    // After the split a share costs a quarter.
    (sessions[i] as number) < dayAt(SPLIT_DATE) ? price : Math.round(25 * price) / 100,
  );
  const correct = (row: PublishedRow, share: number): PublishedRow => {
    const [first] = row.versions;
    if (first === undefined || random() > share) return row;
    const correction = { value: revise(first.value, 0.02, random), publishedAt: first.publishedAt + CORRECTION_MS };
    return { ...row, versions: [first, correction] };
  };
  const halted = new Set(HALTED_DATES.map(dayAt));
  return {
    ACME: {
      // Many corrections, so that some come between a forecast and the split.
      rows: rowsOf(acme).map((row) => correct(row, 3 * CORRECTED_SHARE)),
      rescalings: [{ date: SPLIT_DATE, factor: 1 / 4, cause: 'split' }],
    },
    BOLT: {
      rows: rowsOf(closes(2, 50)),
      rescalings: DIVIDEND_DATES.map((date) => ({ date, factor: 0.985, cause: 'dividend' as const })),
    },
    HALT: {
      rows: rowsOf(closes(3, 20), () => (random() < 0.2 ? LATE_MS : 0)).filter(
        ({ timestamp }) => !halted.has(timestamp),
      ),
      rescalings: [],
    },
    OLDF: { rows: rowsOf(closes(4, 30)).filter(({ timestamp }) => timestamp < dayAt(DELISTING_DATE)), rescalings: [] },
    CORR: { rows: rowsOf(closes(5, 80)).map((row) => correct(row, CORRECTED_SHARE)), rescalings: [] },
    INDX: { rows: rowsOf(closes(6, 4_000)), rescalings: [] },
  };
}

export type StockAdjustment = 'raw' | 'split' | 'all';

/** Returns by how much the provider has multiplied the price of a date at an instant. */
export function factorAt(
  { rescalings }: Stock,
  timestamp: number,
  adjustment: StockAdjustment,
  instant: number,
): number {
  // Providers adjust their history in the night before the session.
  return rescalings
    .filter(({ cause }) => adjustment === 'all' || (adjustment === 'split' && cause === 'split'))
    .filter(({ date }) => timestamp < dayAt(date) && dayAt(date) + 6 * HOUR <= instant)
    .reduce((product, { factor }) => product * factor, 1);
}

/** Returns the closes that the provider sends at an instant. */
export function closesAt(
  stock: Stock,
  adjustment: StockAdjustment,
  instant: number,
): { readonly timestamp: number; readonly value: number }[] {
  return stock.rows.flatMap((row) => {
    const version = versionAt(row, instant);
    if (version === undefined) return [];
    return [{ timestamp: row.timestamp, value: version.value * factorAt(stock, row.timestamp, adjustment, instant) }];
  });
}

/** Returns the weeks of a stock that is never corrected: the last close of each, dated by its Monday. */
export function weeksOf({ rows }: Stock): PublishedRow[] {
  const weeks = Map.groupBy(rows, ({ timestamp }) => timestamp - ((new Date(timestamp).getUTCDay() + 6) % 7) * DAY);
  return [...weeks].map(([timestamp, own]) => ({ timestamp, versions: own.at(-1)?.versions ?? [] }));
}
