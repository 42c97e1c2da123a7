// Pure and shared with the scripts of the pages, so that a form reads a number in the same way while it is typed.

const SIGN = /^[-\u2212+]/;
const BLANKS = /^(\d{1,3})(?:[ \u00a0\u202f'\u2019]\d{3})+(?=[.,]\d+$|$)/;
const PLAIN = /^\d+(?:\.\d+)?(?:e[-+]?\d{1,3})?$/i;
/** Commas between thousands, as these pages write numbers. A first group of only zeros does not count as thousands. */
const COMMA_GROUPS = /^(?!0+,)\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
/** Points between thousands: only two points, or a decimal comma after them, tell them from a decimal point. */
const POINT_GROUPS = /^(?!0+\.)\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;
const DECIMAL_COMMA = /^\d+,\d+$/;

/**
 * Reads a number as people write it: with a decimal point or comma, and with thousands that commas, points, blanks or
 * apostrophes separate. Of two readings it takes the one of these pages: 22,500 has thousands, and 22.500 a decimal point.
 *
 * @example readNumber('22.500,00') // 22500
 * @returns null if it is not a number
 */
export function readNumber(text: string): number | null {
  const trimmed = text.trim();
  const [sign = ''] = SIGN.exec(trimmed) ?? [];
  const digits = trimmed.slice(sign.length).replace(BLANKS, (groups) => groups.replace(/\D/g, ''));
  const plain = toPlain(digits);
  if (plain === null) return null;
  const value = Number(plain) * (sign === '' || sign === '+' ? 1 : -1);
  return Number.isFinite(value) ? value : null;
}

function toPlain(digits: string): string | null {
  if (PLAIN.test(digits)) return digits;
  if (COMMA_GROUPS.test(digits)) return digits.replaceAll(',', '');
  if (POINT_GROUPS.test(digits)) return digits.replaceAll('.', '').replace(',', '.');
  return DECIMAL_COMMA.test(digits) ? digits.replace(',', '.') : null;
}
