export type { ListedSeries, ReadWindow, SeriesSource, SourceRows } from './series-source.ts';
export type { SeriesTable } from './series-table.ts';
