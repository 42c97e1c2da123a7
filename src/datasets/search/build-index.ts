import { SOURCE_TYPES, type SourceType } from '../../contract/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { indexedWords, visitEntryWords } from './entry-words.ts';
import { MemberNumbers } from './member-words.ts';
import { AS_ALIAS, buildPostings, FIELD_BITS, IN_KEYWORD, NumberList, type Postings } from './postings.ts';
import { createScorer, type ScoreEntries } from './score-entries.ts';
import { buildSimilarTerms, type SimilarTerms } from './similar-terms.ts';
import { type Steps, sortInSteps } from './steps.ts';
import { type Chunks, foldText, splitChunks } from './text-words.ts';

export interface BuiltIndex {
  /** Ordered by title, then by source. Entries that match equally well are returned in this order. */
  readonly entries: readonly ListedSeries[];
  /** For each entry, the number of its type and audience. `selectTypes` returns which of them a search finds. */
  readonly types: Uint8Array;
  /** For each entry, the number of words in its title that tell it from others. */
  readonly titleLengths: Uint8Array;
  /** For each entry, 1 if it is delisted. */
  readonly delisted: Uint8Array;
  readonly postings: Postings;
  /** For each word of a member, the terms whose postings are the entries with such members. */
  readonly memberTerms: ReadonlyMap<string, readonly number[]>;
  readonly similar: SimilarTerms;
  readonly score: ScoreEntries;
  /** Space for the ranks of one search, because arrays of this size keep the garbage collector busy. */
  readonly ranks: Uint16Array;
}

/** Indexes entries whose sources differ. */
export function* buildIndex(listed: readonly ListedSeries[]): Steps<BuiltIndex> {
  const entries = yield* sortByTitle(listed);
  const types = new Uint8Array(entries.length);
  const titleLengths = new Uint8Array(entries.length);
  const delisted = new Uint8Array(entries.length);
  const words: string[] = [];
  const numbers = new WordNumbers();
  /** For each word, the last pair that contains it. */
  const lastPair = new NumberList();
  const pairs = { words: new NumberList(), postings: new NumberList() };
  const members = new MemberNumbers();
  const wordsOfKeyword = memoize((keyword) => indexedWords(splitChunks(keyword)));
  for (const [number, entry] of entries.entries()) {
    const firstPair = pairs.words.length;
    const isForAccounts = entry.audience === 'accounts';
    types[number] = SOURCE_TYPES.indexOf(entry.source.type) + (isForAccounts ? SOURCE_TYPES.length : 0);
    const title = splitChunks(entry.title);
    titleLengths[number] = countTellingWords(title);
    delisted[number] = entry.status === 'delisted' ? 1 : 0;
    const visit = (text: string, fields: number): void => {
      const word = numbers.numberOf(text, words.length);
      if (word === words.length) {
        words.push(text);
        lastPair.push(pairs.words.length);
      } else if (lastPair.at(word) >= firstPair) {
        pairs.postings.set(lastPair.at(word), pairs.postings.at(lastPair.at(word)) | fields);
        return;
      }
      lastPair.set(word, pairs.words.length);
      pairs.words.push(word);
      pairs.postings.push((number << FIELD_BITS) | fields);
    };
    // How many entries have an alias changes the ranks of all, which must not depend on entries that not all callers find.
    const visitPlain = (text: string, fields: number): void => visit(text, (fields & ~AS_ALIAS) | IN_KEYWORD);
    visitEntryWords(entry, title, wordsOfKeyword, isForAccounts ? visitPlain : visit);
    if (entry.members) visit(members.wordOf(entry.members), IN_KEYWORD);
    if (number % 64 === 0) yield;
  }
  const postings = yield* buildPostings(words, pairs);
  const memberTerms = yield* members.findTerms(postings);
  yield;
  const similar = yield* buildSimilarTerms(postings.terms);
  const score = createScorer(postings, types);
  const ranks = new Uint16Array(entries.length);
  return { entries, types, titleLengths, delisted, postings, memberTerms, similar, score, ranks };
}

/** Returns, for each number of a type and audience, 1 if a search for these types by this caller finds such entries. */
export function selectTypes(types: readonly SourceType[], isAccount: boolean): Uint8Array {
  const isWanted = SOURCE_TYPES.map((type) => types.includes(type));
  return Uint8Array.from([...isWanted, ...isWanted.map((wanted) => wanted && isAccount)], Number);
}

/** Numbers words. A single large map would hold the event loop for 10 ms and more whenever it grows. */
class WordNumbers {
  readonly #parts = Array.from({ length: 64 }, () => new Map<string, number>());

  /** Returns the number of a word; if it has none, gives it the number `next`. */
  numberOf(word: string, next: number): number {
    const last = word.charCodeAt(word.length - 1);
    const part = this.#parts[(word.charCodeAt(0) * 31 + last * 7 + word.length) & 63] as Map<string, number>;
    const known = part.get(word);
    if (known !== undefined) return known;
    part.set(word, next);
    return next;
  }
}

/** Sorts as `compareEntries` orders, but folds each title only once. */
function* sortByTitle(listed: readonly ListedSeries[]): Steps<ListedSeries[]> {
  const titles: string[] = [];
  const numbers: number[] = [];
  for (const [number, { title }] of listed.entries()) {
    titles.push(foldText(title));
    numbers.push(number);
    if (number % 1024 === 0) yield;
  }
  const sourceOf = (number: number): string => JSON.stringify(listed[number]?.source);
  const sorted = yield* sortInSteps(
    numbers,
    (a, b) =>
      compareCodeUnits(titles[a] ?? '', titles[b] ?? '') ||
      compareCodeUnits(listed[a]?.title ?? '', listed[b]?.title ?? '') ||
      compareCodeUnits(sourceOf(a), sourceOf(b)),
  );
  const entries: ListedSeries[] = [];
  for (const number of sorted) {
    entries.push(listed[number] as ListedSeries);
    if (entries.length % 16_384 === 0) yield;
  }
  return entries;
}

/** Words in the names of most companies. They say nothing about how well a title fits a query. */
const COMMON_WORDS = new Set(
  'inc incorporated corp corporation co company ltd limited plc llc lp sa nv ag the common stock class ordinary shares'.split(
    ' ',
  ),
);

function countTellingWords(title: Chunks): number {
  let count = 0;
  for (const words of title) for (const word of words) if (!COMMON_WORDS.has(word)) count++;
  return Math.min(count, 255);
}

/** Compares entries by title, then by source. */
export function compareEntries(a: ListedSeries, b: ListedSeries): number {
  return (
    compareCodeUnits(foldText(a.title), foldText(b.title)) ||
    compareCodeUnits(a.title, b.title) ||
    compareCodeUnits(JSON.stringify(a.source), JSON.stringify(b.source))
  );
}

/** Compares by code units, so that the order is the same on every machine, whatever its locale. */
function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Most keywords belong to many entries. Those of one entry only, such as symbols, need not be kept. */
const MAX_MEMOIZED = 4_096;

function memoize<Result>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    let result = known.get(text);
    if (result === undefined) {
      result = compute(text);
      if (known.size < MAX_MEMOIZED) known.set(text, result);
    }
    return result;
  };
}
