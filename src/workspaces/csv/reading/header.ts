import { MAX_CSV_COLUMN_NAME } from '../../../contract/csv-vocabulary.ts';
import { isHeaderLine } from '../../../platform/csv/detect-delimiter.ts';
import { lineFault, quoteCell } from '../../faults.ts';
import { isMissing, parseNumberIn } from '../cells/numbers.ts';
import { parseTimeIn, TIME_FORMATS } from '../cells/times.ts';

/** Returns whether the first line of a file is a header. A line of only numbers and times is already a row. */
export function isHeader(cells: readonly string[]): boolean {
  return isHeaderLine(cells, isNumberOrTime);
}

/** Returns the names of the columns. A column without a name is named by its position, such as column_3. */
export function nameColumns(header: readonly string[], line: number): string[] {
  const names = header.map((cell, index) => cell.trim() || `column_${index + 1}`);
  const positions = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    if (name.length > MAX_CSV_COLUMN_NAME) {
      throw lineFault(line, `the name of column ${index + 1} has more than ${MAX_CSV_COLUMN_NAME} characters.`);
    }
    const earlier = positions.get(name);
    if (earlier !== undefined) {
      throw lineFault(line, `columns ${earlier + 1} and ${index + 1} are both named ${quoteCell(name)}.`);
    }
    positions.set(name, index);
  }
  return names;
}

/** Returns whether a cell is a number or a time in some format, which the name of a column rarely is. */
export function isNumberOrTime(cell: string): boolean {
  const trimmed = cell.trim();
  if (isMissing(trimmed)) return false;
  if (parseNumberIn(trimmed, 'decimal_point') !== null || parseNumberIn(trimmed, 'decimal_comma') !== null) return true;
  return TIME_FORMATS.some((format) => parseTimeIn(trimmed, format) !== null);
}
