import { once, parseDate, parseNumber, readPackageCsv } from '../../../platform/index.ts';
import { BUNDLED_INSTRUMENTS, type BundledInstrument } from './instruments.ts';

/** A row of a price file. */
export interface DailyRow {
  /** The session's date at 00:00 UTC. */
  readonly timestamp: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly adjustedClose: number;
  readonly volume: number;
}

/** At least one row, oldest first. */
export interface DailyHistory {
  readonly rows: readonly DailyRow[];
  readonly first: DailyRow;
  readonly last: DailyRow;
}

const HISTORIES = new Map(BUNDLED_INSTRUMENTS.map((one) => [one.symbol, once(() => parseHistory(one))]));

/** Every row of an instrument's file, parsed at the first call. */
export function readHistory(instrument: BundledInstrument): Promise<DailyHistory> {
  const read = HISTORIES.get(instrument.symbol);
  if (read === undefined) throw new Error(`${instrument.symbol} is not bundled.`);
  return read();
}

/** The rows of a price file; one that is no number, repeated or out of order is an error that names its line. */
export async function parseHistory({ file, columns }: BundledInstrument): Promise<DailyHistory> {
  const rows: DailyRow[] = [];
  for (const { where, cells } of await readPackageCsv(file, columns)) {
    const [date, ...numbers] = columns;
    const [open, high, low, close, adjustedClose, volume] = numbers.map((name) =>
      parseNumber(cells[name] ?? '', where),
    );
    const timestamp = parseDate(cells[date] ?? '', where);
    if (timestamp <= (rows.at(-1)?.timestamp ?? Number.NEGATIVE_INFINITY)) {
      throw new Error(`${where}: the date is not later than that of the row before.`);
    }
    rows.push({
      timestamp,
      open: open ?? Number.NaN,
      high: high ?? Number.NaN,
      low: low ?? Number.NaN,
      close: close ?? Number.NaN,
      adjustedClose: adjustedClose ?? Number.NaN,
      volume: volume ?? Number.NaN,
    });
  }
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) throw new Error(`${file.package}/${file.path} has no rows.`);
  return { rows, first, last };
}
