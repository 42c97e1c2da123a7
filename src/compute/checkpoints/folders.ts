import { join } from 'node:path';

/** Where checkpoints lie: a folder each, named by the id. */
export interface CheckpointFolders {
  /** Below the data folder. Need not be there. */
  readonly installed: string;
  /** What comes with the service; never written to. Need not be there. */
  readonly bundled: string;
}

const BUNDLED = join(import.meta.dirname, '../../../checkpoints');

/** @example const checkpoints = await listCheckpoints(checkpointFolders(config.dataFolder)); */
export function checkpointFolders(dataFolder: string): CheckpointFolders {
  return { installed: join(dataFolder, 'checkpoints'), bundled: BUNDLED };
}
