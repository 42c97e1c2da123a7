import type { SigningKeys } from '../platform/index.ts';
import type { StampPolicy } from '../provenance/index.ts';
import type { SnapshotContext, SourceRegistry } from '../snapshots/index.ts';

/** The dependencies of Scout's operations. */
export interface ScoutContext extends SnapshotContext {
  readonly sources: SourceRegistry;
  /** Which revisions are stamped. */
  readonly stamps: StampPolicy;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<SigningKeys>;
}
