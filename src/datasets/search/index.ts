export { indexSources, type SourcesSearch } from './index-sources.ts';
export { createSeriesIndex, type SearchFound, type SearchRequest, type SeriesIndex } from './series-index.ts';
