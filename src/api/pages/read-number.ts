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

const AMBIGUOUS = /^[-+\u2212]?[1-9]\d{0,2}[.,]\d{3}$/;

/** The two readings of a text that some write with thousands and others with decimals. */
export interface TwoReadings {
  readonly whole: number;
  readonly decimal: number;
  /** How to write either of them so that it has one reading. */
  readonly advice: string;
}

/** Returns the readings of a number with two; null for any other text. @example findReadings('22.500') // 22500, 22.5 */
export function findReadings(text: string): TwoReadings | null {
  const plain = text.trim().replace('\u2212', '-');
  if (!AMBIGUOUS.test(plain)) return null;
  const [whole, decimal] = [plain.replace(/[.,]/, ''), plain.replace(',', '.')];
  const advice = `${plain} can mean ${whole} or ${Number(decimal)}. Write ${whole} or ${decimal}0.`;
  return { whole: Number(whole), decimal: Number(decimal), advice };
}

function toPlain(digits: string): string | null {
  if (PLAIN.test(digits)) return digits;
  if (COMMA_GROUPS.test(digits)) return digits.replaceAll(',', '');
  if (POINT_GROUPS.test(digits)) return digits.replaceAll('.', '').replace(',', '.');
  return DECIMAL_COMMA.test(digits) ? digits.replace(',', '.') : null;
}
