import { type Chunks, chunksOf, joinWords } from './words.ts';

export const MAX_WORDS = 16;
/** Room for 16 words of 64 letters; whatever follows is not looked at. */
const MAX_LETTERS = 1024;

/** Something to look up, and which words of the query are matched where it is found. */
export interface Lookup {
  readonly text: string;
  readonly covers: ReadonlySet<number>;
  /** Whether the query ends with it, so that it may be the beginning of a word. */
  readonly isLast: boolean;
  /** How many typing errors it may have. */
  readonly edits: number;
}

export interface ParsedQuery {
  /** How many different words it has. */
  readonly words: number;
  readonly lookups: readonly Lookup[];
}

/** Looks up each word, and chunks and pairs of chunks written as one: "s&p 500" also as sp and sp500. */
export function parseQuery(query: string): ParsedQuery {
  const numbers = new Map<string, number>();
  const chunks: string[][] = [];
  for (const chunk of chunksOf(query.slice(0, MAX_LETTERS))) {
    const kept = chunk.filter((word) => {
      if (!numbers.has(word) && numbers.size < MAX_WORDS) numbers.set(word, numbers.size);
      return numbers.has(word);
    });
    if (kept.length > 0) chunks.push(kept);
  }
  const lastChunk = chunks.at(-1);
  const covering = (words: readonly string[]): Set<number> => new Set(words.map((word) => numbers.get(word) ?? 0));
  const single = [...numbers].map(([text, number]) => ({
    text,
    covers: new Set([number]),
    isLast: text === lastChunk?.at(-1),
    edits: editsAllowed(text),
  }));
  const joined = joinable(chunks).map(({ words, isLast }) => ({
    text: joinWords(words),
    covers: covering(words),
    isLast,
    edits: 0,
  }));
  return { words: numbers.size, lookups: [...single, ...joined] };
}

function joinable(chunks: Chunks): { words: readonly string[]; isLast: boolean }[] {
  // Nobody repeats words so often; a query that does would be joined without end.
  return chunks.slice(0, MAX_WORDS).flatMap((words, i) => {
    const next = chunks[i + 1];
    const pair = next ? [{ words: [...words, ...next], isLast: i + 2 === chunks.length }] : [];
    return words.length > 1 ? [{ words, isLast: !next }, ...pair] : pair;
  });
}

function editsAllowed(word: string): number {
  // Another number is another thing, not a typing error.
  if (word.length < 4 || /^\p{N}+$/u.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}
