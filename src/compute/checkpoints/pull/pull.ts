import type { Clock } from '../../../platform/index.ts';
import type { CheckFiles } from '../checkpoint.ts';
import type { CheckpointFolders } from '../folders.ts';
import type { PullSource } from './parse-source.ts';
import type { PullEvent } from './progress.ts';
import type { Patience } from './retries.ts';

export interface PullOptions {
  /** Looks into the files before they are installed. */
  readonly check?: CheckFiles | undefined;
  readonly onEvent?: ((event: PullEvent) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
  readonly patience?: Patience;
  readonly mostBytes?: number;
}

/** One pull, with everything that it needs. */
export interface Pull {
  readonly folders: CheckpointFolders;
  readonly source: PullSource;
  readonly check: CheckFiles | undefined;
  readonly onEvent: (event: PullEvent) => void;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly mostBytes: number;
}
