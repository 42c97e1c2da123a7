import type { ListedSeries } from '../../snapshots/index.ts';
import { indexedWords } from './entry-words.ts';
import { findPosition, type Postings } from './postings.ts';
import type { Steps } from './steps.ts';
import { joinWords, splitChunks } from './text-words.ts';

/** The members of a dimension, such as all countries. Thousands of entries share one such object. */
export type Members = NonNullable<ListedSeries['members']>;

/**
 * Numbers the members of entries. Each number is a word of the entries that have these members; it stands for all words
 * of the members, because a posting for each entry and country would make an index of a hundred times the size.
 */
export class MemberNumbers {
  readonly #numbers = new Map<Members, number>();

  /** Returns the word that stands for the members. No query contains it, because it starts with a control character. */
  wordOf(members: Members): string {
    const number = this.#numbers.get(members) ?? this.#numbers.size;
    this.#numbers.set(members, number);
    return formatWord(number);
  }

  /** Returns, for each word of a member's label and for each value, the terms that stand for members with this word. */
  *findTerms({ terms }: Postings): Steps<ReadonlyMap<string, readonly number[]>> {
    const termsOfWord = new Map<string, number[]>();
    for (const [members, number] of this.#numbers) {
      const term = findPosition(terms, formatWord(number));
      for (const { value, label } of members.values) {
        for (const word of [...indexedWords(splitChunks(label)), joinWords(splitChunks(value).flat())]) {
          const known = termsOfWord.get(word);
          if (known === undefined) termsOfWord.set(word, [term]);
          else if (known.at(-1) !== term) known.push(term);
        }
        yield;
      }
    }
    return termsOfWord;
  }
}

function formatWord(number: number): string {
  return `\0${number}`;
}
