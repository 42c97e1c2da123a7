import { readTimestamp } from '../../contract/index.ts';
import { csvCell } from '../../snapshots/index.ts';
import { emptyCsv, unreadableCsvLine } from './faults.ts';

/** The rows of a text as an inline source contains them. */
export interface CsvRows {
  readonly timestamps: readonly string[];
  readonly values: readonly number[];
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Reads rows that an agent sends as text: a timestamp, a comma and a number on each line. The first line can be a
 * heading.
 */
export function readCsvRows(csv: string): CsvRows {
  const timestamps: string[] = [];
  const values: number[] = [];
  for (const [index, line] of csv.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') continue;
    const cells = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    const [timestamp = '', value = ''] = cells;
    const isHeading = timestamps.length === 0 && index === 0 && !/\d/.test(line);
    if (isHeading) continue;
    if (cells.length !== 2) throw unreadableCsvLine(index + 1, `has ${cells.length} cells instead of 2`);
    if (!NUMBER.test(value) || !Number.isFinite(Number(value)))
      throw unreadableCsvLine(index + 1, 'has a second cell that is not a number');
    const time = readTimestamp(timestamp);
    if (typeof time === 'string') throw unreadableCsvLine(index + 1, `has a timestamp that ${time}`);
    timestamps.push(timestamp);
    values.push(Number(value));
  }
  if (timestamps.length === 0) throw emptyCsv();
  return { timestamps, values };
}

/** Returns a small table as CSV, with one line for the names of the columns. */
export function formatTable(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [columns, ...rows].map((cells) => `${cells.map((cell) => csvCell(String(cell))).join(',')}\n`).join('');
}

/** Returns at most `max` of the items, equally far apart, with the first and the last. @returns also the distance */
export function thin<Item>(items: readonly Item[], max: number): { readonly items: Item[]; readonly stride: number } {
  const stride = Math.max(1, Math.ceil((items.length - 1) / (max - 1)));
  const kept = items.filter((_, index) => index % stride === 0 || index === items.length - 1);
  return { items: kept, stride };
}
