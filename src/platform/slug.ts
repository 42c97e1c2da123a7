import { randomBytes } from 'node:crypto';

const MAX_LENGTH = 60;

/**
 * Returns a readable name for a URL: the words of a string and a few random characters. The characters are always added,
 * because otherwise the names that are still free would reveal which names other accounts have used.
 *
 * @param fallback the words for a string without ASCII letters or digits
 * @example slugOf('S&P 500, next month', 'forecast') // s-p-500-next-month-4be0c1f7
 */
export function slugOf(text: string, fallback: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  return endAtRandom(words === '' ? fallback : words);
}

/** @example endAtRandom('rates-cut') // rates-cut-4be0c1f7 */
export function endAtRandom(words: string): string {
  return `${words}-${randomBytes(4).toString('hex')}`;
}
