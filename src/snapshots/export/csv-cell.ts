/** What some spreadsheet would take for the beginning of a formula; the wide signs are those of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * A text as a cell of a CSV file (RFC 4180). A text that a spreadsheet would run gets an apostrophe before it; a
 * number, negative or not, is left as it is.
 *
 * @example csvCell('=SUM(A1)') // '=SUM(A1)
 * @example csvCell('-1.5') // -1.5
 */
export function csvCell(text: string): string {
  return quoted(FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);
}

/**
 * A text that is known to be a number, as a cell: however it is written, it stays as it is.
 *
 * @example numberCell('-1,5') // "-1,5"
 */
export function numberCell(text: string): string {
  return quoted(text);
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
