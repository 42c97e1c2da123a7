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
 * Reads rows that an agent sends as text: a timestamp, a comma and a number on each line. The first line is a
 * heading if neither of its cells can be read.
 */
export function readCsvRows(csv: string): CsvRows {
  const timestamps: string[] = [];
  const values: number[] = [];
  const lines = csv.split(/\r\n|\n|\r/).map((text, index) => ({ text, number: index + 1 }));
  for (const [index, { text, number }] of lines.filter((line) => line.text.trim() !== '').entries()) {
    const cells = text.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    const [timestamp = '', value = ''] = cells;
    const time = readTimestamp(timestamp);
    const isNumber = NUMBER.test(value) && Number.isFinite(Number(value));
    const isHeading = index === 0 && typeof time === 'string' && !isNumber;
    if (isHeading) continue;
    if (cells.length !== 2) throw unreadableCsvLine(number, `has ${cells.length} cells instead of 2`);
    if (!isNumber) throw unreadableCsvLine(number, 'has a second cell that is not a number');
    if (typeof time === 'string') throw unreadableCsvLine(number, `has a timestamp that ${time}`);
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
