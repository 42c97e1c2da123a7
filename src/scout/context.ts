import type { SnapshotContext, SourceRegistry } from '../snapshots/index.ts';

/** The dependencies of this room. */
export interface ScoutContext extends SnapshotContext {
  readonly sources: SourceRegistry;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<Buffer>;
}
