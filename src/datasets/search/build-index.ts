import { SOURCE_TYPES } from '../../contract/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import {
  AS_ALIAS,
  AS_SYMBOL,
  buildPostings,
  FIELD_BITS,
  IN_KEYWORD,
  IN_TITLE,
  NumberList,
  type Postings,
} from './postings.ts';
import { createScorer, type ScoreEntries } from './score-entries.ts';
import { buildSimilarTerms, type SimilarTerms } from './similar-terms.ts';
import { type Steps, sortInSteps } from './steps.ts';
import { type Chunks, foldText, joinWords, splitChunks } from './text-words.ts';

export interface BuiltIndex {
  /** Ordered by title, then by source. Entries that match equally well are returned in this order. */
  readonly entries: readonly ListedSeries[];
  /** For each entry, the position of its type in SOURCE_TYPES. */
  readonly types: Uint8Array;
  /** For each entry, the number of words in its title. */
  readonly titleLengths: Uint8Array;
  readonly postings: Postings;
  readonly similar: SimilarTerms;
  readonly score: ScoreEntries;
}

/** Indexes the entries that are in the map when the work starts. The keys of the map are the sources as JSON. */
export function* buildIndex(bySource: ReadonlyMap<string, ListedSeries>): Steps<BuiltIndex> {
  const entries = yield* sortByTitle(bySource);
  const types = new Uint8Array(entries.length);
  const titleLengths = new Uint8Array(entries.length);
  const numberOfWord = new Map<string, number>();
  /** For each word, the last pair that contains it. */
  const lastPair = new NumberList();
  const pairs = { words: new NumberList(), postings: new NumberList() };
  const wordsOfKeyword = memoize((keyword) => indexedWords(splitChunks(keyword)));
  for (const [number, entry] of entries.entries()) {
    const firstPair = pairs.words.length;
    types[number] = SOURCE_TYPES.indexOf(entry.source.type);
    const title = splitChunks(entry.title);
    titleLengths[number] = Math.min(title.flat().length, 255);
    visitEntryWords(entry, title, wordsOfKeyword, (text, fields) => {
      let word = numberOfWord.get(text);
      if (word === undefined) {
        word = numberOfWord.size;
        numberOfWord.set(text, word);
        lastPair.push(pairs.words.length);
      } else if (lastPair.at(word) >= firstPair) {
        pairs.postings.set(lastPair.at(word), pairs.postings.at(lastPair.at(word)) | fields);
        return;
      }
      lastPair.set(word, pairs.words.length);
      pairs.words.push(word);
      pairs.postings.push((number << FIELD_BITS) | fields);
    });
    if (number % 64 === 0) yield;
  }
  const postings = yield* buildPostings([...numberOfWord.keys()], pairs);
  yield;
  const similar = yield* buildSimilarTerms(postings.terms);
  return { entries, types, titleLengths, postings, similar, score: createScorer(postings, entries.length) };
}

function* sortByTitle(bySource: ReadonlyMap<string, ListedSeries>): Steps<ListedSeries[]> {
  const sources = [...bySource.keys()];
  const entries = [...bySource.values()];
  yield;
  const titles: string[] = [];
  for (const { title } of entries) {
    titles.push(foldText(title));
    if (titles.length % 1024 === 0) yield;
  }
  const at = (list: readonly string[], i: number): string => list[i] ?? '';
  const sorted = yield* sortInSteps(
    [...entries.keys()],
    (a, b) =>
      compareCodeUnits(at(titles, a), at(titles, b)) ||
      compareCodeUnits(entries[a]?.title ?? '', entries[b]?.title ?? '') ||
      compareCodeUnits(at(sources, a), at(sources, b)),
  );
  return sorted.map((number) => entries[number] as ListedSeries);
}

/** Compares by code units, so that the order is the same on every machine, whatever its locale. */
function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function memoize<Result>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    let result = known.get(text);
    if (result === undefined) {
      result = compute(text);
      known.set(text, result);
    }
    return result;
  };
}

/** Matches a single chunk without lowercase letters, such as SPX, ^GSPC or US0378331005. */
const LOOKS_LIKE_SYMBOL = /^(?=.*\p{Lu})[^\s\p{Ll}]{1,16}$/u;

/**
 * Calls `visit` with each word by which an entry can be found, and the fields that contain the word. May visit a word
 * more than once.
 */
function visitEntryWords(
  { source, keywords, provider }: ListedSeries,
  title: Chunks,
  wordsOfKeyword: (keyword: string) => readonly string[],
  visit: (word: string, fields: number) => void,
): void {
  const code = source.type === 'market' ? source.symbol : source.series_id;
  const fieldOfCodePart = source.type === 'market' ? AS_ALIAS : IN_KEYWORD;
  const codeChunks = splitChunks(code);
  const wholeCode = joinWords(codeChunks.flat());
  if (wholeCode !== '') visit(wholeCode, AS_SYMBOL);
  for (const word of indexedWords(codeChunks)) visit(word, fieldOfCodePart);
  for (const word of indexedWords(title)) visit(word, IN_TITLE);
  for (const word of wordsOfKeyword(provider)) visit(word, IN_KEYWORD);
  for (const keyword of keywords) {
    const fields = LOOKS_LIKE_SYMBOL.test(keyword) ? AS_ALIAS | IN_KEYWORD : IN_KEYWORD;
    for (const word of wordsOfKeyword(keyword)) visit(word, fields);
  }
}

/** Returns the words of a string and their common joined forms: s, p, sp, 500 and sp500 for "S&P 500". */
function indexedWords(chunks: Chunks): string[] {
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
