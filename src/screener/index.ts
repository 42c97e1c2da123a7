export type { ScreenerContext } from './context.ts';
export {
  evaluate,
  type FilterMatch,
  type FilterRules,
  type Match,
  type MatchedValues,
  type Preview,
  previewFilter,
  type SessionDate,
  type StoredRules,
} from './evaluate/index.ts';
export { createFilter, type NewFilter } from './filters/create-filter.ts';
export { deleteFilter } from './filters/delete-filter.ts';
export { findFilter, listFilters } from './filters/find-filter.ts';
export { type LatestPreview, previewLatest } from './filters/preview-latest.ts';
export { rulesOf, type SentRules } from './filters/rules-of.ts';
export { type FilterChange, updateFilter } from './filters/update-filter.ts';
export { viewFilter } from './filters/view-filter.ts';
export { endStaleMails } from './mail/end-stale-mails.ts';
export { listMails, type MailDelivery, readDelivery } from './mail/list-mails.ts';
export { type MailPlan, queueMailsThrough, SCREENER_MAILS } from './mail/mail-jobs.ts';
export { sendScreenerMail } from './mail/send-screener-mail.ts';
export { openUnsubscribeTokens, unsubscribe } from './mail/unsubscribe.ts';
export { listMatches, type MatchesPage, type MatchesRequest } from './matches/list-matches.ts';
export { screenerMigrations } from './migrations/index.ts';
export type { OnRunCompleted, ScreenerRunContext } from './run/context.ts';
export { keepSession } from './run/keep-session.ts';
export { latestSession } from './run/latest-session.ts';
export { removeOldMetrics } from './run/remove-old-metrics.ts';
export { type Replay, type ReplayRequest, replaySession } from './run/replay-session.ts';
export { runDue } from './run/run-due.ts';
export { type RunOutcome, runSession } from './run/run-session.ts';
export { SCREENER_QUEUE, startScreenerRuns } from './run/screener-queue.ts';
