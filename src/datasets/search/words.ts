/** Longer words are cut: nobody types them, and work per word stays bounded. */
export const LONGEST_WORD = 64;

const NOT_ASCII = /[^\0-\x7f]/;
const MARKS = /\p{M}/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** Letters that Unicode does not take apart into a plain one and a mark. */
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

/** Without case and accents: "São" and "sao" are the same. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(FOLDED_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** What stands between spaces, each as the words that its punctuation divides it into: "S&P 500" is [s, p] and [500]. */
export type Chunks = readonly (readonly string[])[];

export function chunksOf(text: string): Chunks {
  const folded = foldText(text).replace(/\b([a-z]) and ([a-z])\b/g, '$1&$2');
  const chunks: string[][] = [];
  for (const chunk of folded.split(/\s+/)) {
    const words = chunk.match(WORD);
    if (words) chunks.push(chunk.length > LONGEST_WORD ? words.map((word) => word.slice(0, LONGEST_WORD)) : words);
  }
  return chunks;
}

/** The words of a chunk as one: "S&P" is sp, "C:EURUSD" is ceurusd. */
export function joinWords(words: readonly string[]): string {
  return words.length === 1 ? (words[0] ?? '') : words.join('').slice(0, LONGEST_WORD);
}
