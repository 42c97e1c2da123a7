export * from './checkpoints/index.ts';
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
