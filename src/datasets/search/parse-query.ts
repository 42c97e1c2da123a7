import { type Chunks, joinWords, splitChunks } from './text-words.ts';

export const MAX_QUERY_WORDS = 16;
/** The length of 16 words of 64 letters. The rest of a longer query is ignored. */
export const MAX_QUERY_LETTERS = 1024;

/** A string to look up. An entry that contains the string matches the query words whose numbers are in `covers`. */
export interface Lookup {
  readonly text: string;
  readonly covers: ReadonlySet<number>;
  /** Whether the query ends with this text, which may then be the beginning of a word. */
  readonly isLast: boolean;
  /** The maximum number of typing errors. */
  readonly edits: number;
}

export interface ParsedQuery {
  /** The number of different words. */
  readonly words: number;
  readonly lookups: readonly Lookup[];
}

/**
 * Returns a lookup for each word of a query, and for each chunk and pair of chunks as one word: "s&p 500" is also
 * looked up as sp and sp500.
 */
export function parseQuery(query: string): ParsedQuery {
  const numbers = new Map<string, number>();
  const chunks: string[][] = [];
  for (const chunk of splitChunks(query.slice(0, MAX_QUERY_LETTERS))) {
    const kept = chunk.filter((word) => {
      if (!numbers.has(word) && numbers.size < MAX_QUERY_WORDS) numbers.set(word, numbers.size);
      return numbers.has(word);
    });
    if (kept.length > 0) chunks.push(kept);
  }
  const lastChunk = chunks.at(-1);
  const coverWords = (words: readonly string[]): Set<number> => new Set(words.map((word) => numbers.get(word) ?? 0));
  const single = [...numbers].map(([text, number]) => ({
    text,
    covers: new Set([number]),
    isLast: text === lastChunk?.at(-1),
    edits: maxEdits(text),
  }));
  const joined = joinChunks(chunks).map(({ words, isLast }) => ({
    text: joinWords(words),
    covers: coverWords(words),
    isLast,
    edits: 0,
  }));
  return { words: numbers.size, lookups: [...single, ...joined] };
}

function joinChunks(chunks: Chunks): { words: readonly string[]; isLast: boolean }[] {
  // Limited, because a query that repeats its words thousands of times would have thousands of pairs.
  return chunks.slice(0, MAX_QUERY_WORDS).flatMap((words, i) => {
    const next = chunks[i + 1];
    const pair = next ? [{ words: [...words, ...next], isLast: i + 2 === chunks.length }] : [];
    return words.length > 1 ? [{ words, isLast: !next }, ...pair] : pair;
  });
}

function maxEdits(word: string): number {
  // A different number means something else; it is not a typing error.
  if (word.length < 4 || /^\p{N}+$/u.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}
