export { type ApiOptions, buildApi } from './api.ts';
export { type BackupRequest, backUp, type RestoreRequest, restoreBackup } from './backup.ts';
export { type CheckReport, checkService, type Finding } from './check-service.ts';
export { runCleanup } from './cleanup.ts';
export { type DataOptions, openBundledMarket, openBundledSources, openData, openMarket } from './data.ts';
export { type Base, createIdentityContext, createScreenerRunContext, createWorkspaceContext } from './domains.ts';
export { listKnownAdapters } from './economic.ts';
export {
  createFoundation,
  exposeMetrics,
  type Foundation,
  type FoundationParts,
  openCheckpoints,
  openFoundation,
} from './foundation.ts';
export { lockAccountWithForecasts } from './lock-account.ts';
export { MIGRATIONS } from './migrations.ts';
export { listKnownProviders } from './providers.ts';
export { listQueues, QUEUES } from './queues.ts';
export { type RemovedAccount, removeAccountWithContents } from './remove-account.ts';
export { createStampPolicy, openStamper } from './stamps.ts';
export { startWorker, type Worker, type WorkerOptions } from './worker.ts';
