import { canonicalJson, type PublicReference } from '../../contract/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { type BuiltIndex, buildIndex, compareEntries } from './build-index.ts';
import { joinCode } from './entry-words.ts';
import { AS_SYMBOL, FIELD_BITS, findFirst, findPosition } from './postings.ts';
import type { Steps } from './steps.ts';

/** A large index with a small one beside it, so that a few more entries do not need a new large index. */
export interface CombinedIndex {
  readonly large: BuiltIndex;
  /** Has no source that is in the large one. */
  readonly small: BuiltIndex;
  /** For each entry of the small index, how many entries of the large one precede it by title and source. */
  readonly entriesBefore: Uint32Array;
}

/** Indexes the entries whose sources are not in the large index. */
export function* combineIndexes(large: BuiltIndex, more: readonly ListedSeries[]): Steps<CombinedIndex> {
  const others: ListedSeries[] = [];
  for (const entry of more) {
    if (!hasSource(large, entry.source)) others.push(entry);
    yield;
  }
  const small = yield* buildIndex(others);
  const entriesBefore = new Uint32Array(small.entries.length);
  for (const [number, entry] of small.entries.entries()) {
    entriesBefore[number] = findFirst(large.entries, (listed) => compareEntries(listed, entry) > 0);
    yield;
  }
  return { large, small, entriesBefore };
}

function hasSource({ entries, postings }: BuiltIndex, source: PublicReference): boolean {
  const wanted = canonicalJson(source);
  const isWanted = (entry: ListedSeries | undefined): boolean => canonicalJson(entry?.source) === wanted;
  const code = joinCode(source);
  // Such a code is not in the postings.
  if (code === '') return entries.some((entry) => joinCode(entry.source) === '' && isWanted(entry));
  const { terms, starts, list } = postings;
  const term = findPosition(terms, code);
  if (terms[term] !== code) return false;
  for (let i = starts[term] as number; i < (starts[term + 1] as number); i++) {
    const posting = list[i] as number;
    if ((posting & AS_SYMBOL) !== 0 && isWanted(entries[posting >>> FIELD_BITS])) return true;
  }
  return false;
}
