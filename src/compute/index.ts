export {
  CHECKPOINT_FAULTS,
  CHECKPOINT_MODELS,
  type CheckFiles,
  type Checkpoint,
  CheckpointError,
  type CheckpointFault,
  type CheckpointFiles,
  type CheckpointFolders,
  type CheckpointModel,
  checkpointFolders,
  checkpointId,
} from './checkpoints/checkpoint.ts';
export {
  type BrokenCheckpoint,
  type DefaultCheckpointOptions,
  defaultCheckpoint,
  findCheckpoint,
  listCheckpoints,
  scanCheckpoints,
} from './checkpoints/list-checkpoints.ts';
export { type Manifest, toManifest } from './checkpoints/manifest.ts';
export { type PullSource, type PullSourceOptions, parseSource } from './checkpoints/pull/parse-source.ts';
export type { PullEvent, PullOptions } from './checkpoints/pull/pull.ts';
export { type PullResult, pullCheckpoint } from './checkpoints/pull/pull-checkpoint.ts';
export {
  type CheckpointVerdict,
  readCheckpointFiles,
  type VerifyOptions,
  verifyCheckpoints,
} from './checkpoints/read-checkpoint-files.ts';
export { CheckpointSoundness, type SoundnessOptions } from './checkpoints/soundness.ts';
export {
  cpuClass,
  type Engine,
  type EngineOptions,
  type Fingerprint,
  type ForecastOptions,
  readFingerprint,
  startEngine,
} from './engine.ts';
export {
  type EngineBundle,
  type EngineBundleOptions,
  type EngineBundles,
  type EngineVerdict,
  openEngineBundles,
  verifyEngines,
} from './engines/engine-bundles.ts';
export { type FitThreads, startFitThreads } from './fit-threads.ts';
export {
  engineVersion,
  type MissingCheckpoint,
  type ModelCheckpoint,
  type ModelCheckpointOptions,
  type ModelCheckpoints,
  namedEngine,
  openModelCheckpoints,
} from './model-checkpoints.ts';
export { type PngOptions, renderPng } from './png/png-renderer.ts';
export { type GuardedProphetRuntime, loadProphetRuntime } from './prophet-runtime.ts';
export { EngineEndedError } from './spawn-engine.ts';
