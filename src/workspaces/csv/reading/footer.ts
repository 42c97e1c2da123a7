import { isMissing } from '../cells/numbers.ts';
import { type ColumnProfile, isTimeName } from '../describing/column-profile.ts';
import { isNumberOrTime } from './header.ts';
import { MAX_SKIPPED, type Record } from './skipped-lines.ts';

/** Fewer rows with a time do not show which column has the times. */
const MIN_TIMES = 3;

/**
 * Returns how many of the last rows of a file belong to its table. The others are footer rows, such as a total or a note:
 * in the column of times, all cells above them are times, and their own are empty or words. A cell that begins with a
 * digit may be a damaged time, so it is not a footer, and the file shows the mistake.
 *
 * @param profiles the columns with the cells of all rows above the last ones
 */
export function countBody(profiles: readonly ColumnProfile[], last: readonly Record[]): number {
  const candidates = profiles
    .map((profile, column) => ({ profile, column, body: countTimes(profile, column, last) }))
    .filter(({ profile, column, body }) => isTimeColumn(profile, column, last.slice(0, body)));
  const certain =
    candidates.find(({ profile }) => isTimeName(profile.name)) ??
    candidates.find(({ profile, column, body }) => !hasOnlyDigits(profile, column, last.slice(0, body)));
  const chosen = certain ?? candidates[0];
  if (chosen === undefined) return last.length;
  const { profile, column, body } = chosen;
  const footer = last.slice(body);
  const times = cellsOf(profile, column, last.slice(0, body));
  const isFooter =
    footer.length <= MAX_SKIPPED && footer.every(({ cells }) => isFooterCell(cells[column] ?? '', times));
  return isFooter ? body : last.length;
}

/** Returns the number of rows up to the last one with a time. */
function countTimes(profile: ColumnProfile, column: number, last: readonly Record[]): number {
  return 1 + last.findLastIndex(({ cells }) => profile.canBeTime(cells[column] ?? ''));
}

/** Returns whether a column has only times, enough of them, before its footer. */
function isTimeColumn(profile: ColumnProfile, column: number, body: readonly Record[]): boolean {
  const cells = body.map((row) => (row.cells[column] ?? '').trim()).filter((cell) => !isMissing(cell));
  return profile.countCells() + cells.length >= MIN_TIMES && profile.areTimes(cells);
}

/** Returns whether the cells may be years or other numbers, so that another column is preferred. */
function hasOnlyDigits(profile: ColumnProfile, column: number, body: readonly Record[]): boolean {
  return cellsOf(profile, column, body).every((cell) => /^\d*$/.test(cell));
}

/** Returns the first cells of a column and the last ones before its footer. */
function cellsOf(profile: ColumnProfile, column: number, body: readonly Record[]): string[] {
  return [...profile.examples, ...body.map(({ cells }) => (cells[column] ?? '').trim())];
}

/** @param times cells of the column with times */
function isFooterCell(cell: string, times: readonly string[]): boolean {
  const trimmed = cell.trim();
  if (isMissing(trimmed)) return true;
  // The name of a month in another language would look like a word.
  const isDamagedName = times.some((example) => /\p{L}{2}/u.test(example)) && /\d/.test(trimmed);
  return !/^[\d'"(+-]/.test(trimmed) && !isDamagedName && !isNumberOrTime(trimmed);
}
