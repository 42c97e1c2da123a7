import { type Clock, type ProviderClient, ProviderError } from '../../../platform/index.ts';
import type { BarPage, ListedInstrument, PageQuery, RawBar } from '../provider.ts';
import { type CandleFile, type FileLayout, isClosedFile, layoutOf } from './candle-files.ts';
import { decodeCandles } from './decode-candles.ts';
import { BUNDLED_PAIRS, codeOf, type HistoryStarts } from './instruments.ts';
import { parseHistoryStarts } from './parse-history-starts.ts';

/** The id of the provider. */
export const DUKASCOPY = 'dukascopy';

/** Far above the largest file, which has 1,440 candles of about 30 bytes. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** One series of candles, as its files are addressed. */
interface Series {
  readonly instrument: ListedInstrument;
  readonly code: string;
  readonly side: 'BID' | 'ASK';
  readonly http: ProviderClient;
}

/** Reads the files of candles, the latest first. */
export class CandleFeed {
  readonly #url: string;
  readonly #instruments: () => ReadonlyMap<string, ListedInstrument>;
  readonly #clock: Clock;
  /** The starts of histories that the feed has stated, by code. */
  readonly #starts = new Map<string, HistoryStarts>();

  /** @param instruments returns the instruments that are served, by symbol */
  constructor(url: string, instruments: () => ReadonlyMap<string, ListedInstrument>, clock: Clock) {
    this.#url = url;
    this.#instruments = instruments;
    this.#clock = clock;
  }

  /** Returns the candles of one file. The token of a page is the start of its file. */
  async fetchPage(query: PageQuery, token: string | null, http: ProviderClient): Promise<BarPage> {
    const series = this.#seriesOf(query, http);
    const layout = layoutOf(query.frequency);
    const file = this.#openFileAt(series, layout, token === null ? this.#latestInstant(query) : Number(token));
    if (!this.#isWanted(file, query, this.#knownStarts(series))) return { bars: [], olderToken: null };
    const candles = await this.#readFile(series, layout, file);
    if (candles === null) return { bars: [], olderToken: null };
    const bars = candles.filter(({ timestamp }) => isWithin(query, Number(timestamp)));
    const older = candles.length > 0 ? file.start - 1 : await this.#latestCandleBefore(file.start, query, series);
    if (older === null) return { bars, olderToken: null };
    const olderFile = this.#openFileAt(series, layout, older);
    if (!this.#isWanted(olderFile, query, this.#knownStarts(series))) return { bars, olderToken: null };
    // No candles lie between the two files.
    return { bars, olderToken: String(olderFile.start), from: olderFile.end };
  }

  /** Returns the last instant of a query, but not one after now: the feed has no files of the future. */
  #latestInstant({ end }: PageQuery): number {
    return Math.min(end - 1, this.#clock.now().getTime());
  }

  #seriesOf({ symbol, side }: PageQuery, http: ProviderClient): Series {
    const instrument = this.#instruments().get(symbol);
    const code = instrument === undefined ? null : codeOf(instrument);
    if (instrument === undefined || code === null) throw new ProviderError(DUKASCOPY, 'NOT_FOUND');
    return { instrument, code, side: side === 'ask' ? 'ASK' : 'BID', http };
  }

  /** Returns the file at an instant, or the one before if the market is closed all the time of that file. */
  #openFileAt({ instrument }: Series, layout: FileLayout, instant: number): CandleFile {
    const file = layout.fileAt(instant);
    return instrument.class !== 'coin' && isClosedFile(file) ? layout.fileAt(file.start - 1) : file;
  }

  #isWanted({ end }: CandleFile, { start, frequency }: PageQuery, starts: HistoryStarts | null): boolean {
    if (start !== undefined && end <= start) return false;
    return starts === null || end > startOf(starts, frequency);
  }

  /** Returns the candles of a file; null for a file before the first one of the instrument. */
  async #readFile(series: Series, layout: FileLayout, file: CandleFile): Promise<RawBar[] | null> {
    const { code, side, http } = series;
    const now = this.#clock.now().getTime();
    const isCurrent = file.start <= now && now < file.end;
    const folder = `${this.#url}/v1/candles/${layout.name}/${code}/${side}`;
    const address = isCurrent ? `${folder}?from=${file.start}` : `${folder}/${layout.pathOf(file)}`;
    const accept = (reply: unknown): RawBar[] => {
      const bars = decodeCandles(reply, { file, code, shift: layout.shift, isCurrent });
      if (bars === null) throw new ProviderError(DUKASCOPY, 'MALFORMED', 'a file of candles has another form');
      return bars;
    };
    try {
      return await http.getJson(address, { maxBytes: MAX_FILE_BYTES, accept });
    } catch (error) {
      if (!(error instanceof ProviderError) || error.fault !== 'NOT_FOUND') throw error;
      const starts = await this.#askStarts(series);
      const start = layout.name === 'day' ? starts.days : starts.intraday;
      if (file.end <= start) return null;
      throw new ProviderError(DUKASCOPY, 'MALFORMED', 'a file of the history is missing');
    }
  }

  /**
   * Returns the instant of the latest candle before an empty file, as far as the files of days tell; null if there is
   * none. Without them, an instrument that is no longer quoted would need one request for each empty day.
   */
  async #latestCandleBefore(before: number, query: PageQuery, series: Series): Promise<number | null> {
    const starts = this.#knownStarts(series) ?? (await this.#askStarts(series));
    if (before <= startOf(starts, query.frequency)) return null;
    if (query.frequency === '1D') return before - 1;
    const layout = layoutOf('1D');
    const first = Math.max(starts.days, starts.intraday, query.start ?? starts.intraday);
    for (let file = layout.fileAt(before - 1); file.end > first; file = layout.fileAt(file.start - 1)) {
      const days = (await this.#readFile(series, layout, file)) ?? [];
      const last = days.findLast(({ timestamp }) => Number(timestamp) < before);
      if (last !== undefined) return Number(last.timestamp);
    }
    return null;
  }

  #knownStarts({ instrument, code }: Series): HistoryStarts | null {
    return this.#starts.get(code) ?? BUNDLED_PAIRS.get(instrument.symbol)?.starts ?? null;
  }

  async #askStarts({ code, http }: Series): Promise<HistoryStarts> {
    const known = this.#starts.get(code);
    if (known !== undefined) return known;
    const accept = (reply: unknown): HistoryStarts => {
      const parsed = parseHistoryStarts(reply, code);
      if (parsed !== null) return parsed;
      throw new ProviderError(DUKASCOPY, 'MALFORMED', 'the description of an instrument has another form');
    };
    const starts = await http.getJson(`${this.#url}/v1/instruments/${code}`, { accept });
    this.#starts.set(code, starts);
    return starts;
  }
}

function isWithin({ start = Number.NEGATIVE_INFINITY, end }: PageQuery, timestamp: number): boolean {
  return timestamp >= start && timestamp < end;
}

function startOf({ intraday, days }: HistoryStarts, frequency: PageQuery['frequency']): number {
  return frequency === '1D' ? days : intraday;
}
