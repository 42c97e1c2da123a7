import type { SearchRequest } from '../../src/datasets/search/series-index.ts';
import type { Random } from '../../src/engine/numerics/random.ts';
import type { ListedSeries } from '../../src/snapshots/index.ts';
import { pick } from './entries.ts';
import { COUNTRIES, INDICATORS } from './names.ts';

export interface QueryClass {
  readonly name: string;
  readonly requests: readonly SearchRequest[];
}

const COMMON = ['price', 'index', 'united states', 'rate', 'monthly', 'economy', 'share price', 'seasonally adjusted'];

/** Generates the same number of requests of each class. */
export function generateQueries(random: Random, entries: readonly ListedSeries[], count: number): QueryClass[] {
  const companies = entries.filter(({ source }) => source.type === 'market');
  const title = (): string => pick(random, entries).title;
  const published = (): string => `${pick(random, INDICATORS)} ${pick(random, COUNTRIES)}`;
  const firstWords = (text: string, words: number): string =>
    text
      .split(/[\s,]+/)
      .slice(0, words)
      .join(' ');
  const prefix = (text: string): string => text.slice(0, 1 + Math.floor(random.uniform() * 5));
  const generators: Readonly<Record<string, () => Partial<SearchRequest> & { query: string }>> = {
    symbol: () => ({ query: pick(random, companies).keywords[0] ?? '' }),
    'one common word': () => ({ query: pick(random, COMMON) }),
    'one word, a typo': () => ({ query: withTypo(random, firstWords(title(), 1)) }),
    'one prefix': () => ({ query: prefix(title()) }),
    'two words': () => ({ query: firstWords(title(), 2) }),
    'two words, typos': () => ({ query: withTypo(random, withTypo(random, firstWords(title(), 2))) }),
    'five words': () => ({ query: firstWords(`${published()} monthly adjusted`, 5) }),
    'five words, typos': () => ({
      query: withTypo(random, withTypo(random, firstWords(`${published()} monthly adjusted`, 5))),
    }),
    'common, filtered': () => ({ query: pick(random, COMMON), types: [pick(random, ['market', 'economic_series'])] }),
    'common, deep page': () => ({ query: pick(random, COMMON), offset: Math.floor(random.uniform() * 50_000) }),
    'no entry has all': () => ({ query: `${firstWords(title(), 2)} zyzzyva` }),
    nothing: () => ({ query: '' }),
  };
  const each = Math.ceil(count / Object.keys(generators).length);
  return Object.entries(generators).map(([name, make]) => ({
    name,
    requests: Array.from({ length: each }, () => ({ limit: 20, offset: 0, ...make() })),
  }));
}

/** Omits, doubles or replaces a letter, or swaps it with the next one. */
export function withTypo(random: Random, text: string): string {
  const at = 1 + Math.floor(random.uniform() * Math.max(text.length - 2, 1));
  const [before, letter, next, after] = [text.slice(0, at), text[at] ?? '', text[at + 1] ?? '', text.slice(at + 2)];
  return before + pick(random, [next, letter + letter + next, `e${next}`, next + letter]) + after;
}
