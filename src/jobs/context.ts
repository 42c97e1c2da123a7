import type { Queue } from '../platform/index.ts';
import type { SnapshotContext, SourceRegistry } from '../snapshots/index.ts';

export const FORECAST_QUEUE = 'forecasts';

/** What the operations of this folder work with. */
export interface JobContext extends SnapshotContext {
  readonly sources: SourceRegistry;
  readonly queue: Queue;
  /** The models that the workers of this build can run. */
  readonly models: readonly string[];
  /** Signs cursors. */
  readonly cursorKey: () => Promise<Buffer>;
}
