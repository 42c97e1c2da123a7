/** The formats of numbers, named after the mark before the fraction. */
export type NumberFormat = 'decimal_point' | 'decimal_comma';

/** Groups of three digits, separated by the same mark throughout. The first group does not begin with a zero. */
const GROUPED_BY_SPACE = "[1-9]\\d{0,2}(?:([ '’\\u00a0\\u202f])\\d{3})(?:\\1\\d{3})*";
const EXPONENT = '(?:[eE][+-]?\\d{1,3})?';

const POINT = new RegExp(
  `^[+\\-−]?(?:(?:\\d+|${GROUPED_BY_SPACE}|[1-9]\\d{0,2}(?:,\\d{3})+)(?:\\.\\d*)?|\\.\\d+)${EXPONENT}$`,
);
const COMMA = new RegExp(
  `^[+\\-−]?(?:(?:\\d+|${GROUPED_BY_SPACE}|[1-9]\\d{0,2}(?:\\.\\d{3})+)(?:,\\d*)?|,\\d+)${EXPONENT}$`,
);
const PLAIN_INTEGER = /^-?\d{1,15}$/;
const PLAIN_DECIMAL = /^-?\d{1,15}\.\d{1,15}$/;

/** The cells that mark a missing value: an empty cell, the words of R, Excel and pandas, and the dot of FRED. */
const MISSING = /^(?:|na|n\/a|#n\/a|nan|null|\.)$/i;

/** @param cell the text of a cell without surrounding white space */
export function isMissing(cell: string): boolean {
  return cell.length <= 4 && MISSING.test(cell);
}

/** Returns whether a cell is an integer of digits alone, which is the same number in every format. */
export function isPlainInteger(cell: string): boolean {
  return PLAIN_INTEGER.test(cell);
}

/**
 * Returns the number in a cell, or null if the cell is not a finite number in this format.
 *
 * @param cell the text of a cell without surrounding white space
 * @example parseNumberIn('1.234,5', 'decimal_comma') // 1234.5
 */
export function parseNumberIn(cell: string, format: NumberFormat): number | null {
  if (PLAIN_INTEGER.test(cell)) return Number(cell);
  // Nearly all cells have this form, and the general pattern takes several times as long.
  if (format === 'decimal_point' && PLAIN_DECIMAL.test(cell)) return Number(cell);
  if (!(format === 'decimal_point' ? POINT : COMMA).test(cell)) return null;
  const groupMarks = format === 'decimal_point' ? /[, '’\u00a0\u202f]/g : /[. '’\u00a0\u202f]/g;
  const value = Number(cell.replace(groupMarks, '').replace(',', '.').replace('−', '-'));
  return Number.isFinite(value) ? value : null;
}
