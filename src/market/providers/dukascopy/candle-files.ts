import type { BarFrequency } from '../../../calendar/index.ts';

/** A file of candles: all candles of one UTC day, month or year. */
export interface CandleFile {
  readonly start: number;
  /** The start of the next file. */
  readonly end: number;
}

/** How the feed divides the candles of one frequency into files. */
export interface FileLayout {
  /** The name of the candles in an address. */
  readonly name: 'minute' | 'hour' | 'day';
  /** The milliseconds of one candle. */
  readonly shift: number;
  /** Returns the file that contains an instant. */
  fileAt(instant: number): CandleFile;
  /** Returns the part of the address that names a file. Months begin at 1 and are not padded. */
  pathOf(file: CandleFile): string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const LAYOUTS: Readonly<Partial<Record<BarFrequency, FileLayout>>> = {
  '1min': {
    name: 'minute',
    shift: MINUTE_MS,
    fileAt: (instant) => {
      const start = Math.floor(instant / DAY_MS) * DAY_MS;
      return { start, end: start + DAY_MS };
    },
    pathOf: ({ start }) => {
      const date = new Date(start);
      return `${date.getUTCFullYear()}/${date.getUTCMonth() + 1}/${date.getUTCDate()}`;
    },
  },
  '1h': {
    name: 'hour',
    shift: HOUR_MS,
    fileAt: (instant) => {
      const date = new Date(instant);
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
      return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
    },
    pathOf: ({ start }) => {
      const date = new Date(start);
      return `${date.getUTCFullYear()}/${date.getUTCMonth() + 1}`;
    },
  },
  '1D': {
    name: 'day',
    shift: DAY_MS,
    fileAt: (instant) => {
      const year = new Date(instant).getUTCFullYear();
      return { start: Date.UTC(year, 0), end: Date.UTC(year + 1, 0) };
    },
    pathOf: ({ start }) => String(new Date(start).getUTCFullYear()),
  },
};

/** The frequencies of the candles in the feed. */
export const NATIVE_FREQUENCIES = ['1min', '1h', '1D'] as const satisfies readonly BarFrequency[];

/** Returns the layout of the files with candles of a frequency. */
export function layoutOf(frequency: BarFrequency): FileLayout {
  const layout = LAYOUTS[frequency];
  if (layout === undefined) throw new TypeError(`The feed has no ${frequency} candles.`);
  return layout;
}

/**
 * Returns whether a file lies wholly in hours in which currencies and metals are not traded. That holds for Saturdays
 * in UTC only: trading ends on Friday and begins on Sunday at 17:00 in New York, after 20:00 UTC.
 */
export function isClosedFile({ start, end }: CandleFile): boolean {
  return end - start === DAY_MS && new Date(start).getUTCDay() === 6;
}
