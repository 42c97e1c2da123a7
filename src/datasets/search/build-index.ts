import { SOURCE_TYPES } from '../../contract/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { indexedWords, visitEntryWords } from './entry-words.ts';
import { NumberList } from './number-list.ts';
import { indexPostings, PLACE_BITS, type Postings } from './postings.ts';
import { createScorer, type ScoreEntries } from './score-entries.ts';
import { indexSimilarTerms, type SimilarTerms } from './similar-terms.ts';
import { sortInSteps } from './sort-in-steps.ts';
import type { Steps } from './steps.ts';
import { chunksOf, foldText } from './words.ts';

export interface BuiltIndex {
  /** Ordered by title, then source: entries that match equally well come in this order. */
  readonly entries: readonly ListedSeries[];
  /** Of each the position of its type in SOURCE_TYPES. */
  readonly types: Uint8Array;
  /** Of each how many words its title has. */
  readonly titleLengths: Uint8Array;
  readonly postings: Postings;
  readonly similar: SimilarTerms;
  readonly score: ScoreEntries;
}

/** Entries by their source as JSON; those that are there when it begins. */
export function* buildIndex(bySource: ReadonlyMap<string, ListedSeries>): Steps<BuiltIndex> {
  const entries = yield* inTitleOrder(bySource);
  const types = new Uint8Array(entries.length);
  const titleLengths = new Uint8Array(entries.length);
  const numberOfWord = new Map<string, number>();
  /** For each word the last pair it came in. */
  const lastPair = new NumberList();
  const pairs = { words: new NumberList(), places: new NumberList() };
  const wordsOfKeyword = remember((keyword) => indexedWords(chunksOf(keyword)));
  for (const [number, entry] of entries.entries()) {
    const firstPair = pairs.words.length;
    types[number] = SOURCE_TYPES.indexOf(entry.source.type);
    const title = chunksOf(entry.title);
    titleLengths[number] = Math.min(title.flat().length, 255);
    visitEntryWords(entry, title, wordsOfKeyword, (text, place) => {
      let word = numberOfWord.get(text);
      if (word === undefined) {
        word = numberOfWord.size;
        numberOfWord.set(text, word);
        lastPair.push(pairs.words.length);
      } else if (lastPair.at(word) >= firstPair) {
        pairs.places.set(lastPair.at(word), pairs.places.at(lastPair.at(word)) | place);
        return;
      }
      lastPair.set(word, pairs.words.length);
      pairs.words.push(word);
      pairs.places.push((number << PLACE_BITS) | place);
    });
    if (number % 64 === 0) yield;
  }
  const postings = yield* indexPostings([...numberOfWord.keys()], pairs);
  yield;
  const similar = yield* indexSimilarTerms(postings.terms);
  return { entries, types, titleLengths, postings, similar, score: createScorer(postings, entries.length) };
}

function* inTitleOrder(bySource: ReadonlyMap<string, ListedSeries>): Steps<ListedSeries[]> {
  const sources = [...bySource.keys()];
  const entries = [...bySource.values()];
  yield;
  const titles: string[] = [];
  for (const { title } of entries) {
    titles.push(foldText(title));
    if (titles.length % 1024 === 0) yield;
  }
  const field = (list: readonly string[], i: number): string => list[i] ?? '';
  const sorted = yield* sortInSteps(
    [...entries.keys()],
    (a, b) =>
      order(field(titles, a), field(titles, b)) ||
      order(entries[a]?.title ?? '', entries[b]?.title ?? '') ||
      order(field(sources, a), field(sources, b)),
  );
  return sorted.map((number) => entries[number] as ListedSeries);
}

/** By code units: the same on every machine, whatever its locale. */
function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function remember<Result>(work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    let result = known.get(text);
    if (result === undefined) {
      result = work(text);
      known.set(text, result);
    }
    return result;
  };
}
