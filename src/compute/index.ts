export { type Engine, type ForecastOptions, startEngine } from './engine.ts';
export { cpuClass, type Fingerprint, readFingerprint } from './fingerprint.ts';
export { type FitThreads, startFitThreads } from './fit-threads.ts';
export { type GuardedProphetRuntime, loadProphetRuntime } from './prophet-runtime.ts';
export { RUNNABLE_MODELS } from './runnable-models.ts';
