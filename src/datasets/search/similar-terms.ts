import { editDistance } from './edit-distance.ts';
import type { Steps } from './steps.ts';
import { LONGEST_WORD } from './words.ts';

/** Finds the terms within a few edits of a word. */
export interface SimilarTerms {
  find(word: string, edits: number, found: (term: number, edits: number) => void): void;
}

/**
 * Terms ordered by length, with the letters of each as a set of bits. An edit changes the length by at most one and the
 * set by at most two letters: comparing two numbers rules out nearly every term of a fitting length.
 */
export function* indexSimilarTerms(terms: readonly string[]): Steps<SimilarTerms> {
  const startOfLength = new Uint32Array(LONGEST_WORD + 2);
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
      const to = startOfLength[Math.min(word.length + edits, LONGEST_WORD) + 1] ?? 0;
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
