import { setImmediate } from 'node:timers/promises';
import { DAY_MS, previousSession } from '../../calendar/index.ts';
import type { BarTable } from '../bars.ts';
import { checkBars } from '../check-bars.ts';
import type { DaysByDate, MarketProvider, RawBar } from '../providers/provider.ts';
import { NO_BARS } from '../store/bar-tables.ts';
import { checkDateAt } from '../store/bar-times.ts';
import { storeDays } from '../store/store-days.ts';
import { deleteSeries } from '../store/write-series.ts';
import { countSteps, type DateStep, type DatesWanted, datesAfter, nextDate } from './date-steps.ts';
import { type DayCoverage, readDayCoverage } from './day-coverage.ts';
import type { DatesRead } from './fill-claim.ts';
import type { FillRun } from './fill-run.ts';
import { sessionBefore } from './session-day.ts';

type DateProvider = MarketProvider & { readonly bulk: DaysByDate };

/** Days settle after this number of sessions. */
const SETTLED_SESSIONS = 3;
/**
 * The number of older dates that are stored together. Every date changes the stored bars of every symbol, so storing
 * each on its own would write the bars of a year hundreds of times.
 */
const DATES_STORED_TOGETHER = 10;
/** The smallest share of the symbols that have a bar on a session whose bars are complete. */
const PUBLISHED_SHARE = 0.1;
/** The number of symbols whose rows are checked before other work runs. */
const SYMBOLS_PER_STEP = 500;

/**
 * Reads the missing dates of all symbols. Symbols whose stored days have changed, or that are new, are read alone.
 *
 * @returns whether the session is complete; false if the provider does not have its bars yet
 */
export async function fillByDate(run: FillRun, provider: DateProvider): Promise<boolean> {
  const stored = await readDayCoverage(run.context.database, provider);
  return new DateFill(run, provider, stored).fill();
}

/** Dates that were read and are not stored yet. They are contiguous. */
interface ReadDates {
  readonly kind: DateStep['kind'];
  readonly bars: ReadonlyMap<string, RawBar>[];
  readonly start: number;
  readonly end: number;
  /** When the first of them was requested. */
  readonly at: number;
  /** Which dates have been read with them. */
  readonly read: DatesRead;
}

class DateFill {
  readonly #run: FillRun;
  readonly #provider: DateProvider;
  readonly #stored: Map<string, DayCoverage | null>;
  #dates: DatesRead | null;
  /** Whether every older date was read in this attempt, so that a symbol without a stored bar has had none. */
  #isWhole: boolean;
  #isRestarted = false;
  #total = 0;

  constructor(run: FillRun, provider: DateProvider, stored: Map<string, DayCoverage | null>) {
    this.#run = run;
    this.#provider = provider;
    this.#stored = stored;
    this.#dates = run.claim.dates;
    this.#isWhole = this.#dates === null;
  }

  async fill(): Promise<boolean> {
    await this.#report(this.#dates);
    let unstored: ReadDates | null = null;
    try {
      for (;;) {
        const wanted = this.#wanted();
        const read: DatesRead | null = unstored?.read ?? this.#dates;
        const step = nextDate(read, wanted);
        if (unstored !== null && !canJoin(unstored, step)) {
          const complete: ReadDates = unstored;
          unstored = null;
          await this.#store(complete);
          continue;
        }
        if (step === null) return true;
        const at = this.#run.now();
        const bars = await this.#provider.bulk.fetchDate(step.date, 'split', this.#run.openClient());
        if (step.date === this.#run.session && step.kind !== 'again' && !this.#isPublished(bars)) return false;
        unstored = addDate(unstored, step, bars, at, datesAfter(read, step, wanted));
      }
    } finally {
      // What was read before a failure is not requested again.
      if (unstored !== null) await this.#store(unstored);
    }
  }

  #wanted(): DatesWanted {
    const { first, session } = this.#run;
    const settled = sessionBefore(session, SETTLED_SESSIONS);
    return { first, session, settled, checkDate: checkDateAt(this.#run.now()) };
  }

  #isPublished(bars: ReadonlyMap<string, RawBar>): boolean {
    const { symbols } = this.#run;
    return symbols.filter((symbol) => bars.has(symbol)).length >= PUBLISHED_SHARE * symbols.length;
  }

  async #store(dates: ReadDates): Promise<void> {
    const { start, end, at, kind, read } = dates;
    const { known, added } = await this.#checkRows(dates);
    const { context } = this.#run;
    const alone = new Set(await storeDays(context, this.#provider, known, { start, end, at }));
    if (kind === 'newer') for (const symbol of await this.#compareLastBars(dates, known, alone)) alone.delete(symbol);
    if (kind === 'first' || (kind === 'older' && this.#isWhole)) {
      // A symbol that is not stored had no bar on the newer dates.
      await storeDays(context, this.#provider, added, { start, end: read.to + DAY_MS, at });
      for (const symbol of added.keys()) this.#stored.set(symbol, null);
    } else if (kind !== 'again') {
      for (const symbol of added.keys()) alone.add(symbol);
    }
    if (kind === 'newer' && read.from <= this.#run.first) for (const symbol of this.#findShort()) alone.add(symbol);
    if (alone.size > this.#run.sessions.length && !this.#isRestarted) return this.#restart(alone);
    await this.#run.readAlone([...alone]);
    for (const symbol of alone) this.#stored.set(symbol, null);
    this.#dates = read;
    await this.#report(read);
  }

  /**
   * Stores the new bars of symbols that were not traded on the date that was compared: one request for the date of their
   * last stored bar compares all that have the same one.
   *
   * @returns the symbols whose new bars were stored
   */
  async #compareLastBars(
    dates: ReadDates,
    rows: ReadonlyMap<string, BarTable>,
    uncompared: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    if (uncompared.size < 2) return [];
    const { context, symbols } = this.#run;
    const stored = await readDayCoverage(context.database, this.#provider);
    const before = previousSession(dates.start);
    const candidates = symbols.filter((symbol) => uncompared.has(symbol) && (stored.get(symbol)?.to ?? 0) > before);
    const compared: string[] = [];
    for (const [date, group] of Map.groupBy(candidates, (symbol) => stored.get(symbol)?.lastBar ?? null)) {
      if (date === null || group.length < 2) continue;
      const at = this.#run.now();
      const bars = [await this.#provider.bulk.fetchDate(date, 'split', this.#run.openClient())];
      const again = { ...dates, bars, start: date, end: date + DAY_MS, at };
      const { known } = await this.#checkRows(again);
      const select = (from: ReadonlyMap<string, BarTable>, of: readonly string[]) =>
        new Map(of.map((symbol) => [symbol, from.get(symbol) ?? NO_BARS]));
      const changed = new Set(await storeDays(context, this.#provider, select(known, group), again));
      const same = group.filter((symbol) => !changed.has(symbol));
      const failed = new Set(await storeDays(context, this.#provider, select(rows, same), { ...dates, at }));
      compared.push(...same.filter((symbol) => !failed.has(symbol)));
    }
    return compared;
  }

  /** Returns the valid bars of the symbols that are stored, and those of the others that have any. */
  async #checkRows({ bars, start, end, at }: ReadDates) {
    const known = new Map<string, BarTable>();
    const added = new Map<string, BarTable>();
    const query = { frequency: '1D', session: 'regular', start, end, limit: bars.length } as const;
    for (const [i, symbol] of this.#run.symbols.entries()) {
      if (i % SYMBOLS_PER_STEP === 0) await setImmediate();
      const rows = bars.flatMap((date) => date.get(symbol) ?? []);
      const table = rows.length === 0 ? NO_BARS : checkBars(rows, query, at, this.#provider.kindOf(symbol)).bars;
      if (this.#stored.has(symbol)) known.set(symbol, table);
      else if (table.timestamps.length > 0) added.set(symbol, table);
    }
    return { known, added };
  }

  /** Returns the symbols of which fewer sessions are stored, because they were read for another purpose. */
  #findShort(): readonly string[] {
    return this.#run.symbols.filter((symbol) => (this.#stored.get(symbol)?.from ?? 0) > this.#run.first);
  }

  /** Reads all dates again, because that needs fewer requests than reading so many symbols alone. */
  async #restart(symbols: Iterable<string>): Promise<void> {
    const { id: provider, sides } = this.#provider;
    for (const symbol of symbols) {
      const name = { provider, symbol, frequency: '1D', adjustment: 'split', side: sides[0] } as const;
      await deleteSeries(this.#run.context.database, name);
      this.#stored.delete(symbol);
    }
    this.#isRestarted = true;
    this.#isWhole = true;
    this.#dates = null;
    this.#total = 0;
    await this.#report(null);
  }

  async #report(read: DatesRead | null): Promise<void> {
    const remaining = countSteps(read, this.#wanted());
    if (this.#total === 0) this.#total = Math.max(this.#run.claim.total, remaining);
    this.#total = Math.max(this.#total, remaining);
    await this.#run.report({ total: this.#total, done: this.#total - remaining }, read ?? undefined);
  }
}

/** Returns whether a date can be stored together with those that were read before it. */
function canJoin({ kind, bars }: ReadDates, step: DateStep | null): boolean {
  return kind === 'older' && step?.kind === 'older' && bars.length < DATES_STORED_TOGETHER;
}

function addDate(
  before: ReadDates | null,
  { kind, date }: DateStep,
  bars: ReadonlyMap<string, RawBar>,
  at: number,
  read: DatesRead,
): ReadDates {
  if (before === null) return { kind, bars: [bars], start: date, end: date + DAY_MS, at, read };
  return { ...before, bars: [...before.bars, bars], start: Math.min(before.start, date), read };
}
