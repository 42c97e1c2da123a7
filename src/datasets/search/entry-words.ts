import type { PublicReference } from '../../contract/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { AS_ALIAS, AS_SYMBOL, IN_KEYWORD, IN_TITLE } from './postings.ts';
import { type Chunks, joinWords, splitChunks } from './text-words.ts';

/** Matches a single chunk without lowercase letters, such as SPX, ^GSPC or US0378331005. */
const LOOKS_LIKE_SYMBOL = /^(?=.*\p{Lu})[^\s\p{Ll}]{1,16}$/u;

/**
 * Calls `visit` with each word by which an entry can be found, and the fields that contain the word. May visit a word
 * more than once.
 */
export function visitEntryWords(
  { source, names, keywords, provider }: ListedSeries,
  title: Chunks,
  wordsOfKeyword: (keyword: string) => readonly string[],
  visit: (word: string, fields: number) => void,
): void {
  const fieldOfCodePart = source.type === 'market' ? AS_ALIAS : IN_KEYWORD;
  const codeChunks = splitChunks(readCode(source));
  const wholeCode = joinWords(codeChunks.flat());
  if (wholeCode !== '') visit(wholeCode, AS_SYMBOL);
  for (const word of indexedWords(codeChunks)) visit(word, fieldOfCodePart);
  for (const word of indexedWords(title)) visit(word, IN_TITLE);
  for (const name of names ?? []) {
    const chunks = splitChunks(name);
    const whole = joinWords(chunks.flat());
    if (whole !== '') visit(whole, AS_ALIAS);
    for (const word of indexedWords(chunks)) visit(word, IN_KEYWORD);
  }
  for (const word of wordsOfKeyword(provider)) visit(word, IN_KEYWORD);
  for (const keyword of keywords) {
    const fields = LOOKS_LIKE_SYMBOL.test(keyword) ? AS_ALIAS | IN_KEYWORD : IN_KEYWORD;
    for (const word of wordsOfKeyword(keyword)) visit(word, fields);
  }
}

function readCode(source: PublicReference): string {
  if (source.type === 'market') return source.symbol;
  return source.type === 'warehouse_table' ? source.table : source.series_id;
}

/** Returns the whole symbol or series id as one word, which is empty if it has neither letters nor digits. */
export function joinCode(source: PublicReference): string {
  return joinWords(splitChunks(readCode(source)).flat());
}

/** Returns the words of a string and their common joined forms: s, p, sp, 500 and sp500 for "S&P 500". */
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
