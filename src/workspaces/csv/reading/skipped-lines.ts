import type { CsvSkippedKind } from '../../../contract/csv-vocabulary.ts';

/** Maximum number of lines above a table, and of lines below it, that are not part of it. */
export const MAX_SKIPPED = 10;

/** Maximum number of characters of a skipped line that are kept. */
const MAX_TEXT = 200;

/** A record of a file, and the line on which it begins. */
export interface Record {
  readonly cells: string[];
  readonly line: number;
  /** The number of its cells, including those beyond the column limit. */
  readonly count: number;
}

/** A line that is not part of the table: a title above it, the units below its header, or a footer such as a total. */
export interface SkippedLine {
  readonly line: number;
  readonly kind: CsvSkippedKind;
  /** The beginning of the line. */
  readonly text: string;
}

/** Returns a line that is left out, as it is stored and shown; null if all its cells are empty. */
export function skippedLine(kind: SkippedLine['kind'], { cells, line }: Record, delimiter: string): SkippedLine | null {
  if (cells.every((cell) => cell.trim() === '')) return null;
  const text = cells.join(delimiter === '\t' ? ' ' : delimiter).replace(/\s+/g, ' ');
  return { line, kind, text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1).toWellFormed()}…` : text };
}
