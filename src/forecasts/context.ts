import type { Licenses } from '../access/index.ts';
import type { ModelCheckpoints } from '../compute/index.ts';
import type { Queue } from '../platform/index.ts';
import type { SnapshotContext, SourceRegistry } from '../snapshots/index.ts';

export const FORECAST_QUEUE = 'forecasts';

/** What the operations of this folder work with. */
export interface JobContext extends SnapshotContext {
  readonly sources: SourceRegistry;
  readonly queue: Queue;
  readonly checkpoints: ModelCheckpoints;
  /** Under which models and data may be used. */
  readonly licenses: Licenses;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<Buffer>;
}
