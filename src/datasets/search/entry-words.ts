import type { ListedSeries } from '../../snapshots/index.ts';
import { type Chunks, chunksOf, joinWords } from './words.ts';

/** Where in an entry a word stands, as bits: one word may stand in several places. */
export const IN_KEYWORD = 1;
export const IN_TITLE = 2;
/** In a keyword that looks like a symbol, or as a part of the symbol of an instrument. */
export const AS_ALIAS = 4;
/** As the whole symbol or series id. */
export const AS_SYMBOL = 8;

/** One chunk without small letters: SPX, ^GSPC, US0378331005. */
const LOOKS_LIKE_SYMBOL = /^(?=.*\p{Lu})[^\s\p{Ll}]{1,16}$/u;

/** Calls `visit` with each word that an entry of that title is found by; the same word may come more than once. */
export function visitEntryWords(
  { source, keywords, provider }: ListedSeries,
  title: Chunks,
  wordsOfKeyword: (keyword: string) => readonly string[],
  visit: (word: string, place: number) => void,
): void {
  const code = source.type === 'market' ? source.symbol : source.series_id;
  const partOfCode = source.type === 'market' ? AS_ALIAS : IN_KEYWORD;
  const codeChunks = chunksOf(code);
  const whole = joinWords(codeChunks.flat());
  if (whole !== '') visit(whole, AS_SYMBOL);
  for (const word of indexedWords(codeChunks)) visit(word, partOfCode);
  for (const word of indexedWords(title)) visit(word, IN_TITLE);
  for (const word of wordsOfKeyword(provider)) visit(word, IN_KEYWORD);
  for (const keyword of keywords) {
    const place = LOOKS_LIKE_SYMBOL.test(keyword) ? AS_ALIAS | IN_KEYWORD : IN_KEYWORD;
    for (const word of wordsOfKeyword(keyword)) visit(word, place);
  }
}

/** The words of a text and what people write them together as: for "S&P 500" s, p, sp, 500 and sp500. */
export function indexedWords(chunks: Chunks): string[] {
  const indexed: string[] = [];
  for (const [i, words] of chunks.entries()) {
    const joined = joinWords(words);
    indexed.push(...words);
    if (words.length > 1) indexed.push(joined);
    const next = chunks[i + 1];
    const number = next?.length === 1 ? next[0] : undefined;
    if (number !== undefined && isNumber(number) && !isNumber(joined)) indexed.push(joinWords([joined, number]));
  }
  return indexed;
}

function isNumber(word: string): boolean {
  return /^\d+$/.test(word);
}
