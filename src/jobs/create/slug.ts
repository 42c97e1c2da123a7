import { randomBytes } from 'node:crypto';

const LONGEST = 60;

/**
 * A readable name for an address: the words of a text, and a few random characters that make it unique.
 *
 * @example slugOf('S&P 500, next month') // s-p-500-next-month-k3v9q2xa
 */
export function slugOf(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
  const suffix = randomBytes(5).toString('hex').slice(0, 8);
  return words === '' ? `forecast-${suffix}` : `${words}-${suffix}`;
}
