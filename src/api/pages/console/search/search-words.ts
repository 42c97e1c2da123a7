import { isFrequency } from '../../../../calendar/index.ts';
import type { PublicReference } from '../../../../contract/index.ts';
import { periodFormat } from '../../format.ts';

interface Span {
  readonly start: string;
  readonly end: string;
}

/** Returns the first and the last period of a series. @example formatSpan(span, '1ME') // Jan 1913 to May 2018 */
export function formatSpan({ start, end }: Span, frequency: string): string {
  const format = periodFormat(isFrequency(frequency) ? frequency : '1D');
  return `${format(new Date(start))} to ${format(new Date(end))}`;
}

/** Returns the short name of a series: the symbol, the id or the table. */
export function codeOf(source: PublicReference): string {
  if (source.type === 'market') return source.symbol;
  return source.type === 'economic_series' ? source.series_id : source.table;
}

/** Joins names as in a sentence. @example joinNames(['FRED', 'ECB', 'Eurostat']) // FRED, ECB and Eurostat */
export function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The letters and digits of a text in lower case, without accents. */
function normalize(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Returns the words of a text that could be highlighted or looked for. */
export function wordsOf(text: string): string[] {
  return normalize(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the words of a query that none of the shown names contains. */
export function findMissingWords(query: string, names: readonly string[]): string[] {
  const shown = names.flatMap(wordsOf);
  const typed = query.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(typed)].filter((word) => {
    const wanted = normalize(word);
    return wanted !== '' && !shown.some((name) => name.startsWith(wanted));
  });
}

/** A part of a name, and whether the query contains it. */
interface NamePart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Splits a name into the beginnings of words that the query contains, and the rest. */
export function splitMatches(name: string, query: string): NamePart[] {
  const wanted = wordsOf(query);
  const parts: NamePart[] = [];
  let at = 0;
  for (const { 0: word, index } of name.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const plain = normalize(word);
    // Accents and ligatures change the length, so that only a whole word can be marked then.
    const length = Math.max(0, ...wanted.filter((one) => plain.startsWith(one)).map((one) => one.length));
    if (length === 0) continue;
    const end = index + (plain.length === word.length ? length : word.length);
    parts.push({ text: name.slice(at, index), isMatch: false }, { text: name.slice(index, end), isMatch: true });
    at = end;
  }
  return [...parts, { text: name.slice(at), isMatch: false }].filter(({ text }) => text !== '');
}
