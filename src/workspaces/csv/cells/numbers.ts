/** How numbers are written: what stands before the fraction. */
export type NumberFormat = 'decimal_point' | 'decimal_comma';

/** Groups of three are set apart by one mark, the same one throughout; the first group does not begin with a zero. */
const GROUPED_SPACE = "[1-9]\\d{0,2}(?:([ '’\\u00a0\\u202f])\\d{3})(?:\\1\\d{3})*";
const EXPONENT = '(?:[eE][+-]?\\d{1,3})?';

const POINT = new RegExp(
  `^[+\\-−]?(?:(?:\\d+|${GROUPED_SPACE}|[1-9]\\d{0,2}(?:,\\d{3})+)(?:\\.\\d*)?|\\.\\d+)${EXPONENT}$`,
);
const COMMA = new RegExp(
  `^[+\\-−]?(?:(?:\\d+|${GROUPED_SPACE}|[1-9]\\d{0,2}(?:\\.\\d{3})+)(?:,\\d*)?|,\\d+)${EXPONENT}$`,
);
const PLAIN = /^-?\d{1,15}$/;

/** A whole number without marks is the same in every format. */
export function isPlainInteger(cell: string): boolean {
  return PLAIN.test(cell);
}

/**
 * The number that a cell is in a format; null: it is none, or too large to be one.
 *
 * @param cell without the white space around it
 * @example parseNumberIn('1.234,5', 'decimal_comma') // 1234.5
 */
export function parseNumberIn(cell: string, format: NumberFormat): number | null {
  if (PLAIN.test(cell)) return Number(cell);
  if (!(format === 'decimal_point' ? POINT : COMMA).test(cell)) return null;
  const marks = format === 'decimal_point' ? /[, '’\u00a0\u202f]/g : /[. '’\u00a0\u202f]/g;
  const value = Number(cell.replace(marks, '').replace(',', '.').replace('−', '-'));
  return Number.isFinite(value) ? value : null;
}
