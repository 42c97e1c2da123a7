import { randomBytes } from 'node:crypto';

const LONGEST = 60;

/**
 * A readable name for an address: the words of a text, and a few random characters that make it unique. They are always
 * there: without them, who gets which name would tell what others have.
 *
 * @param otherwise for a text without a letter or digit of ours
 * @example slugOf('S&P 500, next month', 'forecast') // s-p-500-next-month-4be0c1f7
 */
export function slugOf(text: string, otherwise: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
  return `${words === '' ? otherwise : words}-${randomBytes(4).toString('hex')}`;
}
