import type { Steps } from './steps.ts';
import { MAX_WORD_LENGTH } from './text-words.ts';

/** Finds the terms within a number of edits of a word. */
export interface SimilarTerms {
  find(word: string, edits: number, found: (term: number, edits: number) => void): void;
}

/**
 * Orders terms by length and represents the letters of each term as a set of bits. An edit changes the length by at
 * most one and the set by at most two letters, so comparing two sets rules out nearly all terms of a similar length.
 */
export function* buildSimilarTerms(terms: readonly string[]): Steps<SimilarTerms> {
  const startOfLength = new Uint32Array(MAX_WORD_LENGTH + 2);
  for (const term of terms) startOfLength[term.length + 1] = (startOfLength[term.length + 1] ?? 0) + 1;
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
      const from = startOfLength[Math.max(word.length - edits, 0)] ?? 0;
      const to = startOfLength[Math.min(word.length + edits, MAX_WORD_LENGTH) + 1] ?? 0;
      for (let slot = from; slot < to; slot++) {
        if (bitCount(wanted ^ (letters[slot] as number)) > 2 * edits) continue;
        const number = byLength[slot] ?? 0;
        const distance = editDistance(word, terms[number] ?? '', edits);
        if (distance <= edits) found(number, distance);
      }
    },
  };
}

function letterSet(word: string): number {
  let set = 0;
  for (let i = 0; i < word.length; i++) set |= 1 << (word.charCodeAt(i) & 31);
  return set;
}

function bitCount(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
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
