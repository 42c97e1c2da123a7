export type { SnapshotContent } from './canonical-form.ts';
export { holdSnapshot, releaseSnapshots } from './holders.ts';
export { snapshotMigrations } from './migrations/index.ts';
export { removeUnusedSnapshots } from './remove-unused.ts';
export type { ListedSeries, ReadWindow, SeriesSource, SourceRows } from './series-source.ts';
export type { SeriesTable } from './series-table.ts';
export { freeze, readSnapshot, type Snapshot, type SnapshotContext } from './snapshot-store.ts';
