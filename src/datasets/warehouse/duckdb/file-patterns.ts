/**
 * Returns the pattern that matches only this file. DuckDB reads every path as a pattern: in one list, the file `a*.csv`
 * would match `ab.csv` also, and its rows would be read twice.
 *
 * @example toPattern('/data/a*.csv') // '/data/a[*].csv'
 */
export function toPattern(file: string): string {
  return file.replace(/[*?[]/g, '[$&]');
}
