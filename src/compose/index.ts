export { type ApiOptions, buildApi } from './api.ts';
export { type DataOptions, openBundledMarket, openData, openMarket } from './data.ts';
export { identityOf, workspacesOf } from './domains.ts';
export { checkpointsOf, type Foundation, openFoundation, tellOf } from './foundation.ts';
export { MIGRATIONS } from './migrations.ts';
export { QUEUES } from './queues.ts';
export { screenerRunsOf } from './screener-runs.ts';
export { startWorker, type Worker, type WorkerOptions } from './worker.ts';
