import { MAX_CSV_COLUMN_NAME } from '../../../contract/index.ts';
import { looksTyped } from '../cells/looks-typed.ts';
import { lineFault, sayCell } from './line-fault.ts';

/** A first line without a word, with a number or a time on it, is a row already. */
export function isHeader(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length === 0 || filled.some((cell) => !looksTyped(cell));
}

/** The names of the columns; one without a name is called by its place: column_3. */
export function nameColumns(header: readonly string[], line: number): string[] {
  const names = header.map((cell, index) => cell.trim() || `column_${index + 1}`);
  const places = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    if (name.length > MAX_CSV_COLUMN_NAME) {
      throw lineFault(line, `the name of column ${index + 1} has more than ${MAX_CSV_COLUMN_NAME} characters.`);
    }
    const before = places.get(name);
    if (before !== undefined) {
      throw lineFault(line, `the columns ${before + 1} and ${index + 1} are both called ${sayCell(name)}.`);
    }
    places.set(name, index);
  }
  return names;
}
