export {
  CHECKPOINT_MODELS,
  type CheckFiles,
  type Checkpoint,
  type CheckpointFiles,
  type CheckpointModel,
} from './checkpoints/checkpoint.ts';
export { CHECKPOINT_FAULTS, CheckpointError, type CheckpointFault } from './checkpoints/checkpoint-error.ts';
export { checkpointId } from './checkpoints/checkpoint-id.ts';
export { type CheckpointFolders, checkpointFolders } from './checkpoints/folders.ts';
export {
  type BrokenCheckpoint,
  type DefaultOptions,
  defaultCheckpoint,
  findCheckpoint,
  listCheckpoints,
  scanCheckpoints,
} from './checkpoints/list-checkpoints.ts';
export { type Manifest, manifestOf } from './checkpoints/manifest.ts';
export { type PullSource, parseSource, type SourceWords } from './checkpoints/pull/parse-source.ts';
export type { PullEvent } from './checkpoints/pull/progress.ts';
export type { PullOptions } from './checkpoints/pull/pull.ts';
export { type Pulled, pullCheckpoint } from './checkpoints/pull/pull-checkpoint.ts';
export { readCheckpointFiles } from './checkpoints/read-checkpoint-files.ts';
export { Soundness, type SoundnessOptions } from './checkpoints/soundness.ts';
export { type CheckpointVerdict, type VerifyOptions, verifyCheckpoints } from './checkpoints/verify-checkpoints.ts';
export { type Engine, type EngineOptions, type ForecastOptions, startEngine } from './engine.ts';
export { cpuClass, type Fingerprint, readFingerprint } from './fingerprint.ts';
export { type FitThreads, startFitThreads } from './fit-threads.ts';
export {
  type MissingCheckpoint,
  type ModelCheckpoint,
  type ModelCheckpointOptions,
  type ModelCheckpoints,
  openModelCheckpoints,
} from './model-checkpoints.ts';
export { type GuardedProphetRuntime, loadProphetRuntime } from './prophet-runtime.ts';
