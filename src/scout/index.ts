export { checkDueEvents, SCOUT_QUEUE, startScoutWorker } from './checks/check-due-events.ts';
export type { ScoutContext } from './context.ts';
export { createEvent } from './events/create-event.ts';
export { findEvent } from './events/find-event.ts';
export { readHistory } from './events/history.ts';
export { listEventActions } from './events/list-actions.ts';
export { countEvents, listEvents } from './events/list-events.ts';
export {
  type FoundPublicEvent,
  findPublicEvent,
  type PublicRevision,
  readPublicRevisions,
} from './events/public-event.ts';
export { countWorkspaceEvents, removeAccountEvents, removeWorkspaceEvents } from './events/remove-events.ts';
export { resolveEvent } from './events/resolve-event.ts';
export { listRevisions, reviseEvent } from './events/revise-event.ts';
export { viewEvent, viewEvents, viewResolution } from './events/view-event.ts';
export { createFromForecast } from './from-forecast/create-from-forecast.ts';
export { previewFromForecast } from './from-forecast/preview-from-forecast.ts';
export { scoutMigrations } from './migrations/index.ts';
export { checkRevisionProofs } from './proofs/check-proofs.ts';
export { type PreparedProofs, prepareRevisionProofs, type RevisionChoice } from './proofs/prepare-proofs.ts';
export { readRevisionProof } from './proofs/read-proof.ts';
export { planCutoffs, toReplayHistory } from './replay/history.ts';
export { buildReplayReport, formatReplayCsv, type ReplayReport } from './replay/report.ts';
export { type ReplayOptions, runReplay } from './replay/run-replay.ts';
export { readScoreboard } from './scoreboard/read-scoreboard.ts';
export { formatGroupsCsv, formatQuestionsCsv, viewScoreboard } from './scoreboard/view-scoreboard.ts';
