const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY = 86_400_000;

/**
 * A finite number written in decimals; throws an error that begins with `where` for anything else, a blank included.
 *
 * @example parseNumber('-1.5', 'my.csv, line 2') // -1.5
 */
export function parseNumber(cell: string, where: string): number {
  const value = NUMBER.test(cell) ? Number(cell) : Number.NaN;
  if (!Number.isFinite(value)) throw new Error(`${where}: ${JSON.stringify(cell)} is not a finite number.`);
  return value;
}

/** Midnight UTC of a date written YYYY-MM-DD; throws for anything else, 30 February included. */
export function parseDate(cell: string, where: string): number {
  const instant = DATE.test(cell) ? Date.parse(cell) : Number.NaN;
  // Where the engine would carry an impossible day over into the next month, the date written back differs.
  if (Number.isNaN(instant) || instant % DAY !== 0 || new Date(instant).toISOString().slice(0, 10) !== cell) {
    throw new Error(`${where}: ${JSON.stringify(cell)} is not a date.`);
  }
  return instant;
}
