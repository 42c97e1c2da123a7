export { checkSnapshots, type DamagedRow } from './check-snapshots.ts';
export { type ColumnHeadings, csvCell, numberCell } from './export/render-rows.ts';
export type { Rendering } from './export/rendering.ts';
export {
  createSnapshotExports,
  type ExportedSnapshot,
  exportFileName,
  type SnapshotExports,
} from './export/snapshot-exports.ts';
export { storageExceeded } from './faults.ts';
export { snapshotMigrations } from './migrations/index.ts';
export { MOVABLE_SNAPSHOTS } from './movable-snapshots.ts';
export { reportingPeriodOf } from './reporting-period.ts';
export type { ListedSeries, ReadWindow, SeriesSource, SeriesTable, SourceRows } from './series-source.ts';
export {
  countSnapshotBytes,
  holdSnapshot,
  releaseSnapshot,
  releaseSnapshots,
  removeUnusedSnapshots,
} from './snapshot-lifetime.ts';
export {
  freeze,
  loadSnapshot,
  readPatiently,
  readSnapshot,
  readSnapshotAbout,
  type Snapshot,
  type SnapshotContent,
  type SnapshotContext,
  soleColumn,
} from './snapshot-store.ts';
export { createSourceRegistry, requireAllowedLicense, type SourceRegistry } from './source-registry.ts';
export {
  type FreeBytes,
  findExceededBudget,
  isOverBudget,
  readStoredBytes,
  type StorageBudget,
  type StorageLimits,
} from './stored-bytes.ts';
