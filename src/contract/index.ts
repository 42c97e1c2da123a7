export { AccessRecord, WorkspaceMembership } from './access.ts';
export { SECURITY_EVENT_KINDS, SecurityEvent, type SecurityEventKind } from './account.ts';
export { AccountErasure, MAX_LISTED_ITEMS } from './account-data.ts';
export { ACTION_SCOPES, type Action, type GuestAction, scopesFor } from './actions.ts';
export { ACCOUNT_STATES, type AccountState, AdministeredAccount, AdministeredAccountDetails } from './admin.ts';
export { MAX_LEDGER_ERRORS, ServiceState } from './admin-service.ts';
export { type BodyLimits, bodyLimitsOf, formatBytes, MAX_BODY_VALUES, MAX_OBJECT_FIELDS } from './body-limits.ts';
export { canonicalJson } from './canonical-json.ts';
export { CsvFile } from './csv-files.ts';
export {
  CSV_DATE_ORDERS,
  CSV_DELIMITERS,
  CSV_FORMATS,
  type CsvColumnType,
  type CsvDateOrder,
  type CsvDelimiter,
  type CsvEncoding,
  type CsvFormat,
  MAX_CSV_BYTES,
  MAX_CSV_CELL,
  MAX_CSV_COLUMN_NAME,
  MAX_CSV_COLUMNS,
  MAX_CSV_FILES,
  MAX_CSV_ROWS,
  MAX_CSV_STORED_BYTES,
  MAX_WAREHOUSE_COLUMN_NAME,
} from './csv-vocabulary.ts';
export { SeriesDescription, type SeriesSpan } from './descriptions.ts';
export { ERROR_CATALOG, ERROR_CODES, type ErrorCode } from './error-catalog.ts';
export {
  CREDENTIAL_COOKIES,
  EXAMPLE_CALLERS,
  EXAMPLE_RUN,
  EXAMPLES,
  type Example,
  type ExampleStep,
  fillIn,
  GIVEN_VARIABLES,
  type KeptValue,
  listVariables,
  RECORDED,
  type RecordedResponse,
  readKept,
} from './examples/index.ts';
export { Fault, type FaultDetails } from './fault.ts';
export {
  FEED_KINDS,
  Feed,
  type FeedKind,
  ForecastFeedRequest,
  HistoryFeedRequest,
  MAX_FEEDS,
  NewFeed,
  ObservationsFeedRequest,
} from './feeds.ts';
export { email, formatFieldPath, isStorableText, timestamp } from './fields.ts';
export { ForecastEstimate } from './forecast-changes.ts';
export { ForecastPreview } from './forecast-previews.ts';
export { ForecastRequestBody, InlineSource } from './forecast-request.ts';
export { TimestampReceipt } from './forecast-result.ts';
export { EnsembleForecast, QueuedForecast, ResolvedSettings, UndisclosedForecast } from './forecast-views.ts';
export { InlineRows, MAX_INLINE_POINTS, type RowColumns, type RowIssue, readInlineRows } from './inline-rows.ts';
export { Invitation } from './invitations.ts';
export { ApiKey, MAX_API_KEYS, NewApiKey } from './keys.ts';
export { MarketProviderView, StockHistory, StockHistoryRequest } from './market-data.ts';
export { MAX_OBSERVATIONS, MAX_PREVIEW_VALUES, MAX_SEARCH_RESULTS } from './market-search.ts';
export { ModelsResponse } from './models.ts';
export { findNameProblem, name } from './names.ts';
export {
  MAX_NOTIFICATION_MAILS_PER_DAY,
  MIN_MINUTES_BETWEEN_NOTIFICATION_MAILS,
  NOTIFICATION_MAIL_STATES,
  type NotificationMailState,
  Notifications,
} from './notifications.ts';
export {
  buildOpenApi,
  IdempotencyKey,
  INTERFACE_VERSION,
  listErrors,
  METHOD_NOT_ALLOWED_NAMES,
} from './openapi.ts';
export { type Group, type Input, OPERATION_GROUPS, type Operation, type Output } from './operation.ts';
export { type OperationId, type Operations, operations } from './operations.ts';
export { ForecastOutcome, OutcomeRequestBody } from './outcomes.ts';
export { ProofFile } from './proof-file.ts';
export { readTimestamp } from './read-timestamp.ts';
export { API_VERSION, ErrorBody, SearchErrorBody, usesSearchEnvelope } from './replies.ts';
export { NO_MODEL_GROUP, SCOREBOARD_GROUPS, Scoreboard } from './scoreboard.ts';
export {
  EventRequestBody,
  FromForecastBody,
  MAX_QUESTIONS,
  MAX_REVISIONS,
  ResolutionRuleChoice,
  ResolveRequestBody,
  RevisionRequestBody,
} from './scout-fields.ts';
export { EventForecast, EventHistoryEntry, EventPreviews, EventResolution, EventRevision } from './scout-views.ts';
export {
  MAX_FIRST_MATCHES,
  MAX_MISSING_SYMBOLS,
  MAX_PREVIEW_MATCHES,
  MAX_SCREENER_FILTERS,
  type SCREENER_RUN_STATES,
  ScreenerAlert,
} from './screener.ts';
export { SCREENER_LEVELS } from './screener-distributions.ts';
export * from './screener-fields.ts';
export {
  SCREENER_MAIL_REASONS,
  SCREENER_MAIL_STATES,
  ScreenerMailDelivery,
  type ScreenerMailReason,
  type ScreenerMailState,
} from './screener-mails.ts';
export { MAX_SCREENER_CONDITIONS, MAX_SCREENER_SYMBOLS } from './screener-rules.ts';
export {
  type EconomicReference,
  EconomicSource,
  type MarketReference,
  MarketSource,
  type PublicReference,
  ReadableSource,
  Source,
  type SourceReference,
  type SourceType,
  type WarehouseReference,
  WarehouseSource,
  type WorkspaceCsvReference,
  WorkspaceCsvSource,
} from './sources.ts';
export { TrackRecord } from './track-record.ts';
export { MAX_USAGE_ENTRIES, UsageHistory, type UsageInterval, UsageRecord } from './usage.ts';
export * from './vocabulary.ts';
export {
  MAX_WEBHOOKS,
  WEBHOOK_ATTEMPT_ERRORS,
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_EVENT_SCOPES,
  WEBHOOK_EVENTS,
  WEBHOOK_OFF_REASONS,
  WEBHOOK_TEST_EVENT,
  Webhook,
  type WebhookAttemptError,
  WebhookDelivery,
  type WebhookDeliveryState,
  type WebhookOffReason,
  WebhookPayload,
  WebhookWithSecret,
} from './webhook-views.ts';
export { Collaborator, PendingTransfer, WorkspaceContents } from './workspace-views.ts';
export { MAX_COLLABORATORS, MAX_SCOPE_IDS, ResourceScopeChoice } from './workspaces.ts';
