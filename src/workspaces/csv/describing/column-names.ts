/** What people call the column that matters. */
const VALUE_NAMES = new Set(
  'value values y close price amount total sales demand count quantity wert preis umsatz menge'.split(' '),
);
/** Names by which four digits are a year, and many are seconds since 1970, rather than a number. */
const TIME_NAME =
  /(?<!\p{L})(?:year|yr|date|time|datetime|timestamp|ts|epoch|period|jahr|datum|zeit|zeitstempel|ann[eé]e|a[nñ]o|anno)(?!\p{L})/iu;

export function isValueName(name: string): boolean {
  return VALUE_NAMES.has(name.toLowerCase());
}

/** @example isTimeName('openTime') // true, as are open_time and "Open time" */
export function isTimeName(name: string): boolean {
  return TIME_NAME.test(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
}
