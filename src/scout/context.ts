import type { SnapshotContext, SourceRegistry } from '../snapshots/index.ts';

/** What the operations of this folder work with. */
export interface ScoutContext extends SnapshotContext {
  readonly sources: SourceRegistry;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<Buffer>;
}
