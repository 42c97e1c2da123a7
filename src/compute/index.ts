export { type FitThreads, startFitThreads } from './fit-threads.ts';
export { loadProphetRuntime } from './prophet-runtime.ts';
