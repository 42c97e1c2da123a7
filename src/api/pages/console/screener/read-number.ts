const SUFFIXES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 };

/**
 * Reads a number as people write it: with separators of thousands, a percent sign, or k, m and b for thousands, millions
 * and billions.
 *
 * @returns null if the text is not such a number
 * @example readNumber('1.5m') // 1500000
 */
export function readNumber(text: string): number | null {
  const plain = text
    .trim()
    .replace(/^[\u2212\u2013]/, '-')
    .replace(/\s*%$/, '')
    .toLowerCase();
  const [, sign = '', whole = '', rest = '', suffix = ''] =
    /^([+-]?)(\d{1,3}(?:,\d{3})+|\d*)((?:\.\d+)?(?:e[+-]?\d{1,3})?)\s?([kmb]?)$/.exec(plain) ?? [];
  if (whole === '' && !/\d/.test(rest)) return null;
  if (whole === '' && !rest.startsWith('.')) return null;
  const value = Number(`${sign}${whole.replaceAll(',', '') || '0'}${rest}`) * (SUFFIXES[suffix] ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
}
