import type { SnapshotContext, SourceRegistry } from '../snapshots/index.ts';

/** The dependencies of Scout's operations. */
export interface ScoutContext extends SnapshotContext {
  readonly sources: SourceRegistry;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<Buffer>;
}
