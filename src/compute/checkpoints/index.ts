export {
  CHECKPOINT_MODELS,
  type CheckFiles,
  type Checkpoint,
  type CheckpointFiles,
  type CheckpointModel,
} from './checkpoint.ts';
export { CHECKPOINT_FAULTS, CheckpointError, type CheckpointFault } from './checkpoint-error.ts';
export { checkpointId } from './checkpoint-id.ts';
export { type CheckpointFolders, checkpointFolders } from './folders.ts';
export {
  type BrokenCheckpoint,
  type DefaultOptions,
  defaultCheckpoint,
  findCheckpoint,
  listCheckpoints,
  scanCheckpoints,
} from './list-checkpoints.ts';
export { type Manifest, manifestOf } from './manifest.ts';
export { type PullSource, parseSource, type SourceWords } from './pull/parse-source.ts';
export type { PullEvent } from './pull/progress.ts';
export type { PullOptions } from './pull/pull.ts';
export { type Pulled, pullCheckpoint } from './pull/pull-checkpoint.ts';
export { readCheckpointFiles } from './read-checkpoint-files.ts';
export { Soundness, type SoundnessOptions } from './soundness.ts';
export { type CheckpointVerdict, type VerifyOptions, verifyCheckpoints } from './verify-checkpoints.ts';
