import type { SearchFound, SearchRequest } from '../../src/datasets/search/series-index.ts';
import type { ListedSeries } from '../../src/snapshots/index.ts';

/**
 * The peer: returns the entries that include all words of the query, in listed order, without ranking or typo
 * tolerance.
 */
export function scanEntries(entries: readonly ListedSeries[]): (request: SearchRequest) => SearchFound {
  const texts = entries.map(({ title, keywords }) => [title, ...keywords].join(' ').toLowerCase());
  return ({ query, types, limit, offset }) => {
    const words = query.toLowerCase().split(' ');
    const found = entries.filter(
      ({ source }, i) =>
        (!types || types.includes(source.type)) && words.every((word) => texts[i]?.includes(word) === true),
    );
    return { results: found.slice(offset, offset + limit), total: found.length, isPartial: false };
  };
}
