export { cancelAccountForecasts, cancelForecastsOfLocked, countForecasts } from './account-forecasts.ts';
export { CANCELED, cancelForecast, cancelUnfinished } from './cancel-forecast.ts';
export { checkForecastJobs, checkForecastProofs, type JobReport } from './check-forecasts.ts';
export { type ForecastContext, openForecastKeys } from './context.ts';
export { admitRequest as admitForecastRequest } from './create/admit-request.ts';
export { createForecast } from './create/create-forecast.ts';
export { estimateForecast } from './create/estimate-forecast.ts';
export { removeExpiredRequests } from './create/idempotency.ts';
export { createLoadGuard, type LoadGuard } from './create/shed-load.ts';
export { deleteForecast } from './delete-forecast.ts';
export { watchEvents } from './events/watch-events.ts';
export { notMemberOfWorkspace } from './faults.ts';
export { type ForecastRow, findForecast, findForecastFacts, isPrivateToAnother } from './find-forecast.ts';
export { requireAllowedLicenses } from './forecast-licenses.ts';
export { readForecastProof } from './forecast-proof.ts';
export { FORECAST_QUEUE, listForecastQueues } from './forecast-queues.ts';
export {
  type PreparedUnstored,
  prepareUnstored,
  runUnstored,
  type UnstoredForecast,
  type UnstoredParts,
} from './forecast-unstored.ts';
export { formatPredictionsCsv } from './format-predictions.ts';
export { authorizeRows, ROW_ACCESS_COLUMNS } from './history/authorize-rows.ts';
export { readHistory } from './history/read-history.ts';
export { keepNameless } from './keep-nameless.ts';
export { listForecastActions } from './list-actions.ts';
export { listForecasts, listWorkspaceForecasts } from './list-forecasts.ts';
export { listModels } from './list-models.ts';
export { checkLedger, isLedgerSound, type LedgerReport } from './metering/check-ledger.ts';
export { readMemberCredits, removeOldMemberCharges } from './metering/member-credits.ts';
export { type PlanUsage, readPlanUsage } from './metering/read-plan-usage.ts';
export { removeOldUnpaidCpu } from './metering/unpaid-cpu.ts';
export { recordStoredBytes, removeOldUsageDays } from './metering/usage-days.ts';
export { readUsageHistory } from './metering/usage-history.ts';
export { forecastMigrations } from './migrations/index.ts';
export { nameForecast } from './name-forecast.ts';
export { checkDueOutcomes, OUTCOME_QUEUE, startOutcomeWorker } from './outcomes/check-due-outcomes.ts';
export { isCollected } from './outcomes/outcome-times.ts';
export { type Outcome, type OutcomeRow, readOutcome } from './outcomes/read-outcome.ts';
export { type ReportedPoint, reportOutcome } from './outcomes/report-outcome.ts';
export { findOutcome, formatOutcomeCsv, viewOutcome } from './outcomes/view-outcome.ts';
export { requireCaller } from './owner.ts';
export { previewForecasts } from './previews/preview-forecasts.ts';
export {
  type FoundPublicForecast,
  findPublicForecast,
  findPublicSlug,
  type PublicForecast,
  type PublicOutcome,
  readPublicForecast,
  readPublicProof,
} from './public-forecast.ts';
export { areReadable } from './readable-forecasts.ts';
export { listKeepable, listRemovable, type OwnedForecast, type OwnedForecasts } from './removable-forecasts.ts';
export { type RemovedForecasts, removeAccountForecasts, removeWorkspaceForecasts } from './remove-forecasts.ts';
export { reproduceForecast } from './reproduce-forecast.ts';
export { type ForecastBacklog, listForecastBacklogs } from './run/forecast-backlogs.ts';
export { startForecastWorker } from './run/forecast-worker.ts';
export { type ForecastJob, runForecast } from './run/run-forecast.ts';
export { takeOverJobs } from './run/take-over-jobs.ts';
export { prepareSave, saveForecast } from './saving/save-forecast.ts';
export { removeExpiredSaveProofs, SAVE_PROOF_LIFETIME_MS } from './saving/save-proof.ts';
export { type OlderStamps, stampForecast, stampForecastsSince } from './stamp-older.ts';
export { checkStorage, type MiscountedPayer } from './storage/check-storage.ts';
export { freeFailedSnapshots, oldParts, type Retention } from './storage/drop-snapshots.ts';
export { removeExpiredGuests } from './storage/remove-expired-guests.ts';
export { exportTrackRecord } from './track-record/export-track-record.ts';
export { readTrackRecord } from './track-record/read-track-record.ts';
export { type ForecastChange, updateForecast } from './update-forecast.ts';
export {
  readCreated,
  readSnapshotFacts,
  viewForecast,
  viewInWorkspace,
  viewListed,
  viewUndisclosed,
} from './view-forecast.ts';
export {
  countWorkspaceForecasts,
  findForecastsInWorkspace,
  findPrivateToOthers,
  listInLeftWorkspaces,
} from './workspace-forecasts.ts';
