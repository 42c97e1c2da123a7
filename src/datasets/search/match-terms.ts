import { AS_ALIAS, AS_SYMBOL, IN_KEYWORD, IN_TITLE } from './entry-words.ts';
import type { Lookup } from './parse-query.ts';
import { PLACE_BITS, type Postings } from './postings.ts';
import type { SimilarTerms } from './similar-terms.ts';
import { endOfPrefix, positionOf } from './term-ranges.ts';

/** Terms that match a lookup, and for each place they may stand in how good that match is. */
export interface TermRange {
  readonly from: number;
  readonly to: number;
  readonly qualities: Uint8Array;
}

/** The best a single word can score. */
export const BEST_QUALITY = 15;
/** An instrument is listed at several timeframes by several providers; what names more series than this is a topic. */
const MAX_OF_ONE_ALIAS = 64;

const EXACT = qualities({ symbol: BEST_QUALITY, alias: 12, title: 8, keyword: 6 });
const EXACT_TOPIC = qualities({ symbol: BEST_QUALITY, alias: 6, title: 8, keyword: 6 });
const PREFIX = qualities({ symbol: 4, alias: 4, title: 4, keyword: 3 });
const ONE_EDIT = qualities({ symbol: 2, alias: 2, title: 2, keyword: 2 });
const TWO_EDITS = qualities({ symbol: 1, alias: 1, title: 1, keyword: 1 });

/** What words are looked up in. */
export interface TermLists {
  readonly postings: Postings;
  readonly similar: SimilarTerms;
}

export function matchTerms({ postings, similar }: TermLists, { text, isLast, edits }: Lookup): TermRange[] {
  const { terms } = postings;
  const matches: TermRange[] = [];
  const from = positionOf(terms, text);
  const afterExact = terms[from] === text ? from + 1 : from;
  if (afterExact > from)
    matches.push({ from, to: afterExact, qualities: isTopic(postings, from) ? EXACT_TOPIC : EXACT });
  if (isLast) matches.push({ from: afterExact, to: endOfPrefix(terms, text), qualities: PREFIX });
  if (edits > 0) {
    similar.find(text, edits, (term, distance) => {
      if (distance > 0) matches.push({ from: term, to: term + 1, qualities: distance === 1 ? ONE_EDIT : TWO_EDITS });
    });
  }
  return matches;
}

function isTopic({ starts, list }: Postings, term: number): boolean {
  let aliases = 0;
  for (let i = starts[term] ?? 0; i < (starts[term + 1] ?? 0); i++) {
    if (((list[i] ?? 0) & AS_ALIAS) !== 0 && ++aliases > MAX_OF_ONE_ALIAS) return true;
  }
  return false;
}

/** For each set of places the best quality of them. */
function qualities(of: Readonly<Record<'symbol' | 'alias' | 'title' | 'keyword', number>>): Uint8Array {
  return Uint8Array.from({ length: 1 << PLACE_BITS }, (_, places) =>
    Math.max(
      places & AS_SYMBOL ? of.symbol : 0,
      places & AS_ALIAS ? of.alias : 0,
      places & IN_TITLE ? of.title : 0,
      places & IN_KEYWORD ? of.keyword : 0,
    ),
  );
}
