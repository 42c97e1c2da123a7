/** Longer words are cut off, so that the work per word is bounded. Such words do not occur in real queries. */
export const MAX_WORD_LENGTH = 64;

const NOT_ASCII = /[^\0-\x7f]/;
const MARKS = /\p{M}/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** Letters that Unicode does not decompose into a plain letter and a mark. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const FOLDED_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

/** Returns a string in lowercase and without accents: "São" becomes "sao". */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(FOLDED_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/**
 * The parts of a string between spaces, each divided into words at its punctuation: "S&P 500" becomes [s, p] and [500].
 */
export type Chunks = readonly (readonly string[])[];

export function splitChunks(text: string): Chunks {
  const folded = foldText(text).replace(/\b([a-z]) and ([a-z])\b/g, '$1&$2');
  const chunks: string[][] = [];
  for (const chunk of folded.split(/\s+/)) {
    const words = chunk.match(WORD);
    if (words)
      chunks.push(chunk.length > MAX_WORD_LENGTH ? words.map((word) => word.slice(0, MAX_WORD_LENGTH)) : words);
  }
  return chunks;
}

/** Joins the words of a chunk into one word: "S&P" becomes sp, "C:EURUSD" becomes ceurusd. */
export function joinWords(words: readonly string[]): string {
  return words.length === 1 ? (words[0] ?? '') : words.join('').slice(0, MAX_WORD_LENGTH);
}
