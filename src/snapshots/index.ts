export { type ColumnHeadings, csvCell, numberCell } from './export/render-rows.ts';
export type { Rendering } from './export/rendering.ts';
export {
  createSnapshotExports,
  type ExportedSnapshot,
  exportFileName,
  type SnapshotExports,
} from './export/snapshot-exports.ts';
export { snapshotMigrations } from './migrations/index.ts';
export { removeUnusedSnapshots } from './remove-unused.ts';
export type { ListedSeries, ReadWindow, SeriesSource, SeriesTable, SourceRows } from './series-source.ts';
export type { SnapshotContent } from './snapshot-bytes.ts';
export {
  freeze,
  holdSnapshot,
  readSnapshot,
  readSnapshotAbout,
  releaseSnapshots,
  type Snapshot,
  type SnapshotContext,
  soleColumn,
} from './snapshot-store.ts';
export { createSourceRegistry, requireAllowedLicense, type SourceRegistry } from './source-registry.ts';
