import type { Steps } from './steps.ts';
import { MAX_WORD_LENGTH } from './text-words.ts';

/** Finds the terms within a number of edits of a word. */
export interface SimilarTerms {
  find(word: string, edits: number, found: (term: number, edits: number) => void): void;
}

/**
 * Orders terms by length and represents the letters of each term as a set of bits. An edit adds at most one letter to a
 * set and removes at most one, so comparing two sets rules out nearly all terms of a similar length.
 */
export function* buildSimilarTerms(terms: readonly string[]): Steps<SimilarTerms> {
  const startOfLength = new Uint32Array(MAX_WORD_LENGTH + 2);
  for (const [number, term] of terms.entries()) {
    startOfLength[term.length + 1] = (startOfLength[term.length + 1] ?? 0) + 1;
    if (number % 4096 === 0) yield;
  }
  for (let length = 1; length < startOfLength.length; length++) {
    startOfLength[length] = (startOfLength[length] ?? 0) + (startOfLength[length - 1] ?? 0);
  }
  yield;
  const byLength = new Uint32Array(terms.length);
  const letters = new Uint32Array(terms.length);
  const next = startOfLength.slice();
  for (const [number, term] of terms.entries()) {
    const slot = next[term.length] ?? 0;
    next[term.length] = slot + 1;
    byLength[slot] = number;
    letters[slot] = letterSet(term);
    if (number % 1024 === 0) yield;
  }
  return {
    find(word, edits, found) {
      const wanted = letterSet(word);
      const distanceTo = prepareDistance(word, edits);
      for (let longer = -edits; longer <= edits; longer++) {
        const length = word.length + longer;
        if (length < 0 || length > MAX_WORD_LENGTH) continue;
        // Each letter that the term has more is an edit that removes no letter of the word, and the other way round.
        const maxAbsent = edits - Math.max(longer, 0);
        const maxAdded = edits + Math.min(longer, 0);
        const end = startOfLength[length + 1] as number;
        for (let slot = startOfLength[length] as number; slot < end; slot++) {
          const set = letters[slot] as number;
          if (hasMoreBits(wanted & ~set, maxAbsent) || hasMoreBits(set & ~wanted, maxAdded)) continue;
          const number = byLength[slot] as number;
          const distance = distanceTo(terms[number] as string);
          if (distance <= edits) found(number, distance);
        }
      }
    },
  };
}

function letterSet(word: string): number {
  let set = 0;
  for (let i = 0; i < word.length; i++) set |= 1 << (word.charCodeAt(i) & 31);
  return set;
}

/** Returns whether more than `max` bits are set; `max` is at most 2. */
function hasMoreBits(bits: number, max: number): boolean {
  // Each step clears the lowest bit.
  let rest = bits;
  for (let i = 0; i < max && rest !== 0; i++) rest &= rest - 1;
  return rest !== 0;
}

/**
 * Returns a function that returns the number of edits between a word and a term; a number above `max` if it is above
 * `max`. An edit omits, adds or replaces a letter, or swaps two neighbors.
 */
export function prepareDistance(word: string, max: number): (term: string) => number {
  return word.length === 0 || word.length > 32 ? (term) => editDistance(word, term, max) : bitDistance(word, max);
}

const ASCII = 128;

/**
 * Computes a column of the table of `editDistance` at once, with a bit for each letter of the word (H. Hyyrö, "A
 * bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003).
 */
function bitDistance(word: string, max: number): (term: string) => number {
  const positionsOfAscii = new Int32Array(ASCII);
  const positionsOfOthers = new Map<number, number>();
  for (let i = 0; i < word.length; i++) {
    const letter = word.charCodeAt(i);
    if (letter < ASCII) positionsOfAscii[letter] = (positionsOfAscii[letter] as number) | (1 << i);
    else positionsOfOthers.set(letter, (positionsOfOthers.get(letter) ?? 0) | (1 << i));
  }
  const lastBit = 1 << (word.length - 1);
  return (term) => {
    let increased = -1;
    let decreased = 0;
    let diagonal = 0;
    let previous = 0;
    let distance = word.length;
    for (let i = 0; i < term.length; i++) {
      const letter = term.charCodeAt(i);
      const equal = letter < ASCII ? (positionsOfAscii[letter] as number) : (positionsOfOthers.get(letter) ?? 0);
      const swapped = ((~diagonal & equal) << 1) & previous;
      diagonal = (((equal & increased) + increased) ^ increased) | equal | decreased | swapped;
      let up = decreased | ~(diagonal | increased);
      let down = diagonal & increased;
      if ((up & lastBit) !== 0) distance++;
      else if ((down & lastBit) !== 0) distance--;
      // The remaining letters can lower the distance by one each.
      if (distance - (term.length - i - 1) > max) return max + 1;
      up = (up << 1) | 1;
      down <<= 1;
      increased = down | ~(diagonal | up);
      decreased = up & diagonal;
      previous = equal;
    }
    return distance;
  };
}

const ROW = MAX_WORD_LENGTH + 1;
let beforeLast = new Uint8Array(ROW);
let last = new Uint8Array(ROW);
let current = new Uint8Array(ROW);

/**
 * Returns the number of edits between two words of at most MAX_WORD_LENGTH letters; `max + 1` if it is above `max`. An
 * edit omits, adds or replaces a letter, or swaps two neighbors.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let endA = a.length;
  let endB = b.length;
  while (endA > 0 && endB > 0 && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  let start = 0;
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++;

  const width = endB - start;
  for (let j = 0; j <= width; j++) last[j] = j;
  for (let i = 1; i <= endA - start; i++) {
    current[0] = i;
    let smallest = i;
    const letter = a.charCodeAt(start + i - 1);
    for (let j = 1; j <= width; j++) {
      const other = b.charCodeAt(start + j - 1);
      let edits = Math.min(
        (last[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (letter === other ? 0 : 1),
      );
      const swapped = i > 1 && j > 1 && letter === b.charCodeAt(start + j - 2) && a.charCodeAt(start + i - 2) === other;
      if (swapped) edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      current[j] = edits;
      if (edits < smallest) smallest = edits;
    }
    // A swap reads the numbers from two rows back but adds one, so no later row can have a smaller number.
    if (smallest > max) return max + 1;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return Math.min(last[width] ?? 0, max + 1);
}
